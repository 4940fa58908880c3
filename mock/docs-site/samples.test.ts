// @module-tag nightly
// The examples at /docs are called as they stand. Each error is caused in contract-tests/documented.
import { expect, test } from 'vitest';
import { mediaTypeOf } from '../../openapi/description.ts';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { operationsOf } from '../../openapi/operations.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { basePath } from '../http/paths.ts';
import { openMock, profileNames, type TestMock } from '../testing/open-mock.ts';

type Shown = Record<'paths' | 'webhooks' | 'components', Record<string, Record<string, Json>>>;
type Examples = Record<string, { value: unknown }>;

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
    const body = examplesOf(shown.paths[path]?.[method.toLowerCase()])[id]?.value;
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

test('each push is shown on each channel', async () => {
  const { webhooks } = await read(openMock());
  const pushes = Object.values(webhooks).map(({ post }) => examplesOf(post));
  expect(pushes.map((examples) => Object.keys(examples))).toEqual(
    pushes.map(() => ['custom', 'wecom', 'dingtalk', 'feishu']),
  );
  expect(pushes[0]?.wecom?.value).toMatchObject({
    msgtype: 'markdown',
    markdown: { content: expect.stringContaining('[content.publish] 海港咖啡馆') },
  });
  expect(pushes[0]?.feishu?.value).toMatchObject({ msg_type: 'interactive' });
});

async function read({ app }: TestMock): Promise<Shown> {
  return (await app.inject('/docs/openapi.json')).json();
}

function exampleAt(shown: Shown, pointer: string): unknown {
  const [example] = (getAt(shown, pointer) as { examples?: unknown[] }).examples ?? [];
  return example;
}

/** What a body is in the examples. */
function examplesOf(operation: Json | undefined): Examples {
  return (mediaTypeOf(operation?.requestBody as Json)?.examples ?? {}) as Examples;
}
