import { expect, test } from 'vitest';
import type { CheckOutcome, Outcome } from '../core/outcomes.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import { codeOfComparison, compareGaps, compareReports, compareTimes } from './compare-reports.ts';
import type { Comparison } from './comparison.ts';
import type { Report } from './report.ts';
import type { TimesReport } from './report-facts.ts';
import { reportOf, requirementWith, sample } from './testing.ts';

type Checks = Readonly<Record<string, CheckOutcome>>;

/** One requirement with these checks in each of two reports of the same version. */
function compare(
  before: Checks | null,
  after: Checks | null,
  change: (after: Report) => Report = (one) => one,
) {
  const report = (checks: Checks | null) =>
    reportOf({ requirements: checks === null ? [] : [requirementWith('HOOK-1', checks)] });
  return compareReports(report(before), change(report(after)));
}

function kindsOf(comparison: Comparison): string[] {
  const {
    before: _before,
    after: _after,
    notices: _notices,
    gaps: _gaps,
    times: _times,
    ...kinds
  } = comparison;
  return Object.entries(kinds)
    .filter(([, changes]) => changes.length > 0)
    .map(([kind]) => kind);
}

test.for<[string, Checks | null, Checks | null, string[], 0 | 1 | 3]>([
  ['nothing', { a: 'passed' }, { a: 'passed' }, [], 0],
  ['a failure of what passed', { a: 'passed' }, { a: 'failed' }, ['regressed'], 1],
  [
    'a failure of a check that passed, of a part',
    { a: 'passed', b: 'not-verified' },
    { a: 'failed' },
    ['regressed'],
    1,
  ],
  [
    'another failure of what failed',
    { a: 'failed', b: 'passed' },
    { a: 'failed', b: 'failed' },
    ['regressed'],
    1,
  ],
  ['a new check that fails', { a: 'passed' }, { a: 'passed', b: 'failed' }, ['regressed'], 1],
  ['the same failure', { a: 'failed', b: 'passed' }, { a: 'failed', b: 'passed' }, ['still_failing'], 0],
  ['a failure of what was not verified', { a: 'not-verified' }, { a: 'failed' }, ['newly_failed'], 0],
  [
    'a failure of the part that was not verified',
    { a: 'passed', b: 'not-verified' },
    { a: 'passed', b: 'failed' },
    ['newly_failed'],
    0,
  ],
  ['a failure of a requirement that was not there', null, { a: 'failed' }, ['newly_failed'], 0],
  ['what is not verified', { a: 'passed' }, { a: 'not-verified' }, ['no_longer_verified'], 3],
  ['what has an error', { a: 'passed' }, { a: 'error' }, ['no_longer_verified'], 3],
  ['what was left out', { a: 'passed' }, {}, ['no_longer_verified'], 3],
  ['a check that was left out', { a: 'passed', b: 'passed' }, { a: 'passed' }, ['no_longer_verified'], 3],
  ['a requirement that is not there', { a: 'passed' }, null, ['no_longer_verified'], 3],
  [
    'a part that is not verified',
    { a: 'passed', b: 'passed' },
    { a: 'passed', b: 'not-verified' },
    ['no_longer_verified'],
    3,
  ],
  [
    'another part that is not verified',
    { a: 'passed', b: 'not-verified', c: 'passed' },
    { a: 'passed', b: 'passed', c: 'not-verified' },
    ['no_longer_verified'],
    3,
  ],
  ['a failure that nobody looked at', { a: 'failed' }, { a: 'not-verified' }, ['no_longer_verified'], 3],
  [
    'a failure beside which something passes',
    { a: 'failed', b: 'passed' },
    { a: 'not-verified', b: 'passed' },
    ['no_longer_verified'],
    3,
  ],
  ['what has no object any more', { a: 'passed', b: 'passed' }, { a: 'passed', b: 'not-applicable' }, [], 0],
  ['what passes', { a: 'not-verified' }, { a: 'passed' }, ['newly_passed'], 0],
  [
    'a part that passes',
    { a: 'not-verified', b: 'not-verified' },
    { a: 'passed', b: 'not-verified' },
    ['newly_passed'],
    0,
  ],
  ['a failure that was mended', { a: 'failed' }, { a: 'passed' }, ['newly_passed'], 0],
  [
    'a failure that was mended in part',
    { a: 'failed', b: 'not-verified' },
    { a: 'passed', b: 'not-verified' },
    ['newly_passed'],
    0,
  ],
  ['what was and is not verified', { a: 'not-verified' }, {}, [], 0],
  ['what was not verified and is not there', { a: 'not-verified' }, null, [], 0],
])('finds %s', ([, before, after, want, code]) => {
  const comparison = compare(before, after);
  expect(kindsOf(comparison)).toEqual(want);
  expect(codeOfComparison(comparison)).toBe(code);
});

