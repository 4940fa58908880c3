import { expect, test } from 'vitest';
import { getAt } from './json-pointer.ts';
import {
  type Layout,
  type Operation,
  operationsOf,
  readLayout,
  readRequest,
  schemaAt,
  writeLayout,
  writeRequest,
} from './operations.ts';
import { loadProfile, type Profile, parseProfile } from './profile.ts';
import { resolve } from './resolve.ts';

test.for([
  ['default', 'login', 'POST /auth/tenant/login', 'none', 200],
  ['default', 'refresh', 'POST /auth/refresh', 'bearer', 200],
  ['default', 'createSubscription', 'POST /tenant/sites/{siteID}/webhooks', 'bearer', 200],
  ['default', 'testSubscription', 'POST /tenant/sites/{siteID}/webhooks/{id}/test', 'bearer', 200],
  ['default', 'updateContent', 'PUT /tenant/sites/{siteID}/contents/{contentID}', 'bearer', 200],
  ['default', 'submitForm', 'POST /sites/{siteID}/forms/{form}/submissions', 'none', 200],
  ['always-200-camel-case', 'listSites', 'POST /tenant/site/list', 'bearer', 200],
  ['always-200-camel-case', 'publishSite', 'POST /tenant/site/publish', 'bearer', 200],
  ['nested-201-uuid', 'createSite', 'POST /tenant/projects/sites', 'bearer', 201],
  ['nested-201-uuid', 'deleteSubscription', 'DELETE /tenant/hooks/{subscriptionID}', 'bearer', 200],
] as const)('under %s, %s is called by %s', ([name, id, call, auth, status]) => {
  const operation = find(loadProfile(name), id);
  expect(`${operation.method} ${operation.path}`).toBe(call);
  expect([operation.auth, operation.success.status]).toEqual([auth, status]);
});

test.for([
  ['default', 'login', { username: '{username}', password: '{password}' }],
  ['default', 'refresh', undefined],
  [
    'default',
    'createSubscription',
    { url: '{url}', events: '{events}', channel: '{channel}', secret: '{secret}' },
  ],
  ['default', 'testSubscription', undefined],
  ['default', 'importSite', { site_name: '{name}', source: '{source}' }],
  ['always-200-camel-case', 'refresh', { accessToken: '{token}' }],
  [
    'always-200-camel-case',
    'createSubscription',
    { callbackUrl: '{url}', eventTypes: '{events}', channelType: '{channel}', signSecret: '{secret}' },
  ],
  ['always-200-camel-case', 'publishSite', { siteId: '{siteID}', remark: '{note}' }],
  ['always-200-camel-case', 'listSites', undefined],
  [
    'nested-201-uuid',
    'createSubscription',
    { target_url: '{url}', event_names: '{events}', type: '{channel}', signing_key: '{secret}' },
  ],
  ['nested-201-uuid', 'createSite', { site: { attributes: { title: '{name}' }, kind: 'standard' } }],
] as const)('under %s, the body of %s is %j', ([name, id, template]) => {
  expect(find(loadProfile(name), id).request?.template).toEqual(template);
});

test.for([
  '{ a: {}, b: [], c: null, d: 5, e: x, f: "{not one}" }',
  '{ a: [{ b: "{name}" }, "{name}", "x-{name}", 1] }',
  '{}',
])('the template %s is read back from the description', (template) => {
  const text = `operation.create-site: { method: POST, path: /sites, body: ${template} }`;
  const profile = parseProfile(text, 'a.yaml');
  const { body } = profile.values['operation.create-site'] as { body: unknown };
  expect(find(profile, 'createSite').request?.template).toEqual(body);
});

const inData = { list: '/data/list', total: '/data/total' };

test.for([
  ['default', 'login', { token: '/data/token' }, {}],
  ['default', 'testSubscription', {}, {}],
  ['default', 'listSites', inData, { id: '/site_id', name: '/site_name' }],
  ['default', 'listSubscriptions', inData, { id: '/id' }],
  ['default', 'getSite', { id: '/data/site_id', name: '/data/site_name', version: '/data/version' }, {}],
  ['always-200-camel-case', 'login', { token: '/data/accessToken', expires_in: '/data/expiresIn' }, {}],
  ['always-200-camel-case', 'testSubscription', { delivered: '/data/delivered' }, {}],
  [
    'nested-201-uuid',
    'login',
    { token: '/data/session/token/value', expires_in: '/data/session/token/ttl' },
    {},
  ],
  [
    'nested-201-uuid',
    'createSubscription',
    {
      id: '/data/subscription/identity/id',
      url: '/data/subscription/target/url',
      events: '/data/subscription/events',
      channel: '/data/subscription/target/type',
    },
    {},
  ],
  ['nested-201-uuid', 'listSites', inData, { id: '/identity/id', name: '/attributes/title' }],
] as const)('under %s, the answer of %s holds %j', ([name, id, values, items]) => {
  expect(find(loadProfile(name), id).success.layout).toEqual({ values, items });
});

