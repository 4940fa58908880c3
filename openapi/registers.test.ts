import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { contract } from './contract.ts';
import { type Description, mediaTypeOf } from './description.ts';
import { codeOf, codesOf, statusOf } from './error-codes.ts';
import { eventNames } from './event-names.ts';
import type { Json } from './json.ts';
import { noProfile, parseProfile } from './profile.ts';
import { findGap, type Gap, gaps, idsOf, type Requirement, readRequirements } from './registers.ts';
import { readDescription } from './resolve.ts';
import { placeholdersOf } from './template.ts';

const requirements = readRequirements();
const ajv = new Ajv2020({ allErrors: true, strict: false });

test.for(['id', 'title', 'reading'] as const)('there are 81 requirements, each with its own %s', (member) => {
  expect(requirements).toHaveLength(81);
  expect(new Set(requirements.map((requirement) => requirement[member])).size).toBe(81);
});

const kinds = 'receiver|second-tenant|second-user|api-key|disruptive|expiry|wait:[1-9]\\d*[sm]';
const ofOperations = [...idsOf('operation'), 'operation.any-event'].map((id) => id.replace('.', ':'));
const needs = new RegExp(`^(${[kinds, ...ofOperations].join('|')})$`);

const sentenceEnd = /(?<=[.])"? (?=["A-Z])/;
const isPlain = (sentences: readonly string[]) =>
  sentences.length >= 2 && sentences.length <= 4 && sentences.every((one) => one.split(' ').length <= 25);

test.for<[string, (requirement: Requirement) => boolean]>([
  ['id', ({ id }) => /^[A-Z]+-[1-9]\d*$/.test(id)],
  ['section', ({ section }) => /^\d(\.\d)?(, \d(\.\d)?)*$/.test(section)],
  ['level', ({ level }) => ['documented', 'implied'].includes(level)],
  ['title', ({ title }) => title.trim() !== ''],
  ['quote', ({ quote }) => quote.trim() !== ''],
  ['reading that says what fails it', ({ reading }) => /^Fails if .{100,300}\.$/.test(reading)],
  [
    'reading of 2 to 4 sentences, each of 25 words at most',
    ({ reading }) => isPlain(reading.split(sentenceEnd)),
  ],
  ['known target', ({ target }) => [undefined, 'receiver'].includes(target)],
  ['list of known needs', (one) => one.needs.every((need) => needs.test(need))],
])('every requirement has a %s', ([, isRight]) => {
  expect(requirements.filter((requirement) => !isRight(requirement))).toEqual([]);
});

test('a refusal is documented only if a sentence limits or forbids the call', () => {
  const refusals = requirements.filter(
    ({ level, title }) => level === 'documented' && /refused|not six/.test(title),
  );
  expect(refusals.map(({ id }) => id)).toEqual(['KEY-2', 'LIMIT-2', 'LIMIT-6', 'LIMIT-8']);
});