test('names what changed, with the checks and the reason', () => {
  const before = { a: 'passed', b: 'passed', c: 'passed' } as const;
  expect(compare(before, { a: 'passed', b: 'not-verified', c: 'passed' }).no_longer_verified).toEqual([
    {
      id: 'HOOK-1',
      title: 'The title of HOOK-1',
      before: 'passed',
      after: 'partly',
      reason: 'because of b',
      checks: ['b'],
      accepted: null,
    },
  ]);
  const [lost] = compare({ a: 'passed', b: 'passed' }, { a: 'passed' }).no_longer_verified;
  expect(lost).toMatchObject({ checks: ['b'], reason: 'left out by --only, --skip or the tier' });
});

test('a check that another version of the suite does not have is not lost', () => {
  const upgraded = (report: Report): Report => ({ ...report, tool: { ...report.tool, version: '9.0.0' } });
  expect(kindsOf(compare({ a: 'passed', b: 'passed' }, { a: 'passed' }, upgraded))).toEqual([]);
});

test('a failure that is accepted has regressed, and costs nothing', () => {
  const accepted = (report: Report): Report => ({
    ...report,
    requirements: report.requirements.map((one) => ({
      ...one,
      expected_failure: { reason: 'mended soon', until: null },
    })),
  });
  const comparison = compare({ a: 'passed' }, { a: 'failed' }, accepted);
  expect(comparison.regressed).toMatchObject([{ id: 'HOOK-1', accepted: 'mended soon' }]);
  expect(codeOfComparison(comparison)).toBe(0);
});

test('tells new notices from those that are gone', () => {
  const [, , unit] = sample.gaps;
  const other = {
    ...sample,
    gaps: unit ? [unit] : [],
    remarks: [{ id: 'greeting', what: 'x', count: 1, example: 'y' } as const],
  };
  const { notices } = compareReports(sample, other);
  expect(notices.new).toEqual([{ kind: 'remark', id: 'greeting', example: 'y' }]);
  expect(notices.gone.map(({ kind, id }) => [kind, id])).toEqual([
    ['drift', 'login.status'],
    ['drift', 'errors.codes'],
    ['remark', 'late'],
  ]);
});

test('a report and itself differ in nothing', () => {
  expect(kindsOf(compareReports(sample, sample))).toEqual(['still_failing']);
  expect(codeOfComparison(compareReports(sample, sample))).toBe(0);
});

test.for<[Outcome, Outcome, 0 | 1 | 3]>([
  ['passed', 'failed', 1],
  ['passed', 'partly', 3],
  ['partly', 'not-verified', 3],
  ['not-verified', 'partly', 0],
  ['partly', 'passed', 0],
])('from %s to %s, without any checks, is %i', ([before, after, want]) => {
  const report = (outcome: Outcome) =>
    reportOf({ requirements: [{ ...requirementWith('HOOK-1', {}), outcome, reason: 'x' }] });
  expect(codeOfComparison(compareReports(report(before), report(after)))).toBe(want);
});

const gap = (observed: string | null, outcome: GapReport['outcome'], value: unknown = 200): GapReport => ({
  id: 'login.status',
  value,
  source: 'profile',
  observed,
  outcome,
});
const agrees = gap('200', 'agrees');
const drift = gap('201', 'drift');
const unseen = gap(null, 'not-observed');

