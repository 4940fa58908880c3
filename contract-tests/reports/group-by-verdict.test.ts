import { expect, test } from 'vitest';
import {
  groupByVerdict,
  headlineOf,
  outdatedEntries,
  sayLeftover,
  sayObserved,
  sayValue,
} from './group-by-verdict.ts';
import type { Report } from './report.ts';
import { broken, expectedFailure, failed, passed, reportOf, unverified } from './testing.ts';

const stale = {
  file: 'known.yaml',
  count: 0,
  stale: [{ id: 'ENV-1', line: 1, reason: 'x', until: null }],
  expired: [],
};
const aborted = { kind: 'unreachable', reason: 'nobody is there' } as const;
const held = { passed: 1, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0 };

test.for<[string, Partial<Report>]>([
  ['The deployment breaks 1 promise', { requirements: [failed, broken], expected_failures: stale }],
  ['The deployment breaks 2 promises', { requirements: [failed, failed], aborted }],
  ['The deployment could not be tested; nothing is said of it', { requirements: [unverified], aborted }],
  [
    'The settings of the run are wrong; nothing is said of the deployment',
    { requirements: [unverified], aborted: { kind: 'credentials', reason: 'x' } },
  ],
  [
    '1 error of the suite itself',
    { requirements: [broken, passed], summary: held, expected_failures: stale },
  ],
  [
    'The file of expected failures is out of date',
    { requirements: [passed], summary: held, expected_failures: stale },
  ],
  ['Nothing was verified', { requirements: [unverified] }],
  ['Every requirement that was verified holds', { requirements: [passed, unverified], summary: held }],
  ['Every failure was expected', { requirements: [passed, expectedFailure], summary: held }],
])('the headline is "%s"', ([want, part]) => {
  expect(headlineOf(reportOf(part))).toBe(want);
});

test('groups the worst first, and has no empty group', () => {
  const groups = groupByVerdict(reportOf({ requirements: [passed, expectedFailure, failed] }));
  expect(groups.map(({ verdict }) => verdict)).toEqual(['failed', 'expected', 'passed']);
});

test('has no word on expected failures where no file was given', () => {
  expect(outdatedEntries(reportOf({}))).toEqual([]);
});

test.for([
  [{ what: 'subscription', id: 7, site: 101, target: 'http://x' }, 'subscription 7 on site 101: http://x'],
  [{ what: 'site', id: null, site: null, target: '' }, 'site of unknown identifier'],
] as const)('says of a leftover %j: %s', ([leftover, want]) => {
  expect(sayLeftover(leftover)).toBe(want);
});

const gap = { id: 'x', source: 'default', outcome: 'drift' } as const;

test('shortens what a terminal or a table has no room for', () => {
  expect(sayValue({ ...gap, value: { a: 'x'.repeat(60) }, observed: null })).toBe(`{"a":"${'x'.repeat(54)}…`);
  expect(sayValue({ ...gap, value: { a: 1 }, observed: null })).toBe('{"a":1}');
  expect(sayObserved({ ...gap, value: 1, observed: 'x'.repeat(301) })).toBe(`${'x'.repeat(300)}… and more`);
  expect(sayObserved({ ...gap, value: 1, observed: null })).toBe('');
});
