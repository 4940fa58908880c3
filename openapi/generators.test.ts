// What code generators stumble over: they make `unknown` of a constant without a type, and no valid name of a range of statuses.
import { expect, test } from 'vitest';
import { contract } from './contract.ts';
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

test('finds what has no type', () => {
  const parts = [{ $ref: '#/x' }, { minLength: 1 }, { type: 'string', pattern: 'x' }];
  expect(untypedIn({ a: { const: 1 }, b: { enum: ['x'], type: 'string' }, c: { allOf: parts } })).toEqual([
    '/a',
    '/c/allOf/1',
  ]);
});

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
