import { expect, test } from 'vitest';
import type { CheckOutcome, Outcome } from '../core/outcomes.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import { codeOfComparison, compareGaps, compareReports, compareTimes } from './compare-reports.ts';
import type { Comparison } from './comparison.ts';
import type { Report, TimesReport } from './report.ts';
import { gapWith as gap, reportOf, requirementWith, sample } from './testing.ts';

type Checks = Readonly<Record<string, CheckOutcome>>;

/** Compares two reports of the same version that contain one requirement with these checks. */
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
  return Object.entries(comparison)
    .filter(([, changes]) => Array.isArray(changes) && changes.length > 0)
    .map(([kind]) => kind);
}

const codes: Readonly<Record<string, number>> = { regressed: 1, no_longer_verified: 3 };

test.for<[string, Checks | null, Checks | null, string]>([
  ['nothing', { a: 'passed' }, { a: 'passed' }, ''],
  ['a failure that passed before', { a: 'passed' }, { a: 'failed' }, 'regressed'],
  [
    'a failed check that passed before, in a partly verified requirement',
    { a: 'passed', b: 'not-verified' },
    { a: 'failed' },
    'regressed',
  ],
  [
    'a further failed check of a failed requirement',
    { a: 'failed', b: 'passed' },
    { a: 'failed', b: 'failed' },
    'regressed',
  ],
  ['a new check that fails', { a: 'passed' }, { a: 'passed', b: 'failed' }, 'regressed'],
  ['the same failure', { a: 'failed', b: 'passed' }, { a: 'failed', b: 'passed' }, 'still_failing'],
  ['a failure that was not verified before', { a: 'not-verified' }, { a: 'failed' }, 'newly_failed'],
  [
    'a failed check that was not verified before',
    { a: 'passed', b: 'not-verified' },
    { a: 'passed', b: 'failed' },
    'newly_failed',
  ],
  ['a failure of a new requirement', null, { a: 'failed' }, 'newly_failed'],
  ['a requirement that is no longer verified', { a: 'passed' }, { a: 'not-verified' }, 'no_longer_verified'],
  ['a requirement with a suite error', { a: 'passed' }, { a: 'error' }, 'no_longer_verified'],
  ['a requirement that was left out', { a: 'passed' }, {}, 'no_longer_verified'],
  ['a check that was left out', { a: 'passed', b: 'passed' }, { a: 'passed' }, 'no_longer_verified'],
  ['a removed requirement', { a: 'passed' }, null, 'no_longer_verified'],
  [
    'a check that is no longer verified',
    { a: 'passed', b: 'passed' },
    { a: 'passed', b: 'not-verified' },
    'no_longer_verified',
  ],
  [
    'a different check that is not verified',
    { a: 'passed', b: 'not-verified', c: 'passed' },
    { a: 'passed', b: 'passed', c: 'not-verified' },
    'no_longer_verified',
  ],
  ['a failure that is no longer verified', { a: 'failed' }, { a: 'not-verified' }, 'no_longer_verified'],
  [
    'a failure that is no longer verified, beside a passed check',
    { a: 'failed', b: 'passed' },
    { a: 'not-verified', b: 'passed' },
    'no_longer_verified',
  ],
  ['a check that no longer applies', { a: 'passed', b: 'passed' }, { a: 'passed', b: 'not-applicable' }, ''],
  ['a new pass', { a: 'not-verified' }, { a: 'passed' }, 'newly_passed'],
  [
    'a check that newly passes',
    { a: 'not-verified', b: 'not-verified' },
    { a: 'passed', b: 'not-verified' },
    'newly_passed',
  ],
  ['a fixed failure', { a: 'failed' }, { a: 'passed' }, 'newly_passed'],
  [
    'a partly fixed failure',
    { a: 'failed', b: 'not-verified' },
    { a: 'passed', b: 'not-verified' },
    'newly_passed',
  ],
  ['a requirement that was never verified', { a: 'not-verified' }, {}, ''],
  ['a removed requirement that was not verified', { a: 'not-verified' }, null, ''],
])('finds %s', ([, before, after, want]) => {
  const comparison = compare(before, after);
  expect(kindsOf(comparison)).toEqual(want ? [want] : []);
  expect(codeOfComparison(comparison)).toBe(codes[want] ?? 0);
});

