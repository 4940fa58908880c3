// What code generators stumble over: they make `unknown` of a constant without a type, and no valid name of a range of statuses.
import { expect, test } from 'vitest';
import { contract } from './contract.ts';
import { type Description, dereference } from './description.ts';
import type { Json } from './json.ts';
import { formatPointer } from './json-pointer.ts';
import { loadProfile } from './profile.ts';
import { resolve } from './resolve.ts';

const profiles = [
  'default',
  'documented-only',
  'always-200-camel-case',
  'nested-201-uuid',
  'flags-and-cursors',
];
const descriptions: readonly (readonly [string, unknown])[] = [
  ...Object.entries(contract.descriptions),
  ...profiles.map((name) => [`the profile ${name}`, resolve(loadProfile(name))] as const),
];
// provisional.yaml refers to parameters of the other file.
const resolvedOnes = descriptions.filter(([name]) => name !== 'provisional.yaml');

test.for(descriptions)(
  'in %s a type stands beside each const and enum, and in each part of an allOf',
  ([, description]) => {
    expect(untypedIn(description)).toEqual([]);
  },
);

test.for(descriptions)(
  '%s has no range of statuses among the answers of its operations',
  ([, description]) => {
    const { paths } = description as { paths: Record<string, Record<string, { responses?: object }>> };
    const statuses = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ responses = {} }) => Object.keys(responses)),
    );
    expect(statuses.length).toBeGreaterThan(3);
    expect(statuses.filter((status) => !/^\d{3}$|^default$/.test(status))).toEqual([]);
  },
);

test.for(resolvedOnes)('%s states no parameter twice', ([, description]) => {
  expect(statedTwice(description as Description)).toEqual([]);
});

test.for(descriptions)('in %s nothing that says more stands beside an allOf', ([, description]) => {
  expect(besideAllOf(description)).toEqual([]);
});

test.for(descriptions)('%s has a server with a whole address, without variables', ([, description]) => {
  const { servers } = description as { servers: { url: string }[] };
  expect(servers.map(({ url }) => URL.canParse(url))).toEqual([true]);
});

test.for(descriptions)('in %s each of several answers has a name', ([, description]) => {
  const text = JSON.stringify(description);
  expect(text).not.toMatch(/"oneOf":\[\{"allOf"/);
});

test('finds what is stated twice, and what stands beside an allOf', () => {
  const parameter = { name: 'a', in: 'path' };
  const item = { parameters: [parameter], get: { operationId: 'x', parameters: [parameter] } };
  expect(statedTwice({ paths: { '/a': item } } as never)).toEqual(['x: path a']);
  expect(besideAllOf({ a: { allOf: [{ $ref: '#/x' }], properties: {} } })).toEqual(['/a']);
});

test('finds what has no type', () => {
  const parts = [{ $ref: '#/x' }, { minLength: 1 }, { type: 'string', pattern: 'x' }];
  expect(untypedIn({ a: { const: 1 }, b: { enum: ['x'], type: 'string' }, c: { allOf: parts } })).toEqual([
    '/a',
    '/c/allOf/1',
  ]);
});

/** The parameters that an operation and its path both state, or one of them twice. */
function statedTwice(description: Description): string[] {
  return Object.values(description.paths).flatMap(({ parameters: shared = [], ...item }) =>
    Object.values(item).flatMap((one) => {
      const { operationId, parameters = [] } = one as Json;
      const names = [...(shared as Json[]), ...(parameters as Json[])]
        .map((parameter) => dereference(description, parameter))
        .map(({ in: place, name }) => `${operationId}: ${place} ${name}`);
      return names.filter((name, index) => names.indexOf(name) < index);
    }),
  );
}

/** JSON Pointers to the schemas whose own properties stand beside what they build on, where some generators pass over them. */
function besideAllOf(node: unknown, at: readonly string[] = []): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const isMixed = 'allOf' in node && ('properties' in node || 'required' in node);
  const inside = Object.entries(node).filter(([key]) => !/^(examples?|x-.*)$/.test(key));
  return [
    ...(isMixed ? [formatPointer(at)] : []),
    ...inside.flatMap(([key, child]) => besideAllOf(child, [...at, key])),
  ];
}

/** JSON Pointers to the schemas that say what a value is, and not of which type. */
function untypedIn(node: unknown, at: readonly string[] = []): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const schema = node as Json;
  const isUntyped = ('const' in schema || Array.isArray(schema.enum)) && schema.type === undefined;
  const parts = Array.isArray(schema.allOf) ? (schema.allOf as Json[]) : [];
  const loose = [...parts.entries()].filter(
    ([, { $ref, type, if: condition }]) => !$ref && !type && !condition,
  );
  const inside = Object.entries(schema).filter(([key]) => !/^(examples?|not|if|x-.*)$/.test(key));
  return [
    ...(isUntyped ? [formatPointer(at)] : []),
    ...loose.map(([index]) => formatPointer([...at, 'allOf', String(index)])),
    ...inside.flatMap(([key, child]) => untypedIn(child, [...at, key])),
  ];
}
