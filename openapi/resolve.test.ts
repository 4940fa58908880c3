import { expect, test } from 'vitest';
import type { Json } from './json.ts';
import { getAt, parentOf, parsePointer } from './json-pointer.ts';
import { operationsOf } from './operations.ts';
import { loadProfile, noProfile, parseProfile } from './profile.ts';
import { readDescription, resolve } from './resolve.ts';
import { profileNames } from './testing/profile-names.ts';

test('under the default profile, every operation stands where it is described', () => {
  const { paths } = resolve(loadProfile('default'));
  const canonical = (['site-publishing.yaml', 'provisional.yaml'] as const).flatMap((file) =>
    Object.keys(readDescription(file).paths),
  );
  expect(new Set(Object.keys(paths))).toEqual(new Set(canonical));
  expect(operationsOf(resolve(loadProfile('default')))).toHaveLength(29);
});

test('tags without an operation are left out', () => {
  const tagsUnder = (name: string) => (resolve(loadProfile(name)).tags as Json[]).map((tag) => tag.name);
  expect(tagsUnder('documented-only')).toEqual(['authentication', 'webhooks']);
  expect(tagsUnder('nested-201-uuid')).toEqual(['authentication', 'webhooks', 'sites', 'subscriptions']);
});

test.for(profileNames)('what %s puts in is not left in for the next', (name) => {
  // Another object each time, since a description is derived once for each profile.
  const before = JSON.stringify(resolve({ ...loadProfile('default') }));
  resolve({ ...loadProfile(name) });
  expect(JSON.stringify(resolve({ ...loadProfile('default') }))).toBe(before);
});

const value = { type: 'string', minLength: 1, 'x-gap': 'login.token', 'x-value': 'token' };

test.for([
  ['/data/a/b/c/d', '/data/properties/a/properties/b/properties/c/properties/d'],
  ['/data/tokens/0', '/data/properties/tokens/prefixItems/0'],
  ['/data/a~1b', '/data/properties/a~1b'],
  ['/data/__proto__/constructor/x', '/data/properties/__proto__/properties/constructor/properties/x'],
  ['/token', '/token'],
  ['/session/token', '/session/properties/token'],
] as const)('the token is moved to %s', ([pointer, at]) => {
  const description = resolve(parseProfile(`login.token: ${pointer}`, 'a.yaml'));
  const login = operationsOf(description).find(({ id }) => id === 'login');
  const path = parsePointer(pointer);
  expect(login?.success.layout.values).toEqual({ token: path });
  const own = getAt(description.components.schemas, '/LoginSuccess/allOf/1') as Json;
  expect(getAt(own.properties, at)).toMatchObject(value);
  const holder = at === '/token' ? own : (getAt(own.properties, parentOf(parentOf(at))) as Json);
  if (path.at(-1) === '0') expect(holder).toMatchObject({ type: 'array', minItems: 1 });
  else expect(holder.required).toContain(path.at(-1));
  const emptied = { type: 'object', 'x-requirement': ['ENV-5'], properties: {} };
  if (path[0] !== 'data') expect(getAt(own.properties, '/data')).toEqual(emptied);
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
  const description = resolve(loadProfile('nested-201-uuid'));
  const example = (message: string, name: string) =>
    getAt(description, `${message}/content/application~1json/examples/${name}/value`) as Json;
  const hooks = '/paths/~1tenant~1sites~1{siteID}~1webhooks/post';
  expect(example('/paths/~1auth~1tenant~1login/post/responses/201', 'token').data).toEqual({
    session: { token: { value: 'st_8c1f0e3b5a7d4f60', ttl: 7200 } },
  });
  expect(example(`${hooks}/requestBody`, 'signed')).toEqual({
    target_url: 'https://hooks.harbour-cafe.example/sitepub',
    event_names: ['publish.complete', 'publish.failed'],
    type: 'custom',
    signing_key: "It's a Secret to Everybody",
  });
  expect(example(`${hooks}/responses/201`, 'created').data).toMatchObject({
    subscription: { identity: { id: '5f0c9a52-7d0e-4b7c-9a0e-3f5d1c2b4a69' } },
  });
  expect(example('/webhooks/content.publish/post/requestBody', 'push').data).toEqual({
    content: { id: 7, title: '春季菜单' },
  });
});

test('the template none withdraws a body, and its schema', () => {
  const { paths, components } = resolve(noProfile);
  expect(getAt(paths['/auth/refresh'], '/post/requestBody')).toBeUndefined();
  expect(Object.keys(components.schemas)).not.toContain('RefreshRequest');
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