test('names the changed checks and the reason', () => {
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

test('a check that another version of the suite does not have does not count as lost', () => {
  const upgraded = (report: Report): Report => ({ ...report, tool: { ...report.tool, version: '9.0.0' } });
  expect(kindsOf(compare({ a: 'passed', b: 'passed' }, { a: 'passed' }, upgraded))).toEqual([]);
});

test('an expected failure counts as regressed but does not change the exit code', () => {
  const accepted = (report: Report): Report => ({
    ...report,
    requirements: report.requirements.map((one) => ({
      ...one,
      expected_failure: { reason: 'fixed soon', until: null },
    })),
  });
  const comparison = compare({ a: 'passed' }, { a: 'failed' }, accepted);
  expect(comparison.regressed).toMatchObject([{ id: 'HOOK-1', accepted: 'fixed soon' }]);
  expect(codeOfComparison(comparison)).toBe(0);
});

test('separates new notices from those no longer seen', () => {
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

test('finds no difference between a report and itself', () => {
  expect(kindsOf(compareReports(sample, sample))).toEqual(['still_failing']);
  expect(codeOfComparison(compareReports(sample, sample))).toBe(0);
});

test.for<[Outcome, Outcome, 0 | 1 | 3]>([
  ['passed', 'failed', 1],
  ['passed', 'partly', 3],
  ['partly', 'not-verified', 3],
  ['not-verified', 'partly', 0],
  ['partly', 'passed', 0],
])('a change from %s to %s without checks gives exit code %i', ([before, after, want]) => {
  const report = (outcome: Outcome) =>
    reportOf({ requirements: [{ ...requirementWith('HOOK-1', {}), outcome, reason: 'x' }] });
  expect(codeOfComparison(compareReports(report(before), report(after)))).toBe(want);
});

const agrees = gap('200', 'agrees');
const drift = gap('201', 'drift');
const unseen = gap(null, 'not-observed');

test.for<[string, GapReport | undefined, GapReport | undefined, string | undefined]>([
  ['the same', agrees, agrees, undefined],
  ['new drift', agrees, drift, 'drifts'],
  ['drift in a gap that was not observed', unseen, drift, 'drifts'],
  ['drift in a gap that the older report does not list', undefined, drift, 'drifts'],
  ['drift with a changed value', gap('200', 'agrees', 200), gap('201', 'drift', 202), 'drifts'],
  ['resolved drift', drift, agrees, 'drift-gone'],
  ['a corrected profile', drift, gap('201', 'agrees', 201), 'drift-gone'],
  ['different drift', drift, gap('204', 'drift'), 'observed-otherwise'],
  ['a different matching observation', agrees, gap('200; 201', 'agrees'), 'observed-otherwise'],
  ['the same observations in another order', gap('1; 2', 'drift'), gap('2; 1', 'drift'), undefined],
  ['a changed value', agrees, gap('200', 'agrees', [200]), 'value'],
  ['an equal value', gap('x', 'agrees', { a: 1 }), gap('x', 'agrees', { a: 1 }), undefined],
  ['a changed value that was never observed', unseen, gap(null, 'not-observed', 201), 'value'],
  ['a newly observed gap', unseen, agrees, 'newly-observed'],
  ['a new gap', undefined, agrees, 'newly-observed'],
  ['a new gap that is not observed', undefined, unseen, undefined],
  ['a gap that is no longer observed', agrees, unseen, 'no-longer-observed'],
  ['drift that is no longer observed', drift, unseen, 'no-longer-observed'],
  ['a gap that the newer report does not list', agrees, undefined, undefined],
])('finds %s', ([, before, after, want]) => {
  const reportWith = (one: GapReport | undefined) => reportOf({ gaps: one ? [one] : [] });
  expect(compareGaps(reportWith(before), reportWith(after)).map(({ kind }) => kind)).toEqual(
    want ? [want] : [],
  );
});

test('lists both states, new drift first', () => {
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
  ['twice the time, 100 ms more', [5, 100, 100], [5, 200, 200], ['median'], []],
  ['half the time', [5, 200, 200], [5, 100, 100], [], ['median']],
  ['less than twice the time', [5, 300, 300], [5, 599, 599], [], []],
  ['many times the time, but less than 100 ms more', [5, 1, 1], [5, 100, 100], [], []],
  ['an increase from 0 ms', [5, 0, 0], [5, 100, 100], ['median'], []],
  ['too few calls before', [4, 100, 100], [5, 900, 900], [], []],
  ['too few calls now', [5, 100, 100], [4, 900, 900], [], []],
  ['a slower 95th percentile', [20, 10, 50], [20, 10, 900], ['p95'], []],
  ['a slower 95th percentile of too few calls', [20, 10, 50], [19, 10, 900], [], []],
  ['a faster 95th percentile', [20, 10, 900], [20, 10, 50], [], ['p95']],
  ['an older report without times', undefined, [20, 900, 900], [], []],
  ['a newer report without times', [20, 100, 100], undefined, [], []],
])('finds %s', ([, before, after, slower, faster]) => {
  const found = compareTimes(reportWith(before), reportWith(after));
  expect(found.slower.map(({ by }) => by)).toEqual(slower);
  expect(found.faster.map(({ by }) => by)).toEqual(faster);
});
