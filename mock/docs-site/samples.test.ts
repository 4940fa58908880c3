// @module-tag nightly
// The examples at /docs are called as they stand, and each error that they name is caused.
import { expect, test } from 'vitest';
import type { Json } from '../../openapi/json.ts';
import { operationsOf } from '../../openapi/operations.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { createValidator } from '../../openapi/validate.ts';
import { basePath } from '../http/paths.ts';
import { openMock, profileNames, subscriptionRequest, type TestMock } from '../testing/open-mock.ts';

type Shown = Record<'paths' | 'webhooks' | 'components', Record<string, Record<string, Json>>>;
type Media = { schema: Json; examples: Record<string, { value: unknown }> };

/** First a subscription and a publish, and deletions last, so that nothing is missing. */
function order(id: string): number {
  return [/^(createSubscription|publishSite)$/, /^(?!delete)/, /^delete(?!Site)/, /^deleteSite$/].findIndex(
    (one) => one.test(id),
  );
}

test.for(profileNames)('under %s, each example succeeds as it stands', async (name) => {
  const mock = openMock(loadProfile(name));
  const operations = operationsOf(mock.description).sort((one, other) => order(one.id) - order(other.id));
  const codes: Record<string, unknown> = {};
  for (const { id, method, path, parameters, query = [] } of operations) {
    const shown = await read(mock);
    const { requestBody } = operationAt(shown, path, method) as {
      requestBody?: { content: Record<string, Media> };
    };
    const body = requestBody?.content['application/json']?.examples[id]?.value;
    const values = Object.fromEntries(
      parameters.map(({ name: one, schema }) => [one, exampleAt(shown, schema)]),
    );
    const search = query.flatMap(({ parameter, schema }) => {
      const value = exampleAt(shown, schema);
      return value === undefined ? [] : [`${parameter}=${value}`];
    });
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, one) => encodeURIComponent(String(values[one])));
    const url = `${basePath}${filled}?${search.join('&')}`;
    const token =
      id === 'refresh' ? (await mock.perform('login', mock.mei)).values.token : await mock.tokenFor(id);
    const answer = await mock.app.inject({
      method: method as 'POST',
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { payload: body as object }),
    });
    codes[id] = answer.json().code === 0 ? 0 : answer.json();
  }
  expect(codes).toEqual(Object.fromEntries(operations.map(({ id }) => [id, 0])));
});

test.for(profileNames)('under %s, each example fits its schema, and none is missing', async (name) => {
  const shown = await read(openMock(loadProfile(name)));
  const media = mediaIn(shown);
  const validate = createValidator({ ...shown, media } as never);
  const counts = media.map(({ examples = {} }) => Object.keys(examples).length);
  expect(counts.filter((count) => count === 0)).toEqual([]);
  const mismatches = media.flatMap(({ examples }, index) =>
    Object.entries(examples).flatMap(([key, { value }]) => {
      const found = validate(`/media/${index}/schema`, value);
      return found.length > 0 ? [[key, value, found]] : [];
    }),
  );
  expect(mismatches).toEqual([]);
});

test('each push is shown on each channel', async () => {
  const { webhooks } = await read(openMock());
  const pushes = Object.values(webhooks).map(({ post }) => mediaIn(post)[0]?.examples ?? {});
  expect(pushes.map((examples) => Object.keys(examples))).toEqual(
    pushes.map(() => ['custom', 'wecom', 'dingtalk', 'feishu']),
  );
  expect(pushes[0]?.wecom?.value).toMatchObject({
    msgtype: 'markdown',
    markdown: { content: expect.stringContaining('[content.publish] 海港咖啡馆') },
  });
  expect(pushes[0]?.feishu?.value).toMatchObject({ msg_type: 'interactive' });
});

