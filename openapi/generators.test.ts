// What code generators stumble over: they make `unknown` of a constant without a type, and no valid name of a range of statuses.
import { expect, test } from 'vitest';
import { contract } from './contract.ts';
import { type Description, dereference } from './description.ts';
import type { Json } from './json.ts';
import { formatPointer } from './json-pointer.ts';
import { loadProfile } from './profile.ts';
import { resolve } from './resolve.ts';
import { profileNames } from './testing/profile-names.ts';

const descriptions: readonly (readonly [string, unknown])[] = [
  ...Object.entries(contract.descriptions),
  ...profileNames.map((name) => [`the profile ${name}`, resolve(loadProfile(name))] as const),
];
// provisional.yaml refers to parameters of the other file.
const resolvedOnes = descriptions.filter(([name]) => name !== 'provisional.yaml');

test.for(descriptions)(
  'in %s a type stands beside each const and enum, and in each part of an allOf',
  ([, one]) => {
    expect(untypedIn(one)).toEqual([]);
  },
);

test.for(descriptions)('%s has no range of statuses among the answers of its operations', ([, one]) => {
  const { paths } = one as { paths: Record<string, Record<string, { responses?: object }>> };
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const statuses = operations.flatMap(({ responses = {} }) => Object.keys(responses));
  expect(statuses.length).toBeGreaterThan(3);
  expect(statuses.filter((status) => !/^\d{3}$|^default$/.test(status))).toEqual([]);
});

test.for(resolvedOnes)('%s states no parameter twice', ([, one]) => {
  expect(statedTwice(one as Description)).toEqual([]);
});

test.for(descriptions)('in %s nothing that says more stands beside an allOf', ([, one]) => {
  expect(besideAllOf(one)).toEqual([]);
});

test.for(descriptions)('%s has a server with a whole address, without variables', ([, one]) => {
  const { servers } = one as { servers: { url: string }[] };
  expect(servers.map(({ url }) => URL.canParse(url))).toEqual([true]);
});

test.for(descriptions)('in %s each of several answers has a name', ([, one]) => {
  expect(JSON.stringify(one)).not.toMatch(/"oneOf":\[\{"allOf"/);
});

const parameter = { name: 'a', in: 'path' };
const item = { parameters: [parameter], get: { operationId: 'x', parameters: [parameter] } };
const parts = [{ $ref: '#/x' }, { minLength: 1 }, { type: 'string', pattern: 'x' }];

test.for([
  ['a parameter that is stated twice', statedTwice({ paths: { '/a': item } } as never), ['x: path a']],
  ['what stands beside an allOf', besideAllOf({ a: { allOf: parts, properties: {} } }), ['/a']],
  ['a const without a type', untypedIn({ a: { const: 1 }, b: { enum: ['x'], type: 'string' } }), ['/a']],
  ['a part of an allOf without a type', untypedIn({ c: { allOf: parts } }), ['/c/allOf/1']],
] as const)('%s is found', ([, found, want]) => {
  expect(found).toEqual(want);
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
