import { expect, onTestFinished, test } from 'vitest';
import { mediaTypeOf } from '../../openapi/description.ts';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { operationsOf } from '../../openapi/operations.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { basePath } from '../http/paths.ts';
import { createMock } from '../server/create-mock.ts';
import { startMock } from '../start.ts';
import { openMock, profileNames, type TestMock } from '../testing/open-mock.ts';

test.for([
  ['/docs', 'text/html; charset=utf-8', '<div id="reference">'],
  ['/docs/?x=1', 'text/html; charset=utf-8', '<title>Site Publishing Service, profile default</title>'],
  ['/docs/style.css', 'text/css; charset=utf-8', 'body'],
  ['/docs/start.js', 'text/javascript; charset=utf-8', "url: '/docs/shown.json'"],
  ['/docs/scalar.js', 'text/javascript; charset=utf-8', 'createApiReference'],
  ['/docs/scalar-licence.txt', 'text/plain; charset=utf-8', 'MIT License'],
] as const)('serves %s', async ([url, type, part]) => {
  const { mock, status, headers, body } = await get(url);
  expect([status, headers['content-type']]).toEqual([200, type]);
  expect(body).toContain(part);
  const head = await mock.app.inject({ method: 'HEAD', url });
  expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([200, type, '']);
});

test('the page loads nothing from other hosts, and has a new nonce each time', async () => {
  const { mock, headers, body } = await get('/docs');
  const sources = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source]) => source);
  expect(sources).toEqual(['data:,', '/docs/style.css', '/docs/start.js', '/docs/openapi.json']);
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}'; /);
  expect(policy).not.toMatch(/https?:|\*|unsafe/);
  const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
  expect(body).toContain(`<meta property="csp-nonce" content="${nonce}">`);
  expect((await mock.app.inject('/docs')).body).not.toContain(nonce);
});

test.for(profileNames)('serves the description of the profile %s, with its pushes', async (name) => {
  const { mock, body } = await get('/docs/openapi.json', name);
  const shown = JSON.parse(body);
  expect(Object.keys(shown.paths)).toEqual(Object.keys(mock.description.paths));
  expect(Object.keys(shown.webhooks)).toHaveLength(7);
  expect(shown.webhooks['form.submit'].post.tags).toEqual(['events']);
  expect(shown.servers).toEqual([{ url: '/api/v1' }]);
  expect(shown.info.description).toContain(`under the profile \`${name}\``);
  expect(shown.tags.at(-1).name).toBe('events');
});

test('the shown description marks promises and gaps in its texts', async () => {
  const { mock, body } = await get('/docs/shown.json');
  const { paths, components } = JSON.parse(body);
  expect(paths['/tenant/sites'].post.description).toContain(
    'Gap: `operation.create-site`\n\nPromise: `IDEM-1`',
  );
  expect(components.schemas.Envelope.properties.code.description).toContain('Promise: `ENV-1`');
  expect((await mock.app.inject('/docs/openapi.json')).body).not.toContain('Gap: `');
});

test('the viewer gets the API key of the demo world, but of no other world', async () => {
  const { mock, body } = await get('/docs/start.js');
  expect(body).toContain(`{ token: "${mock.harbourKey}" }`);
  const users = [{ username: 'ann', password: 'a secret' }];
  const beginning = { tenants: [{ name: 'Own', users, api_keys: [{ name: 'a' }] }] };
  const { app } = createMock({ profile: mock.profile, seed: 1, clock: 'manual', log() {}, beginning });
  expect((await app.inject('/docs/start.js')).body).toContain('{ token: "" }');
  expect((await app.inject('/docs/openapi.json')).body).not.toContain('a secret');
  const started = await startMock({ tenants: 1 });
  onTestFinished(() => started.close());
  const script = async () => (await fetch(new URL('/docs/start.js', started.baseUrl))).text();
  expect(await script()).toContain(`{ token: "${started.tenants[0]?.apiKey}" }`);
  await started.reload({ tenants: [{ name: 'Own', api_keys: [{ name: 'a' }] }] });
  expect(await script()).toContain('{ token: "" }');
});

test('answers 404 to other paths, and does not count as traffic of the service', async () => {
  const { mock, status, body } = await get('/docs/package.json');
  expect([status, body]).toEqual([404, expect.stringContaining('The API reference is at /docs')]);
  expect((await mock.app.inject('/docs/constructor')).statusCode).toBe(404);
  expect(mock.control.requests().total).toBe(0);
  expect((await mock.app.inject('/api/v1/docs')).json()).toMatchObject({ code: 40403 });
  expect(mock.control.requests().total).toBe(1);
});

// contract-tests/documented causes each error of the examples.
const nightly = { tags: ['nightly'] };

type Shown = Record<'paths' | 'webhooks' | 'components', Record<string, Record<string, Json>>>;
type Examples = Record<string, { value: unknown }>;

/** Creates before it reads, and deletes last. */
function order(id: string): number {
  return [/^(createSubscription|publishSite)$/, /^(?!delete)/, /^delete(?!Site)/, /^deleteSite$/].findIndex(
    (one) => one.test(id),
  );
}

test.for(profileNames)('%s: each example succeeds unchanged', nightly, async (name) => {
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

test('shows each push on each channel', nightly, async () => {
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

function examplesOf(operation: Json | undefined): Examples {
  return (mediaTypeOf(operation?.requestBody as Json)?.examples ?? {}) as Examples;
}

async function get(url: string, profile = 'default') {
  const mock = openMock(loadProfile(profile));
  const { statusCode: status, headers, body } = await mock.app.inject(url);
  return { mock, status, headers, body };
}
