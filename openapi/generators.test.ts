// What code generators stumble over: they make `unknown` of a constant without a type, and no valid name of a range of statuses.
import { expect, test } from 'vitest';
import { contract } from './contract.ts';
import { type Description, dereference } from './description.ts';
import type { Json } from './json.ts';
import { formatPointer } from './json-pointer.ts';
import { loadProfile } from './profile.ts';
import { resolve } from './resolve.ts';
import { profileNames } from './testing/profile-names.ts';

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
