// Integers above 2^53 must have all digits over HTTP.
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type StartOptions, startMock } from '../start.ts';
import { openReceiver } from '../testing/open-mock.ts';
import { hook, makeFolder, startTestMock } from '../testing/started-mock.ts';

const [site, other] = ['1892345678901234567', '9223372036854775807'];
const [content, comment] = ['1892345678901234561', '9007199254740993'];
const hills = {
  id: BigInt(site),
  name: 'Hills',
  contents: [{ id: BigInt(content), title: 'A' }],
  comments: [{ id: BigInt(comment), author: 'a', text: site }],
};
const sites = [hills, { id: 123456789012, name: 'Sea' }, { name: 'Counted' }];
const inCode = {
  tenants: [
    { name: 'Acme', api_keys: [{ key: 'sp_acme' }], sites },
    { name: 'Else', sites: [{ id: BigInt(other), name: 'Elsewhere' }] },
  ],
};
const json = JSON.stringify(inCode, (_, value: unknown) =>
  typeof value === 'bigint' ? `integer ${value}` : value,
).replaceAll(/"integer (\d+)"/g, '$1');
const yaml = `# JSON is YAML too.\n${json}`;

test.for<[string, () => NonNullable<StartOptions['world']>]>([
  ['a file in YAML', () => write('world.yaml', yaml)],
  ['a file in JSON', () => write('world.json', json)],
  ['an object', () => inCode],
])('%s: lists, paths, pushes and the control API have all digits', async ([, world]) => {
  const { mock, get, post, control } = await open({ world: world() });
  const listed = new RegExp(`"site_id":1,.*"site_id":123456789012,.*"site_id":${site},`);
  expect(await get('/tenant/sites')).toMatch(listed);
  expect(await get(`/tenant/sites/${site}`)).toContain(`"site_id":${site},"site_name":"Hills"`);
  expect(await get(`/tenant/sites/${site.replace(/7$/, '8')}`)).toContain('"code":40400');
  expect(await get(`/tenant/sites/${Number(site)}`)).toContain('"code":40400');
  expect(await get(`/tenant/sites/${other}`)).toMatch(/"code":40[34]/);
  expect(await get(`/tenant/sites/${site}/contents`)).toContain(`"id":${content},`);
  const shown = new RegExp(`"id":${comment},.*"text":"${site}"`);
  expect(await get(`/tenant/sites/${site}/comments`)).toMatch(shown);
  const receiver = await openReceiver(() => ({ status: 200 }));
  const subscription = { ...hook(receiver.url, 'content.update'), secret: 's' };
  const subscribed = await post(`/tenant/sites/${site}/webhooks`, JSON.stringify(subscription));
  expect(subscribed).toContain('"code":0');
  const event = `{"event":"content.update","site_id":${site},"data":{"content_id":${content}}}`;
  expect(await control('/events', event)).toContain('"deliveries"');
  await control('/drain', '');
  const [{ headers, body } = expect.fail('nothing was pushed')] = receiver.received;
  expect(body).toMatch(new RegExp(`"site_id": ?${site},`));
  expect(body).toMatch(new RegExp(`"content_id": ?${content}\\D`));
  const signature = createHmac('sha256', 's').update(body).digest('hex');
  expect(headers['x-webhook-signature']).toBe(`sha256=${signature}`);
  expect(await control('/deliveries')).toContain(`"site_id":${site}`);
  expect(await control('/sites')).toContain(`"id":${site},`);
  expect(await control('/requests')).toContain(`/tenant/sites/${site}/webhooks`);
  expect(await control('/tenants')).toContain(`"id":${other},`);
  const ids = mock.tenants.flatMap(({ sites }) => sites.map(({ id }) => id));
  expect(ids).toEqual([BigInt(site), 123456789012, 1, BigInt(other)]);
  expect(mock.control.sites().sites.map(({ id }) => id)).toContain(BigInt(site));
  for (const path of ['/requests', '/deliveries', '/sites', '/world', '/tenants'])
    expect(await control(path)).not.toMatch(/(?<!\d)(45|46|47|48)\d{14}(?!\d)/);
});

