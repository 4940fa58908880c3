import { expect, test } from 'vitest';
import type { CheckOutcome, Outcome } from '../core/outcomes.ts';
import { applyExpectedFailures } from './apply-expected-failures.ts';
import type { ExpectedFailureEntry } from './expected-failures.ts';
import type { RequirementReport } from './report.ts';
import { reportOf } from './testing.ts';

const nothing = { reason: null, expected: null, actual: null, curl: null, trace_id: null };

function requirement(outcome: Outcome, checks: Readonly<Record<string, CheckOutcome>>): RequirementReport {
  const results = Object.entries(checks).map(([id, one]) => ({ ...nothing, id, outcome: one }));
  return {
    id: 'HOOK-7',
    section: '6.1',
    level: 'documented',
    title: 'x',
    quote: 'x',
    reading: 'There is one way to read it.',
    outcome,
    reason: null,
    checks: results,
  };
}

const whole: ExpectedFailureEntry = {
  id: 'HOOK-7',
  line: 1,
  reason: 'known',
  until: null,
  checks: ['a', 'b'],
};
const partly: ExpectedFailureEntry = { id: 'a', line: 2, reason: 'a only', until: null, checks: ['a'] };

function apply(of: RequirementReport, entries: ExpectedFailureEntry[]) {
  const report = applyExpectedFailures(reportOf({ requirements: [of] }), { file: 'known.yaml', entries });
  const [marked] = report.requirements;
  return {
    count: report.expected_failures?.count,
    requirement: marked?.expected_failure?.reason,
    checks: marked?.checks.map(({ expected_failure }) => expected_failure?.reason),
    stale: report.expected_failures?.stale.map(({ id }) => id),
    expired: report.expected_failures?.expired.map(({ id }) => id),
  };
}

test.for<[string, RequirementReport, ExpectedFailureEntry[], ReturnType<typeof apply>]>([
  [
    'a requirement accepts all of its checks',
    requirement('failed', { a: 'failed', b: 'failed' }),
    [whole],
    { count: 1, requirement: 'known', checks: ['known', 'known'], stale: [], expired: [] },
  ],
  [
    'a check accepts itself alone',
    requirement('failed', { a: 'failed', b: 'failed' }),
    [partly],
    { count: 0, requirement: undefined, checks: ['a only', undefined], stale: [], expired: [] },
  ],
  [
    'a check is enough where no other failed',
    requirement('failed', { a: 'failed', b: 'passed' }),
    [partly],
    { count: 1, requirement: 'a only', checks: ['a only', undefined], stale: [], expired: [] },
  ],
  [
    'a check has its own reason beside its requirement’s',
    requirement('failed', { a: 'failed', b: 'failed' }),
    [whole, partly],
    { count: 1, requirement: 'known', checks: ['a only', 'known'], stale: [], expired: [] },
  ],
  [
    'an error of the suite is accepted by nothing',
    requirement('error', { a: 'failed', b: 'error' }),
    [whole],
    { count: 0, requirement: undefined, checks: ['known', undefined], stale: [], expired: [] },
  ],
  [
    'what passed makes its entries stale',
    requirement('passed', { a: 'passed', b: 'passed' }),
    [whole, partly],
    { count: 0, requirement: undefined, checks: [undefined, undefined], stale: ['HOOK-7', 'a'], expired: [] },
  ],
  [
    'a check that passed is stale also where its requirement failed',
    requirement('failed', { a: 'passed', b: 'failed' }),
    [partly],
    { count: 0, requirement: undefined, checks: [undefined, undefined], stale: ['a'], expired: [] },
  ],
  [
    'what was not verified makes no entry stale',
    requirement('not-verified', { a: 'passed', b: 'not-verified' }),
    [whole],
    { count: 0, requirement: undefined, checks: [undefined, undefined], stale: [], expired: [] },
  ],
  [
    'a check that was left out may still fail',
    requirement('passed', { b: 'passed' }),
    [whole, partly],
    { count: 0, requirement: undefined, checks: [undefined], stale: [], expired: [] },
  ],
  [
    'the last day counts',
    requirement('failed', { a: 'failed' }),
    [{ ...whole, until: '2026-01-02' }],
    { count: 1, requirement: 'known', checks: ['known'], stale: [], expired: [] },
  ],
  [
    'the day after does not',
    requirement('failed', { a: 'failed' }),
    [{ ...whole, until: '2026-01-01' }],
    { count: 0, requirement: undefined, checks: [undefined], stale: [], expired: ['HOOK-7'] },
  ],
  [
    'an expired entry is not stale as well',
    requirement('passed', { a: 'passed', b: 'passed' }),
    [{ ...whole, until: '2026-01-01' }],
    { count: 0, requirement: undefined, checks: [undefined, undefined], stale: [], expired: ['HOOK-7'] },
  ],
  [
    'an entry for what has no check is not stale',
    requirement('not-verified', {}),
    [{ ...whole, checks: [] }],
    { count: 0, requirement: undefined, checks: [], stale: [], expired: [] },
  ],
])('%s', ([, of, entries, want]) => {
  expect(apply(of, entries)).toEqual(want);
});

test('leaves outcomes and numbers as they are', () => {
  const summary = { passed: 0, failed: 1, partly: 0, warned: 0, not_verified: 0, error: 0 };
  const report = reportOf({ requirements: [requirement('failed', { a: 'failed' })], summary });
  const marked = applyExpectedFailures(report, {
    file: 'known.yaml',
    entries: [{ ...whole, until: '2026-12-31' }],
  });
  expect(marked.summary).toEqual(summary);
  expect(marked.requirements).toMatchObject([
    {
      outcome: 'failed',
      expected_failure: { reason: 'known', until: '2026-12-31' },
      checks: [{ outcome: 'failed' }],
    },
  ]);
  expect(marked.expected_failures).toEqual({ file: 'known.yaml', count: 1, stale: [], expired: [] });
});
