import { expect, test } from 'vitest';
import { contract } from './contract.ts';
import { type Description, dereference } from './description.ts';
import type { Json } from './json.ts';
import { formatPointer, getAt } from './json-pointer.ts';
import { operationsOf } from './operations.ts';
import { loadProfile, noProfile, parseProfile } from './profile.ts';
import { gaps } from './registers.ts';
import { readDescription, resolve } from './resolve.ts';
import { profileNames } from './testing/profile-names.ts';

test('under the default profile, every operation stands where it is described', () => {
  const { paths } = resolve(loadProfile('default'));
  const canonical = (['site-publishing.yaml', 'provisional.yaml'] as const).flatMap((file) =>
    Object.keys(readDescription(file).paths),
  );
  expect(new Set(Object.keys(paths))).toEqual(new Set(canonical));
  const offered = gaps.filter(({ kind }) => kind === 'operation').length + 4;
  expect(operationsOf(resolve(loadProfile('default')))).toHaveLength(offered);
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

test('examples follow what is moved, renamed, filled and left out', () => {
  const description = resolve(loadProfile('nested-201-uuid'));
  const example = (message: string, name: string) =>
    getAt(description, `${message}/content/application~1json/examples/${name}/value`) as Json;
  const hooks = '/paths/~1tenant~1sites~1{siteID}~1webhooks/post';
  expect(example(`${hooks}/requestBody`, 'signed')).toEqual({
    target_url: 'https://hooks.harbour-cafe.example/sitepub',
    event_names: ['publish.complete', 'publish.failed'],
    type: 'custom',
    signing_key: "It's a Secret to Everybody",
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

// Code generators make `unknown` of a constant without a type, and no valid name of a range of statuses.
// Under the default profile stands all that is written by hand in the two other descriptions.
test.for<[string, unknown]>([
  ['mock-control.yaml', contract.descriptions['mock-control.yaml']],
  ...profileNames.map((name): [string, unknown] => [`the profile ${name}`, resolve(loadProfile(name))]),
])('code generators find nothing to stumble over in %s', ([, one]) => {
  const description = one as Description & { servers: { url: string }[] };
  expect([...oddSchemas(description), ...oddOperations(description)]).toEqual([]);
  expect(description.servers.map(({ url }) => URL.canParse(url))).toEqual([true]);
});

test('all of that is found', () => {
  const parameter = { name: 'a', in: 'path' };
  const get = { operationId: 'x', parameters: [parameter], responses: { 200: {}, '4XX': {} } };
  const parts = [{ $ref: '#/x' }, { minLength: 1 }, { type: 'string', pattern: 'x' }];
  const schemas = {
    a: { const: 1 },
    b: { enum: ['x'], type: 'string' },
    c: { allOf: parts, properties: {} },
  };
  expect(oddSchemas({ schemas, either: { oneOf: [{ allOf: [] }] } })).toEqual([
    'no type at /schemas/a',
    'a member beside allOf at /schemas/c',
    'no type at /schemas/c/allOf/1',
    'no name at /either/oneOf/0',
  ]);
  expect(oddOperations({ paths: { '/a': { parameters: [parameter], get } } } as never)).toEqual([
    'x: path a',
    'x: 4XX',
  ]);
});

/** The parameters that an operation and its path both state, or one of them twice, and the ranges of statuses. */
function oddOperations(description: Description): string[] {
  return Object.values(description.paths).flatMap(({ parameters: shared = [], ...item }) =>
    Object.values(item).flatMap((one) => {
      const { operationId, parameters = [], responses } = one as Json;
      const names = [...(shared as Json[]), ...(parameters as Json[])]
        .map((parameter) => dereference(description, parameter))
        .map(({ in: place, name }) => `${place} ${name}`);
      const twice = names.filter((name, index) => names.indexOf(name) < index);
      const ranges = Object.keys(responses as Json).filter((status) => !/^\d{3}$|^default$/.test(status));
      return [...twice, ...ranges].map((what) => `${operationId}: ${what}`);
    }),
  );
}

/** Schemas that do not say of which type a value is, have members beside what they build on, or lack a name among several. */
function oddSchemas(node: unknown, at: readonly string[] = []): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const schema = node as Json;
  const [holder, index] = at.slice(-2);
  const isValue = 'const' in schema || Array.isArray(schema.enum);
  const isPart = holder === 'allOf' && !schema.$ref && !schema.if;
  const isMixed = 'allOf' in schema && ('properties' in schema || 'required' in schema);
  const found = [
    ...((isValue || isPart) && !schema.type ? ['no type'] : []),
    ...(isMixed ? ['a member beside allOf'] : []),
    ...(holder === 'oneOf' && index === '0' && 'allOf' in schema ? ['no name'] : []),
  ];
  const inside = Object.entries(schema).filter(([key]) => !/^(examples?|not|if|x-.*)$/.test(key));
  return [
    ...found.map((what) => `${what} at ${formatPointer(at)}`),
    ...inside.flatMap(([key, child]) => oddSchemas(child, [...at, key])),
  ];
}
