import { expect, test } from 'vitest';
import { contract } from './contract.ts';
import { type Description, dereference } from './description.ts';
import type { Json } from './json.ts';
import { formatPointer, getAt } from './json-pointer.ts';
import { loadProfile, noProfile, parseProfile } from './profile.ts';
import { readDescription, resolve } from './resolve.ts';
import { profileNames } from './testing/profile-names.ts';

test('the default profile moves no operation', () => {
  const { paths } = resolve(loadProfile('default'));
  const canonical = (['site-publishing.yaml', 'provisional.yaml'] as const).flatMap((file) =>
    Object.keys(readDescription(file).paths),
  );
  expect(new Set(Object.keys(paths))).toEqual(new Set(canonical));
});

test('omits tags without an operation', () => {
  const tagsUnder = (name: string) => (resolve(loadProfile(name)).tags as Json[]).map((tag) => tag.name);
  expect(tagsUnder('documented-only')).toEqual(['authentication', 'webhooks']);
  expect(tagsUnder('nested-201-uuid')).toEqual(['authentication', 'webhooks', 'sites', 'subscriptions']);
});

test.for(profileNames)('%s leaves no values for the next profile', (name) => {
  // A new object each time, because each profile object has one description.
  const before = JSON.stringify(resolve({ ...loadProfile('default') }));
  resolve({ ...loadProfile(name) });
  expect(JSON.stringify(resolve({ ...loadProfile('default') }))).toBe(before);
});

test('the template none withdraws a body, and its schema', () => {
  const { paths, components } = resolve(noProfile);
  expect(getAt(paths['/auth/refresh'], '/post/requestBody')).toBeUndefined();
  expect(Object.keys(components.schemas)).not.toContain('RefreshRequest');
});

test('puts a success and a failure under one key if every status is 200', () => {
  const { paths } = resolve(parseProfile('errors.http-status: always-200\nlogin.status: 201', 'a.yaml'));
  const responses = (path: string) => getAt(paths[path], '/post/responses') as Record<string, Json>;
  expect(Object.keys(responses('/auth/refresh'))).toEqual(['200']);
  expect(getAt(responses('/auth/refresh'), '/200/content/application~1json/schema')).toEqual({
    oneOf: [{ $ref: '#/components/schemas/RefreshSuccess' }, { $ref: '#/components/schemas/Failure' }],
  });
  expect(Object.keys(responses('/auth/tenant/login'))).toEqual(['200', '201']);
  expect(responses('/auth/tenant/login')['200']).toEqual({ $ref: '#/components/responses/Failure' });
});

test('puts both under one status if a failure has the status of a success', () => {
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
] as const)('describes a failure with data %s', ([form, want]) => {
  const { schemas, responses } = resolve(parseProfile(`errors.data: ${form}`, 'a.yaml')).components;
  const data = getAt(schemas, '/Failure/allOf/1/properties/data');
  if (want) expect(data).toMatchObject(want);
  else expect(data).toBeUndefined();
  const example = getAt(responses, '/Failure/content/application~1json/examples/refused/value') as Json;
  expect(example).toMatchObject({ code: 40100 });
  expect('data' in example).toBe(form !== 'absent');
});

// Code generators turn a constant without a type into `unknown`, and a range of statuses into an invalid name.
// The default profile includes everything of the two other descriptions.
test.for<[string, unknown]>([
  ['mock-control.yaml', contract.descriptions['mock-control.yaml']],
  ...profileNames.map((name): [string, unknown] => [`the profile ${name}`, resolve(loadProfile(name))]),
])('code generators can read %s', ([, one]) => {
  const description = one as Description & { servers: { url: string }[] };
  expect([...oddSchemas(description), ...oddOperations(description)]).toEqual([]);
  expect(description.servers.map(({ url }) => URL.canParse(url))).toEqual([true]);
});

test('finds all of these', () => {
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

/** Finds parameters that are stated twice, and ranges of statuses. */
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

/** Finds schemas without a type, with members next to `allOf`, or without a name among alternatives. */
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
