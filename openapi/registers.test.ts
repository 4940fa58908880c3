import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { eventNames } from './event-names.ts';
import {
  findGap,
  type Gap,
  gaps,
  idsOf,
  membersOf,
  type Requirement,
  readRequirements,
} from './registers.ts';

const requirements = readRequirements();
const ajv = new Ajv2020({ allErrors: true, strict: false });

test.for(['id', 'title', 'reading'] as const)('there are 81 requirements, each with its own %s', (member) => {
  expect(requirements).toHaveLength(81);
  expect(new Set(requirements.map((requirement) => requirement[member])).size).toBe(81);
});

const kinds = 'receiver|second-tenant|second-user|api-key|disruptive|expiry|wait:[1-9]\\d*[sm]';
const ofOperations = [...idsOf('operation'), 'operation.any-event'].map((id) => id.replace('.', ':'));
const needs = new RegExp(`^(${[kinds, ...ofOperations].join('|')})$`);

test.for<[string, (requirement: Requirement) => boolean]>([
  ['id', ({ id }) => /^[A-Z]+-[1-9]\d*$/.test(id)],
  ['section', ({ section }) => /^\d(\.\d)?(, \d(\.\d)?)*$/.test(section)],
  ['level', ({ level }) => ['documented', 'implied'].includes(level)],
  ['title', ({ title }) => title.trim() !== ''],
  ['quote', ({ quote }) => quote.trim() !== ''],
  ['reading that says what fails it', ({ reading }) => /^Fails where .{80,230}\.$/.test(reading)],
  ['list of known needs', (one) => one.needs.every((need) => needs.test(need))],
])('every requirement has a %s', ([, isRight]) => {
  expect(requirements.filter((requirement) => !isRight(requirement))).toEqual([]);
});

test('that a call is refused is documented only where a sentence limits or forbids it', () => {
  const refusals = requirements.filter(
    ({ level, title }) => level === 'documented' && /refused|no sixth/.test(title),
  );
  expect(refusals.map(({ id }) => id)).toEqual(['KEY-2', 'LIMIT-2', 'LIMIT-6', 'LIMIT-8']);
});

test('a reading names no gap, event or requirement that there is not', () => {
  const known = new Set([...gaps, ...requirements].map(({ id }) => id).concat(eventNames));
  const named = requirements.flatMap(
    ({ reading }) => reading.match(/\b([a-z-]+\.[a-z.-]+[a-z]|[A-Z]+-\d+)\b/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('requirements are of the service, but for one receiver', () => {
  expect([...new Set(requirements.map(({ target }) => target))]).toEqual([undefined, 'receiver']);
});

test('every gap is found by its distinct id', () => {
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
  ['fills only where it is of that kind', ({ fill, kind }) => !fill || kind === 'fill'],
  ['parts of calls only where it is one', (gap) => !(gap.reads ?? gap.query ?? gap.by) || isOperation(gap)],
  ['placeholders where it has a template', (gap) => 'placeholders' in gap === hasTemplate(gap)],
])('every gap has %s', ([, isRight]) => {
  expect(gaps.filter((gap) => !isRight(gap)).map(({ id }) => id)).toEqual([]);
});

test('an operation is unknown unless a profile states it', () => {
  const operations = gaps.filter(isOperation);
  expect(operations).toHaveLength(25);
  expect([...new Set(operations.map((gap) => gap.default))]).toEqual(['unknown']);
});

test('a gap of the kind fill says what each of its values puts in', () => {
  const fills = gaps.filter(({ kind }) => kind === 'fill');
  expect(fills.length).toBeGreaterThan(0);
  expect(fills.map(({ fill }) => Object.keys(fill ?? {}))).toEqual(fills.map(({ schema }) => schema.enum));
});

test('the value of an operation has the members of every call, and what is read from its answer', () => {
  const gap = findGap('operation.list-sites') ?? expect.fail('there is no such gap');
  const ofEveryCall = ['method', 'path', 'auth', 'body', 'query', 'status'];
  expect(membersOf(gap)).toEqual([...ofEveryCall, 'list', 'total', 'next', 'item.id', 'item.name']);
});

const call = { method: 'POST', path: '/tenant/sites' };

// What each member may be, profile.test.ts tries by the same schema.
test.for([
  ['create-site', 'unknown', true],
  ['create-site', { ...call, auth: 'none', status: 201, body: {}, id: '/data/id' }, true],
  ['create-site', 'offered', false],
  ['create-site', { ...call, status: 404 }, false],
  ['create-site', { ...call, version: '/data/version' }, false],
  ['create-site', { by: 'create-content' }, false],
  ['publish-content', { by: 'create-content' }, true],
  ['publish-content', { by: 'create-content', auth: 'none' }, false],
] as const)('that operation.%s may be %j is %j', ([name, value, want]) => {
  expect(ajv.validate(findGap(`operation.${name}`)?.schema ?? false, value)).toBe(want);
});