/** How a call is spoilt, or what is done before it, by the kind of error. */
const ways: Readonly<Record<string, (mock: TestMock, call: Sent) => Partial<Sent> | Promise<Partial<Sent>>>> =
  {
    unauthenticated: () => ({ headers: {} }),
    'token-expired': async (mock) => {
      const { values } = await mock.perform('login', mock.mei);
      mock.clock.time += 7200_000;
      return { headers: { authorization: `Bearer ${values.token}` } };
    },
    'malformed-json': (_mock, { headers }) => ({
      payload: '{',
      headers: { ...headers, 'content-type': 'application/json' },
    }),
    'unsupported-media-type': (_mock, { headers }) => ({
      payload: 'x',
      headers: { ...headers, 'content-type': 'text/plain' },
    }),
    'body-too-large': (_mock, { headers }) => ({
      payload: ' '.repeat(1_048_577),
      headers: { ...headers, 'content-type': 'application/json' },
    }),
    'invalid-request': (_mock, { url, payload }) =>
      payload === undefined ? { url: `${url}?page=x&limit=x` } : { payload: { username: 1 } },
    'bad-credentials': () => ({ payload: { username: 'mei@harbour-cafe.example', password: 'wrong' } }),
    'unknown-site': (_mock, { url }) => ({ url: url.replace('/101', '/999') }),
    'foreign-site': (_mock, { url }) => ({ url: url.replace('/101', '/201') }),
    'unknown-subscription': (_mock, { url }) => ({ url: url.replace(/webhooks\/1\b/, 'webhooks/999') }),
    'unknown-resource': (_mock, { url }) => ({ url: url.replace(/(contents|keys)\/\d+/, '$1/999') }),
    'key-quota': async (mock) => {
      for (let turn = 0; turn < 5; turn += 1)
        await mock.perform('createKey', { name: `${turn}` }, mock.harbourKey);
      return {};
    },
    'rate-limited': async (mock, { method, url, headers, payload }) => {
      for (let turn = 0; turn < 10; turn += 1) {
        const again = { ...(payload as Json), ...(url.includes('publish') && { note: String(turn) }) };
        await mock.app.inject({ method: method as 'POST', url, headers, payload: again });
      }
      return {};
    },
  };

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload?: unknown;
}

test('each operation has an answer for just those kinds of error that it can be made to give', async () => {
  const { description } = openMock();
  const kinds = new Set(Object.keys(ways));
  for (const { id, path, method, auth, success } of operationsOf(description)) {
    const shown = operationAt(await read(openMock()), path, method).responses as Json;
    const listed = Object.entries(shown).flatMap(([status, response]) =>
      mediaIn(response)
        .flatMap(({ examples }) => Object.entries(examples))
        .filter(([kind]) => kinds.has(kind))
        .map(([kind, { value }]) => `${status} ${(value as Json).code} ${kind}`),
    );
    const caused: string[] = [];
    for (const [kind, spoil] of Object.entries(ways)) {
      const mock = openMock();
      await mock.perform('createSubscription', subscriptionRequest(), mock.harbourKey);
      const token = id === 'refresh' ? await mock.perform('login', mock.mei) : undefined;
      const call = sentFor(
        await read(mock),
        { id, path, method, auth, success } as never,
        String(token?.values.token ?? mock.harbourKey),
      );
      const sent = { ...call, ...(await spoil(mock, call)) };
      const answer = await mock.app.inject(sent as never);
      const expected = shown[answer.statusCode] as Json | undefined;
      const example = mediaIn(expected)
        .flatMap(({ examples }) => Object.entries(examples))
        .find(([name]) => name === kind);
      if (answer.json().code !== 0 && (example?.[1].value as Json | undefined)?.code === answer.json().code)
        caused.push(`${answer.statusCode} ${answer.json().code} ${kind}`);
      else if (answer.json().code !== 0)
        expect([id, listed.map((one) => one.split(' ')[1])]).toEqual([
          id,
          expect.arrayContaining([String(answer.json().code)]),
        ]);
    }
    // A renewal takes a token that has expired, and so does not say so within its window.
    expect([id, caused.sort()]).toEqual([
      id,
      listed.filter((one) => !(id === 'refresh' && one.endsWith('token-expired'))).sort(),
    ]);
  }
});

function sentFor(
  shown: Shown,
  { id, path, method }: ReturnType<typeof operationsOf>[number],
  token: string,
): Sent {
  const object = operationAt(shown, path, method) as { requestBody?: Json };
  const payload = mediaIn(object.requestBody)[0]?.examples[id]?.value;
  const values: Record<string, unknown> = {
    siteID: 101,
    id: 1,
    subscriptionID: 1,
    contentID: 1,
    keyID: 1,
    form: 'reservation',
  };
  const url = basePath + path.replaceAll(/\{(\w+)\}/g, (_, one) => String(values[one]));
  const content = payload === undefined ? {} : { payload };
  return { method, url, headers: { authorization: `Bearer ${token}` }, ...content };
}

async function read({ app }: TestMock): Promise<Shown> {
  return (await app.inject('/docs/openapi.json')).json();
}

function operationAt({ paths }: Shown, path: string, method: string): Json {
  return paths[path]?.[method.toLowerCase()] ?? {};
}

function exampleAt(shown: Shown, pointer: string): unknown {
  const schema = pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((node, key) => (node as Json)[key.replaceAll('~1', '/').replaceAll('~0', '~')], shown);
  return ((schema as { examples?: unknown[] }).examples ?? [])[0];
}

function mediaIn(node: unknown): Media[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.entries(node).filter(([key]) => key !== 'examples');
  const own = 'application/json' in node ? [node['application/json'] as Media] : [];
  return [
    ...own,
    ...inside.filter(([key]) => key !== 'application/json').flatMap(([, part]) => mediaIn(part)),
  ];
}
