import { expect, test } from 'vitest';
import type { Json } from './json.ts';
import { getAt, parsePointer } from './json-pointer.ts';
import { operationsOf } from './operations.ts';
import { loadProfile, noProfile, type Profile, parseProfile } from './profile.ts';
import { readDescription, resolve } from './resolve.ts';

const documented = ['login', 'refresh', 'createSubscription', 'testSubscription'];

test('without a profile, only what is documented is offered', () => {
  expect(idsUnder(noProfile).sort()).toEqual([...documented].sort());
});

test('under the default profile, every operation stands where it is described', () => {
  const description = resolve(loadProfile('default'));
  const canonical = ['site-publishing.yaml', 'provisional.yaml'].flatMap((file) =>
    Object.keys(readDescription(file as 'provisional.yaml').paths),
  );
  expect(Object.keys(description.paths).sort()).toEqual([...new Set(canonical)].sort());
  expect(idsUnder(loadProfile('default'))).toHaveLength(29);
});

test.for([
  ['documented-only', []],
  [
    'always-200-camel-case',
    ['createSite', 'listSites', 'publishSite', 'listSubscriptions', 'deleteSubscription'],
  ],
  ['nested-201-uuid', ['listSites', 'createSite', 'deleteSubscription', 'listDeliveries']],
] as const)('%s offers what it states', ([name, others]) => {
  expect(idsUnder(loadProfile(name)).sort()).toEqual([...documented, ...others].sort());
});

test('an operation stands at the path that a profile gives it, and no longer where it was', () => {
  const { paths } = resolve(loadProfile('always-200-camel-case'));
  expect(getAt(paths['/tenant/site/create'], '/post/operationId')).toBe('createSite');
  expect(getAt(paths['/tenant/webhook/{subscriptionID}/delete'], '/post/operationId')).toBe(
    'deleteSubscription',
  );
  expect(paths['/tenant/sites']).toBeUndefined();
  expect(paths['/tenant/sites/{siteID}/webhooks/{subscriptionID}']).toBeUndefined();
});

test('two operations share a path by their methods', () => {
  const path = resolve(loadProfile('default')).paths['/tenant/sites/{siteID}/webhooks'];
  expect(getAt(path, '/post/operationId')).toBe('createSubscription');
  expect(getAt(path, '/get/operationId')).toBe('listSubscriptions');
});

test('tags without an operation are left out', () => {
  const tagsUnder = (name: string) => (resolve(loadProfile(name)).tags as Json[]).map((tag) => tag.name);
  expect(tagsUnder('documented-only')).toEqual(['authentication', 'webhooks']);
  expect(tagsUnder('nested-201-uuid')).toEqual(['authentication', 'webhooks', 'sites', 'subscriptions']);
});

test.for(['default', 'always-200-camel-case', 'nested-201-uuid', 'documented-only', 'flags-and-cursors'])(
  'resolving under %s twice gives the same, and leaves the sources as they were',
  (name) => {
    const before = JSON.stringify(readDescription('provisional.yaml'));
    const first = JSON.stringify(resolve(loadProfile(name)));
    expect(JSON.stringify(resolve(loadProfile(name)))).toBe(first);
    expect(JSON.stringify(readDescription('provisional.yaml'))).toBe(before);
  },
);

test('what one profile puts in is not left in for the next', () => {
  const before = JSON.stringify(resolve(noProfile));
  resolve(loadProfile('nested-201-uuid'));
  expect(JSON.stringify(resolve(noProfile))).toBe(before);
});

const value = { type: 'string', minLength: 1, 'x-gap': 'login.token', 'x-value': 'token' };

test.for([
  [
    '/data/a/b/c/d',
    '/data/properties/a/properties/b/properties/c/properties/d',
    '/data/properties/a/properties/b/properties/c',
  ],
  ['/data/tokens/0', '/data/properties/tokens/prefixItems/0', '/data/properties/tokens'],
  [
    '/data/tokens/0/value',
    '/data/properties/tokens/prefixItems/0/properties/value',
    '/data/properties/tokens/prefixItems/0',
  ],
  ['/data/a~1b', '/data/properties/a~1b', '/data'],
  ['/data/m~0n', '/data/properties/m~0n', '/data'],
  ['/data/__proto__', '/data/properties/__proto__', '/data'],
  [
    '/data/__proto__/constructor/x',
    '/data/properties/__proto__/properties/constructor/properties/x',
    '/data/properties/__proto__/properties/constructor',
  ],
  ['/token', '/token', ''],
  ['/session/token', '/session/properties/token', '/session'],
] as const)('the token is moved to %s', ([pointer, at, parent]) => {
  const description = resolve(parseProfile(`login.token: ${pointer}`, 'a.yaml'));
  const login = operationsOf(description).find(({ id }) => id === 'login');
  expect(login?.success.layout.values).toEqual({ token: parsePointer(pointer) });
  const { components } = description;
  const own = getAt(components.schemas, '/LoginSuccess/allOf/1') as Json;
  const properties = own.properties as Json;
  const key = pointer.split('/').at(-1)?.replace('~1', '/').replace('~0', '~');
  expect(getAt(properties, at)).toMatchObject(value);
  const holder = parent === '' ? own : (getAt(properties, parent) as Json);
  if (key === '0') expect(holder).toMatchObject({ type: 'array', minItems: 1 });
  else expect(holder?.required).toContain(key);
  if (!pointer.startsWith('/data/'))
    expect(getAt(properties, '/data')).toEqual({
      type: 'object',
      'x-requirement': ['ENV-5'],
      properties: {},
    });
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Reflect.has({}, 'x-gap')).toBe(false);
});

