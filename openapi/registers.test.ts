import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { eventNames } from './event-names.ts';
import { findGap, gaps, membersOf, readRequirements } from './registers.ts';

const requirements = readRequirements();
const ajv = new Ajv2020({ allErrors: true, strict: false });

test('there are 81 requirements with distinct ids', () => {
  expect(requirements).toHaveLength(81);
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(81);
});

test('every requirement is stated in full', () => {
  const malformed = requirements.filter(
    ({ id, section, level, title, quote }) =>
      !/^[A-Z]+-[1-9]\d*$/.test(id) ||
      !/^\d(\.\d)?(, \d(\.\d)?)*$/.test(section) ||
      !['documented', 'implied'].includes(level) ||
      title.trim() === '' ||
      quote.trim() === '',
  );
  expect(malformed).toEqual([]);
});

test('that a call is refused is documented only where a sentence limits or forbids it', () => {
  const refusals = requirements.filter(
    ({ level, title }) => level === 'documented' && /refused|no sixth/.test(title),
  );
  expect(refusals.map(({ id }) => id)).toEqual(['KEY-2', 'LIMIT-2', 'LIMIT-6', 'LIMIT-8']);
});

test('every sentence has a reading that says what fails it, in few words', () => {
  const unlike = requirements.filter(({ reading = '' }) => !/^Fails where .{80,230}\.$/.test(reading));
  expect(unlike.map(({ id, reading }) => `${id}: ${reading}`)).toEqual([]);
  expect(new Set(requirements.map(({ reading }) => reading)).size).toBe(81);
});

test('a reading names no gap, remark or requirement that there is not', () => {
  const known = new Set([...gaps.map(({ id }) => id), ...requirements.map(({ id }) => id)]);
  const named = requirements.flatMap(({ id, reading }) =>
    [...reading.matchAll(/\b([a-z-]+\.[a-z.-]+[a-z]|[A-Z]+-\d+)\b/g)].map(([, name = '']) => ({ id, name })),
  );
  const events: readonly string[] = eventNames;
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => !known.has(name) && !events.includes(name))).toEqual([]);
});

test('no two requirements have the same title', () => {
  expect(new Set(requirements.map(({ title }) => title)).size).toBe(81);
});

test('requirements need nothing but what is known', () => {
  const kinds = ['receiver', 'second-tenant', 'second-user', 'api-key', 'disruptive', 'expiry'];
  const operations = gaps.filter(({ kind }) => kind === 'operation').map(({ id }) => id.replace('.', ':'));
  const known = [...kinds, ...operations, 'operation:any-event'];
  const unknown = requirements
    .flatMap(({ needs }) => needs)
    .filter((need) => !known.includes(need) && !/^wait:[1-9]\d*[sm]$/.test(need));
  expect(unknown).toEqual([]);
});

test('requirements are of the service, but for one receiver', () => {
  expect([...new Set(requirements.map(({ target }) => target))]).toEqual([undefined, 'receiver']);
});

test('every gap is found by its distinct id', () => {
  expect(new Set(gaps.map(({ id }) => id)).size).toBe(gaps.length);
  expect(gaps.filter((gap) => findGap(gap.id) !== gap)).toEqual([]);
  expect(findGap('__proto__')).toBeUndefined();
});

test('every gap is stated in full', () => {
  const malformed = gaps.filter(
    ({ id, section, question, probe }) =>
      !/^[a-z-]+(\.[a-z-]+)+$/.test(id) ||
      !/^\d(\.\d)?$/.test(section) ||
      !/^[A-Z].*\?$/.test(question) ||
      probe === '',
  );
  expect(malformed.map(({ id }) => id)).toEqual([]);
});

test('every gap has a default that is one of its values', () => {
  const wrong = gaps.filter(({ schema, default: guess }) => !ajv.validate(schema, guess));
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test('an operation is unknown unless a profile states it', () => {
  const operations = gaps.filter(({ kind }) => kind === 'operation');
  expect(operations).toHaveLength(25);
  expect([...new Set(operations.map((gap) => gap.default))]).toEqual(['unknown']);
});

test('a gap of the kind fill says what each of its values puts in', () => {
  const fills = gaps.filter(({ kind }) => kind === 'fill');
  expect(fills.length).toBeGreaterThan(0);
  const stated = Object.fromEntries(fills.map(({ id, fill }) => [id, Object.keys(fill ?? {})]));
  expect(stated).toEqual(Object.fromEntries(fills.map(({ id, schema }) => [id, schema.enum])));
});

test('fields that only one kind of gap has stand at no other', () => {
  const strays = gaps.filter(
    (gap) =>
      (gap.fill !== undefined && gap.kind !== 'fill') ||
      (gap.reads !== undefined && gap.kind !== 'operation') ||
      (gap.query !== undefined && gap.kind !== 'operation') ||
      (gap.by !== undefined && gap.kind !== 'operation') ||
      (gap.placeholders !== undefined) !== ['template', 'operation'].includes(gap.kind),
  );
  expect(strays.map(({ id }) => id)).toEqual([]);
});

test('the value of an operation has the members of every call, and what is read from its answer', () => {
  const gap = findGap('operation.list-sites') ?? expect.fail('there is no such gap');
  const ofEveryCall = ['method', 'path', 'auth', 'body', 'query', 'status'];
  expect(membersOf(gap)).toEqual([...ofEveryCall, 'list', 'total', 'next', 'item.id', 'item.name']);
});

const call = { method: 'POST', path: '/tenant/sites' };

// What each member may be, profile.test.ts tries by the same schema.
test.for([
  ['create-site', 'not-offered', true],
  ['create-site', 'unknown', true],
  ['create-site', call, true],
  ['create-site', { ...call, auth: 'none', status: 201, body: {}, id: '/data/id' }, true],
  ['create-site', { ...call, query: { site: '{siteID}' } }, true],
  ['create-site', 'offered', false],
  ['create-site', { method: 'POST' }, false],
  ['create-site', { ...call, path: 'tenant' }, false],
  ['create-site', { ...call, status: 404 }, false],
  ['create-site', { ...call, version: '/data/version' }, false],
  ['create-site', { by: 'create-content' }, false],
  ['publish-content', { by: 'create-content' }, true],
  ['publish-content', { by: 'create-content', auth: 'none' }, false],
] as const)('that operation.%s may be %j is %j', ([name, value, want]) => {
  expect(ajv.validate(findGap(`operation.${name}`)?.schema ?? false, value)).toBe(want);
});