test.for<[string, GapReport | undefined, GapReport | undefined, string | undefined]>([
  ['the same', agrees, agrees, undefined],
  ['new drift', agrees, drift, 'drifts'],
  ['drift of what was not observed', unseen, drift, 'drifts'],
  ['drift of what the older report does not know', undefined, drift, 'drifts'],
  ['drift, with another value', gap('200', 'agrees', 200), gap('201', 'drift', 202), 'drifts'],
  ['drift that is gone', drift, agrees, 'drift-gone'],
  ['a profile that was mended', drift, gap('201', 'agrees', 201), 'drift-gone'],
  ['other drift', drift, gap('204', 'drift'), 'observed-otherwise'],
  ['what agrees otherwise', agrees, gap('200; 201', 'agrees'), 'observed-otherwise'],
  ['the same in another order', gap('1; 2', 'drift'), gap('2; 1', 'drift'), undefined],
  ['another value', agrees, gap('200', 'agrees', [200]), 'value'],
  ['an equal value', gap('x', 'agrees', { a: 1 }), gap('x', 'agrees', { a: 1 }), undefined],
  ['another value of what nobody saw', unseen, gap(null, 'not-observed', 201), 'value'],
  ['what is newly observed', unseen, agrees, 'newly-observed'],
  ['a gap that is new', undefined, agrees, 'newly-observed'],
  ['a gap that is new and not observed', undefined, unseen, undefined],
  ['what is no longer observed', agrees, unseen, 'no-longer-observed'],
  ['drift that is no longer observed', drift, unseen, 'no-longer-observed'],
  ['a gap that the newer report does not know', agrees, undefined, undefined],
])('finds %s', ([, before, after, want]) => {
  const reportWith = (one: GapReport | undefined) => reportOf({ gaps: one ? [one] : [] });
  expect(compareGaps(reportWith(before), reportWith(after)).map(({ kind }) => kind)).toEqual(
    want ? [want] : [],
  );
});

test('tells both states, new drift first', () => {
  const other = (id: string, one: GapReport) => ({ ...one, id });
  const [before, after] = [
    reportOf({ gaps: [other('a', unseen), other('b', agrees)] }),
    reportOf({ gaps: [other('a', agrees), other('b', drift)] }),
  ];
  const { id: _agrees, ...agreeing } = agrees;
  const { id: _drift, ...drifting } = drift;
  const { id: _unseen, ...hidden } = unseen;
  expect(compareGaps(before, after)).toEqual([
    { id: 'b', kind: 'drifts', before: agreeing, after: drifting },
    { id: 'a', kind: 'newly-observed', before: hidden, after: agreeing },
  ]);
  expect(compareGaps(sample, sample)).toEqual([]);
});

type Times = readonly [calls: number, median: number, p95: number];

const reportWith = (times: Times | undefined) => {
  const [calls, median_ms, p95_ms] = times ?? [0, 0, 0];
  const made: { times?: TimesReport } = times ? { times: { calls, median_ms, p95_ms } } : {};
  return reportOf({ coverage: [{ operation: 'login', statuses: [200], requests: 30, ...made }] });
};

test.for<[string, Times | undefined, Times | undefined, string[], string[]]>([
  ['the same', [5, 100, 100], [5, 100, 100], [], []],
  ['twice as long, and by 100 ms', [5, 100, 100], [5, 200, 200], ['median'], []],
  ['half as long', [5, 200, 200], [5, 100, 100], [], ['median']],
  ['less than twice', [5, 300, 300], [5, 599, 599], [], []],
  ['many times as long, and by less than 100 ms', [5, 1, 1], [5, 100, 100], [], []],
  ['from nothing', [5, 0, 0], [5, 100, 100], ['median'], []],
  ['of too few calls before', [4, 100, 100], [5, 900, 900], [], []],
  ['of too few calls now', [5, 100, 100], [4, 900, 900], [], []],
  ['slow answers alone', [20, 10, 50], [20, 10, 900], ['p95'], []],
  ['slow answers alone, of too few', [20, 10, 50], [19, 10, 900], [], []],
  ['slow answers that are gone', [20, 10, 900], [20, 10, 50], [], ['p95']],
  ['an older report without times', undefined, [20, 900, 900], [], []],
  ['a newer one without them', [20, 100, 100], undefined, [], []],
])('finds %s', ([, before, after, slower, faster]) => {
  const found = compareTimes(reportWith(before), reportWith(after));
  expect(found.slower.map(({ by }) => by)).toEqual(slower);
  expect(found.faster.map(({ by }) => by)).toEqual(faster);
});