test('an item that no value stands in says nothing', () => {
  const { components } = resolve(parseProfile('login.token: /data/tokens/2', 'a.yaml'));
  expect(getAt(components.schemas, '/LoginSuccess/allOf/1/properties/data/properties/tokens')).toMatchObject({
    minItems: 3,
    prefixItems: [{}, {}, value],
  });
});

test('examples follow what is moved, renamed, filled and left out', () => {
  const { paths, webhooks } = resolve(loadProfile('nested-201-uuid'));
  const example = (pointer: string) => getAt(paths, `${pointer}/value`);
  expect(
    example('/~1auth~1tenant~1login/post/responses/201/content/application~1json/examples/token'),
  ).toEqual({
    code: 0,
    message: 'success',
    data: { session: { token: { value: 'st_8c1f0e3b5a7d4f60', ttl: 7200 } } },
    trace_id: '4bf92f3577b34da6',
  });
  const create = '/~1tenant~1sites~1{siteID}~1webhooks/post';
  expect(example(`${create}/requestBody/content/application~1json/examples/signed`)).toEqual({
    target_url: 'https://hooks.harbour-cafe.example/sitepub',
    event_names: ['publish.complete', 'publish.failed'],
    type: 'custom',
    signing_key: "It's a Secret to Everybody",
  });
  expect(example(`${create}/responses/201/content/application~1json/examples/created`)).toMatchObject({
    data: {
      subscription: {
        identity: { id: '5f0c9a52-7d0e-4b7c-9a0e-3f5d1c2b4a69' },
        target: { url: 'https://hooks.harbour-cafe.example/sitepub', type: 'custom' },
        events: ['publish.complete', 'publish.failed'],
      },
    },
  });
  expect(
    getAt(webhooks, '/content.publish/post/requestBody/content/application~1json/examples/push/value/data'),
  ).toEqual({ content: { id: 7, title: '春季菜单' } });
});

test.for([
  [
    'subscription.request.url: events\nsubscription.request.events: url',
    'SubscriptionRequest',
    { url: 'subscription.request.events', events: 'subscription.request.url' },
  ],
  [
    'subscription.request.url: url\nsubscription.request.secret: "0"',
    'SubscriptionRequest',
    { url: 'subscription.request.url', '0': 'subscription.request.secret' },
  ],
] as const)('%j names the fields', ([text, name, want]) => {
  const { schemas } = resolve(parseProfile(text, 'a.yaml')).components;
  const properties = (schemas[name]?.properties ?? {}) as Record<string, Json>;
  const gapsAt = Object.entries(want).map(([field]) => [field, [properties[field]?.['x-gap']].flat()[0]]);
  expect(Object.fromEntries(gapsAt)).toEqual(want);
  expect(Object.keys(properties)).toHaveLength(4);
});

test('two values change places', () => {
  const profile = parseProfile(
    'login.token: /data/expires_in\nlogin.expires-in: /data/token\nsubscription.response.id: /data/url\nsubscription.response.url: absent',
    'a.yaml',
  );
  const { schemas } = resolve(profile).components;
  expect(getAt(schemas, '/LoginSuccess/allOf/1/properties/data/properties')).toMatchObject({
    token: { type: 'integer' },
    expires_in: { type: 'string' },
  });
  expect(getAt(schemas, '/SubscriptionSuccess/allOf/1/properties/data')).toMatchObject({
    required: ['events', 'channel', 'url'],
    properties: { url: { type: 'integer' } },
  });
});

test('absent leaves a value out', () => {
  const text = ['url', 'events', 'channel'].map((name) => `subscription.response.${name}: absent`).join('\n');
  const { schemas } = resolve(parseProfile(text, 'a.yaml')).components;
  const data = getAt(schemas, '/SubscriptionSuccess/allOf/1/properties/data') as Json;
  expect([Object.keys(data.properties as object), data.required]).toEqual([['id'], ['id']]);
});