test.for([
  ['login.token: /data/a/b/c/d/e/f/g', { token: '/data/a/b/c/d/e/f/g' }],
  ['login.token: /data/tokens/0', { token: '/data/tokens/0' }],
  ['login.token: /data/tokens/2/value', { token: '/data/tokens/2/value' }],
  ['login.token: /data/a~1b', { token: '/data/a~1b' }],
  ['login.token: /data/m~0n', { token: '/data/m~0n' }],
  ['login.token: /token', { token: '/token' }],
  ['login.token: /data/__proto__/x', { token: '/data/__proto__/x' }],
  [
    'login.token: /data/expires_in\nlogin.expires-in: /data/token',
    { token: '/data/expires_in', expires_in: '/data/token' },
  ],
] as const)('%j is where the login answer holds them', ([text, values]) => {
  expect(find(parseProfile(text, 'a.yaml'), 'login').success.layout).toEqual({ values, items: {} });
});

test('a list whose place is not stated stands where the document has it', () => {
  const profile = parseProfile('operation.list-sites: { method: GET, path: /s, item.id: /id }', 'a.yaml');
  expect(find(profile, 'listSites').success.layout).toEqual({ values: inData, items: { id: '/id' } });
});

test('a value whose place is not stated is not shown', () => {
  const profile = parseProfile('operation.create-key: { method: POST, path: /k, key: /data/k }', 'a.yaml');
  expect(find(profile, 'createKey').success.layout.values).toEqual({ key: '/data/k' });
});

test.for([
  ['createSubscription', ['siteID']],
  ['listSubscriptions', ['siteID']],
  ['testSubscription', ['siteID', 'id']],
  ['publishContent', ['siteID', 'contentID']],
  ['submitForm', ['siteID', 'form']],
  ['createSite', []],
] as const)('%s has each parameter once, with its schema', ([id, names]) => {
  const description = resolve(loadProfile('default'));
  const { parameters } = find(loadProfile('default'), id);
  expect(parameters.map(({ name }) => name)).toEqual(names);
  expect(parameters.filter(({ schema }) => schemaAt(description, schema) === undefined)).toEqual([]);
});

test('a placeholder that was a body property can stand in the path', () => {
  const text = 'operation.create-site: { method: PUT, path: "/sites/{name}" }';
  const profile = parseProfile(text, 'a.yaml');
  const operation = find(profile, 'createSite');
  expect(operation.request).toBeUndefined();
  expect(operation.parameters.map(({ name, schema }) => [name, getAt(resolve(profile), schema)])).toEqual([
    ['name', { type: 'string', minLength: 1 }],
  ]);
});

test('a documented operation has no gap, and another one its own', () => {
  expect(find(loadProfile('default'), 'login').gap).toBeUndefined();
  expect(find(loadProfile('default'), 'askAi').gap).toBe('operation.ai');
});

test('a login needs its body, and a refresh with one does not', () => {
  expect(find(loadProfile('default'), 'login').request?.required).toBe(true);
  expect(find(loadProfile('always-200-camel-case'), 'refresh').request?.required).toBe(false);
});

test('where every status is 200, the success is the first alternative', () => {
  const operation = find(loadProfile('always-200-camel-case'), 'refresh');
  expect(operation.success.schema).toMatch(/\/oneOf\/0$/);
  expect(schemaAt(resolve(loadProfile('always-200-camel-case')), operation.success.schema)).toEqual({
    $ref: '#/components/schemas/RefreshSuccess',
  });
});

test.for([
  ['default', { url: 'https://a.example', events: ['publish.complete'], channel: 'custom' }],
  [
    'always-200-camel-case',
    { callbackUrl: 'https://a.example', eventTypes: ['publish.complete'], channelType: 'custom' },
  ],
  ['nested-201-uuid', { target_url: 'https://a.example', event_names: ['publish.complete'], type: 'custom' }],
] as const)('under %s, a subscription without a secret is written and read', ([name, body]) => {
  const values = { url: 'https://a.example', events: ['publish.complete'], channel: 'custom' };
  const operation = find(loadProfile(name), 'createSubscription');
  expect(writeRequest(operation, values)).toEqual(body);
  expect(readRequest(operation, { ...body, more: 1 })).toEqual(values);
});

test('an operation without a body writes and reads none', () => {
  const operation = find(loadProfile('default'), 'refresh');
  expect(writeRequest(operation, { token: 't' })).toBeUndefined();
  expect(readRequest(operation, { token: 't' })).toEqual({});
});

const layout: Layout = {
  values: { id: '/data/a/id', list: '/data/list', total: '/data/total' },
  items: { id: '/identity/id', name: '/name' },
};

test('values are written where a layout has them, and read from there', () => {
  const values = { id: 7, list: [{ id: 1, name: 'x' }, { id: 2 }], total: 2 };
  const body = { code: 0, data: {} };
  writeLayout(layout, { ...values, unknown: 1 }, body);
  expect(body).toEqual({
    code: 0,
    data: { a: { id: 7 }, list: [{ identity: { id: 1 }, name: 'x' }, { identity: { id: 2 } }], total: 2 },
  });
  expect(readLayout(layout, body)).toEqual(values);
});

test.for([
  [undefined, {}],
  ['text', {}],
  [{ data: null }, {}],
  [{ data: { a: { id: null }, list: 'none' } }, { id: null, list: 'none' }],
  [{ data: { list: [1, null, { name: 'x' }] } }, { list: [{}, {}, { name: 'x' }] }],
] as const)('of the answer %j, %j is read', ([body, want]) => {
  expect(readLayout(layout, body)).toEqual(want);
});

function find(profile: Profile, id: string): Operation {
  return operationsOf(resolve(profile)).find((operation) => operation.id === id) ?? expect.fail(`no ${id}`);
}