test('readings name only existing gaps, events and requirements', () => {
  const known = new Set([...gaps, ...requirements].map(({ id }) => id).concat(eventNames));
  const named = requirements.flatMap(
    ({ reading }) => reading.match(/\b([a-z-]+\.[a-z.-]+[a-z]|[A-Z]+-\d+)\b/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('finds every gap by its distinct id', () => {
  expect(new Set(gaps.map(({ id }) => id)).size).toBe(gaps.length);
  expect(gaps.filter((gap) => findGap(gap.id) !== gap)).toEqual([]);
  expect(findGap('__proto__')).toBeUndefined();
});

const isOperation = ({ kind }: Gap) => kind === 'operation';
const hasTemplate = ({ kind }: Gap) => kind === 'template' || kind === 'operation';

test.for<[string, (gap: Gap) => boolean]>([
  ['an id', ({ id }) => /^[a-z-]+(\.[a-z-]+)+$/.test(id)],
  ['a section', ({ section }) => /^\d(\.\d)?$/.test(section)],
  ['a question', ({ question }) => /^[A-Z].*\?$/.test(question)],
  ['no empty probe', ({ probe }) => probe !== ''],
  ['a default that is one of its values', (gap) => ajv.validate(gap.schema, gap.default)],
  ['the default unknown if it is an operation', (gap) => !isOperation(gap) || gap.default === 'unknown'],
  ['fills only if it is of that kind', ({ fill, kind }) => !fill || kind === 'fill'],
  ['parts of calls only if it is one', (gap) => !(gap.reads ?? gap.query ?? gap.by) || isOperation(gap)],
  ['placeholders if it has a template', (gap) => 'placeholders' in gap === hasTemplate(gap)],
])('every gap has %s', ([, isRight]) => {
  expect(gaps.filter((gap) => !isRight(gap)).map(({ id }) => id)).toEqual([]);
});

test('a gap of the kind fill has a patch for each value', () => {
  const fills = gaps.filter(({ kind }) => kind === 'fill');
  expect(fills.length).toBeGreaterThan(0);
  expect(fills.map(({ fill }) => Object.keys(fill ?? {}))).toEqual(fills.map(({ schema }) => schema.enum));
});

test('`by` excludes the members of a call', () => {
  const value = { by: 'create-content', auth: 'none' };
  expect(ajv.validate(findGap('operation.publish-content')?.schema ?? {}, value)).toBe(false);
});

const descriptions = Object.entries(contract.descriptions);
const provisional = readDescription('provisional.yaml');

test.for(descriptions)('every mark in %s names a gap or a requirement', ([, description]) => {
  const known = requirements.map(({ id }) => id);
  expect(marksIn(description, 'x-requirement').filter((id) => !known.includes(id))).toEqual([]);
  expect(marksIn(description, 'x-gap').filter((id) => findGap(id) === undefined)).toEqual([]);
});

test('every gap that changes the description is marked in it, and no other', () => {
  const marked = new Set(descriptions.flatMap(([, description]) => marksIn(description, 'x-gap')));
  const wanted = gaps.filter(({ kind }) => kind !== 'behaviour').map(({ id }) => id);
  expect([...marked].sort()).toEqual(wanted.sort());
});

test('provisional operations are gaps, documented ones are not', () => {
  const marks = (name: 'site-publishing.yaml' | 'provisional.yaml') =>
    operationsIn(readDescription(name)).map(({ operation }) => findGap(String(operation['x-gap']))?.kind);
  expect([...new Set(marks('site-publishing.yaml'))]).toEqual([undefined]);
  expect([...new Set(marks('provisional.yaml'))]).toEqual(['operation']);
});

test('the described query parameters are exactly the allowed ones', () => {
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

test.for(idsOf('operation'))('the description of %s has its placeholders and answered values', (id) => {
  const gap = findGap(id);
  const { path, operation } = operationsIn(provisional).find((one) => one.operation['x-gap'] === id) ?? {};
  const body = mediaTypeOf(operation?.requestBody as Json | undefined)?.schema as Json | undefined;
  expect({
    placeholders: [...new Set([...placeholdersOf(path), ...Object.keys(body?.properties ?? {})])].sort(),
    reads: marksIn(operation?.responses, 'x-value').sort(),
  }).toEqual({ placeholders: gap?.placeholders?.toSorted(), reads: gap?.reads?.toSorted() });
});

const statuses = findGap('errors.http-status');
const codes = findGap('errors.codes');
const [, statusMap] = (statuses?.schema.oneOf ?? []) as Json[];
const allKinds = codesOf(noProfile).map(([kind]) => kind);

test.for([
  ['possible statuses', statusMap?.properties],
  ['conventional statuses', statuses?.conventional],
  ['possible codes', codes?.schema.properties],
  ['meanings', codes?.meanings],
] as const)('the %s cover the kinds of error', ([, map]) => {
  expect(Object.keys(map ?? {})).toEqual(allKinds);
});

test.for([
  ['rate-limited', '', 429, 42900],
  ['rate-limited', 'errors.http-status: always-200', 200, 42900],
  ['rate-limited', 'errors.http-status: { rate-limited: 503 }', 503, 42900],
  ['internal', 'errors.http-status: { rate-limited: 503 }', 500, 50000],
  ['rate-limited', 'errors.codes: { rate-limited: -7 }', 429, -7],
  ['internal', 'errors.codes: { rate-limited: -7 }', 500, 50000],
] as const)('%s under "%s" has the status %i and the code %i', ([kind, text, status, code]) => {
  const profile = parseProfile(text, 'a.yaml');
  expect([statusOf(profile, kind), codeOf(profile, kind)]).toEqual([status, code]);
});

test('23 kinds of error exist, and none has the code of a success', () => {
  expect(new Set(allKinds).size).toBe(23);
  expect(codesOf(noProfile).filter(([, code]) => code === 0)).toEqual([]);
});

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
