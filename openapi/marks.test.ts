// What the descriptions mark, and what the registers say, are the same things.
import { expect, test } from 'vitest';
import { contract } from './contract.ts';
import { type Description, mediaTypeOf } from './description.ts';
import type { Json } from './json.ts';
import { findGap, gaps, readRequirements } from './registers.ts';
import { readDescription } from './resolve.ts';
import { placeholdersOf } from './template.ts';

const descriptions = Object.entries(contract.descriptions);
const provisional = readDescription('provisional.yaml');

test.for(descriptions)('every mark in %s names a gap or a requirement', ([, description]) => {
  const known = readRequirements().map(({ id }) => id);
  expect(marksIn(description, 'x-requirement').filter((id) => !known.includes(id))).toEqual([]);
  expect(marksIn(description, 'x-gap').filter((id) => findGap(id) === undefined)).toEqual([]);
});

test('every gap that changes the description is marked in it, and no other', () => {
  const marked = new Set(descriptions.flatMap(([, description]) => marksIn(description, 'x-gap')));
  const wanted = gaps.filter(({ kind }) => kind !== 'behaviour').map(({ id }) => id);
  expect([...marked].sort()).toEqual(wanted.sort());
});

test('documented operations are no gaps, and provisional ones are', () => {
  const marks = (name: 'site-publishing.yaml' | 'provisional.yaml') =>
    operationsIn(readDescription(name)).map(({ operation }) => findGap(String(operation['x-gap']))?.kind);
  expect([...new Set(marks('site-publishing.yaml'))]).toEqual([undefined]);
  expect([...new Set(marks('provisional.yaml'))]).toEqual(['operation']);
});

test('every query parameter that is described may stand in a query, and every one that may is described', () => {
  const described = operationsIn(provisional).map(({ operation }) => [
    findGap(String(operation['x-gap']))?.query ?? [],
    ((operation.parameters ?? []) as Json[]).map(({ $ref }) => String($ref).split('/').at(-1)),
  ]);
  for (const [known, used] of described) expect(known).toEqual(expect.arrayContaining(used ?? []));
  const inQuery = Object.entries(provisional.components.parameters).filter(([, one]) => one.in === 'query');
  expect(inQuery.map(([name]) => name).sort()).toEqual(
    [...new Set(gaps.flatMap(({ query = [] }) => query))].sort(),
  );
});

test.for(gaps.filter(({ kind }) => kind === 'operation').map(({ id }) => id))(
  '%s is described with its placeholders and with what is read from its answer',
  (id) => {
    const gap = findGap(id);
    const { path, operation } = operationsIn(provisional).find((one) => one.operation['x-gap'] === id) ?? {};
    const body = mediaTypeOf(operation?.requestBody as Json | undefined)?.schema as Json | undefined;
    expect({
      placeholders: [...new Set([...placeholdersOf(path), ...Object.keys(body?.properties ?? {})])].sort(),
      reads: marksIn(operation?.responses, 'x-value').sort(),
    }).toEqual({ placeholders: gap?.placeholders?.toSorted(), reads: gap?.reads?.toSorted() });
  },
);

function operationsIn({ paths }: Description): { path: string; operation: Json }[] {
  return Object.entries(paths).flatMap(([path, { parameters: _shared, ...item }]) =>
    Object.values(item).map((operation) => ({ path, operation: operation as Json })),
  );
}

function marksIn(value: unknown, mark: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = mark in value ? [Reflect.get(value, mark)].flat().map(String) : [];
  return [...own, ...Object.values(value).flatMap((part) => marksIn(part, mark))];
}