test('a stored and a named world have the long ids', async () => {
  const store = `file:${join(makeFolder(), 'stored.db')}`;
  const world = write('world.yaml', yaml);
  const first = await startMock({ store, world });
  await first.close();
  const { get } = await open({ store, world } as StartOptions);
  expect(await get(`/tenant/sites/${site}`)).toContain(`"site_id":${site},`);
  const { control, mock } = await open({});
  expect(await control('/worlds', `{"name":"long","world":${json}}`)).toContain(`"site_ids":[${site},`);
  const named = await fetch(`${new URL(mock.baseUrl).origin}/w/long/api/v1/tenant/sites/${site}`, {
    headers: { authorization: 'Bearer sp_acme' },
  });
  expect(await named.text()).toContain(`"site_id":${site},`);
});

test('the variation long-ids gives numeric ids 19 digits', async () => {
  const { mock, get, post } = await open({ variations: ['long-ids'] });
  const [first] = mock.tenants[0]?.sites ?? [];
  expect(first?.id).toBe(1892345678000000101n);
  const key = String(mock.tenants[0]?.apiKey);
  expect(await get('/tenant/sites', key)).toMatch(
    /"site_id":1892345678000000101,.*"site_id":1892345678000000102/,
  );
  expect(await post('/tenant/sites', '{"site_name":"New"}', key)).toContain('"site_id":1892345678000001001');
  const subscription = JSON.stringify(hook('http://127.0.0.1:9/'));
  const subscribed = await post(`/tenant/sites/${first?.id}/webhooks`, subscription, key);
  expect(subscribed).toContain('"id":1892345678000000001,');
  expect(await get(`/tenant/sites/${first?.id}/contents`, key)).toMatch(/"id":18923456780000000\d\d,/);
  expect(await get('/tenant/sites/101', key)).toContain('"code":40400');
});

test('an answer in another encoding has the long ids', async () => {
  const { mock, get } = await open({ variations: ['long-ids'], faults: ['latin-1-in-list-of-sites'] });
  const key = String(mock.tenants[0]?.apiKey);
  // Only Fastify's router matches the second path.
  for (const path of ['/tenant/sites', '/tenant/%73ites'])
    expect(await get(path, key)).toContain('"site_id":1892345678000000101,');
});

test('other mocks in the process count from 1 beside the variation long-ids', async () => {
  await open({ variations: ['long-ids'] });
  const { get } = await open({ world: write('world.yaml', yaml) });
  expect(await get('/tenant/sites')).toContain('"site_id":1,"site_name":"Counted"');
  expect(await get(`/tenant/sites/${site}`)).toContain(`"site_id":${site},"site_name":"Hills"`);
});

test.for([
  ['id: -1892345678901234567', 'expected a whole number from 1'],
  ['id: 9223372036854775808', 'expected a whole number from 1 to 9223372036854775807'],
  ['version: 1892345678901234567', 'expected a whole number from 0 to 1000000000'],
])('refuses %s', async ([member, want]) => {
  const world = write('wrong.yaml', `tenants: [{ name: A, sites: [{ name: S, ${member} }] }]`);
  await expect(startMock({ world })).rejects.toThrow(want);
});

async function open(options: StartOptions) {
  const mock = await startTestMock(options);
  const call = async (url: string, key: string, body?: string, verb?: string) => {
    const method = verb ?? (body === undefined ? 'GET' : 'POST');
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    return (await fetch(url, { method, headers, ...(body !== undefined && { body }) })).text();
  };
  return {
    mock,
    get: (path: string, key = 'sp_acme') => call(mock.baseUrl + path, key),
    post: (path: string, body: string, key = 'sp_acme') => call(mock.baseUrl + path, key, body),
    control: (path: string, body?: string, method?: string) => call(mock.controlUrl + path, '', body, method),
  };
}

function write(name: string, content: string): string {
  const path = join(makeFolder(), name);
  writeFileSync(path, content);
  return path;
}