test('the template none withdraws a body, and its schema', () => {
  const refresh = '/paths/~1auth~1refresh/post';
  const without = resolve(noProfile);
  expect(getAt(without, `${refresh}/requestBody`)).toBeUndefined();
  expect(Object.keys(without.components.schemas)).not.toContain('RefreshRequest');
  const withBody = resolve(parseProfile('refresh.request: { old: "{token}", v: 2 }', 'a.yaml'));
  expect(getAt(withBody, `${refresh}/requestBody`)).toBeDefined();
  expect(withBody.components.schemas.RefreshRequest).toMatchObject({
    required: ['old', 'v'],
    properties: { old: { type: 'string', 'x-value': 'token' }, v: { const: 2 } },
  });
});

test('a success has the status that the profile gives it', () => {
  const description = resolve(loadProfile('nested-201-uuid'));
  const statuses = operationsOf(description).map(({ id, success }) => [id, success.status]);
  expect(Object.fromEntries(statuses)).toEqual({
    login: 201,
    refresh: 201,
    createSubscription: 201,
    testSubscription: 202,
    createSite: 201,
    listSites: 200,
    deleteSubscription: 200,
    listDeliveries: 200,
  });
});

test('where every status is 200, a success and a failure stand under one key', () => {
  const { paths } = resolve(parseProfile('errors.http-status: always-200\nlogin.status: 201', 'a.yaml'));
  const responses = (path: string) => getAt(paths[path], '/post/responses') as Record<string, Json>;
  expect(Object.keys(responses('/auth/refresh'))).toEqual(['200']);
  expect(getAt(responses('/auth/refresh'), '/200/content/application~1json/schema')).toEqual({
    oneOf: [{ $ref: '#/components/schemas/RefreshSuccess' }, { $ref: '#/components/schemas/Failure' }],
  });
  expect(Object.keys(responses('/auth/tenant/login'))).toEqual(['200', '201']);
  expect(responses('/auth/tenant/login')['200']).toEqual({ $ref: '#/components/responses/Failure' });
});

test('where one kind of failure has the status of a success, both stand under it', () => {
  const { paths } = resolve(parseProfile('errors.http-status: { invalid-request: 200 }', 'a.yaml'));
  const responses = getAt(paths['/auth/refresh'], '/post/responses') as Record<string, Json>;
  expect(Object.keys(responses)).toEqual(['200', 'default']);
  expect(getAt(responses, '/200/content/application~1json/schema/oneOf/1/$ref')).toBe(
    '#/components/schemas/Failure',
  );
});

test.for([
  ['absent', undefined],
  ['null-value', { type: 'null' }],
  ['empty-object', { type: 'object', maxProperties: 0 }],
] as const)('a failure with data %s is described so', ([form, want]) => {
  const { schemas, responses } = resolve(parseProfile(`errors.data: ${form}`, 'a.yaml')).components;
  const data = getAt(schemas, '/Failure/allOf/1/properties/data');
  if (want) expect(data).toMatchObject(want);
  else expect(data).toBeUndefined();
  const example = getAt(responses, '/Failure/content/application~1json/examples/refused/value') as Json;
  expect(example).toMatchObject({ code: 40100 });
  expect('data' in example).toBe(form !== 'absent');
});

test('fills are in place wherever they are marked', () => {
  const description = resolve(loadProfile('nested-201-uuid'));
  const uuid = { type: 'string', format: 'uuid' };
  const parameters = operationsOf(description).flatMap((operation) => operation.parameters);
  const ids = parameters.filter(({ name }) => ['id', 'subscriptionID'].includes(name));
  expect(ids.map(({ schema }) => getAt(description, schema))).toMatchObject([uuid, uuid, uuid]);
  expect(description.components.parameters['X-Webhook-Signature']).toMatchObject({
    schema: { allOf: [{ pattern: '^sha256=[0-9A-F]{64}$' }] },
  });
  expect(description.components.parameters['X-Webhook-Timestamp']).toMatchObject({
    schema: { allOf: [{ pattern: '^[0-9]{10}$' }] },
  });
  expect(description.components.schemas.SubscriptionRequest).toMatchObject({ additionalProperties: false });
});

test('an operation without a Bearer token says so', () => {
  const profile = parseProfile(
    'operation.ai: { method: POST, path: /ai, auth: none }\noperation.submit-form: { method: POST, path: /forms, auth: bearer }\noperation.create-comment: { method: POST, path: /comments }',
    'a.yaml',
  );
  const auths = operationsOf(resolve(profile)).map(({ id, auth }) => [id, auth]);
  expect(Object.fromEntries(auths)).toMatchObject({
    askAi: 'none',
    submitForm: 'bearer',
    createComment: 'none',
  });
});

function idsUnder(profile: Profile): string[] {
  return operationsOf(resolve(profile)).map(({ id }) => id);
}
