import { expect, test } from 'vitest';
import type { Report } from '../../contract-tests/reports/report.ts';
import { exitCodeOf } from './exit-code.ts';

const target = {};

type Kind = NonNullable<Report['aborted']>['kind'];

test.for<[string, Partial<Report['summary']>, Kind | undefined, number]>([
  ['all that was verified holds', { passed: 5, not_verified: 76 }, undefined, 0],
  ['drift is no failure', { passed: 5, warned: 3 }, undefined, 0],
  ['one failed', { passed: 80, failed: 1 }, undefined, 1],
  ['one failed and the suite too', { passed: 79, failed: 1, error: 1 }, undefined, 1],
  ['a wrong address is a failure', { failed: 1, not_verified: 80 }, 'wrong-address', 1],
  ['credentials', { passed: 1, not_verified: 80 }, 'credentials', 2],
  ['usage', { not_verified: 81 }, 'usage', 2],
  ['unreachable', { passed: 1, not_verified: 80 }, 'unreachable', 3],
  ['rate-limited', { passed: 1, not_verified: 80 }, 'rate-limited', 3],
  ['one failed before three answers in a row were lost', { failed: 1, not_verified: 80 }, 'unreachable', 1],
  ['nothing verified', { not_verified: 81 }, undefined, 3],
  ['what was verified in part', { partly: 1, not_verified: 80 }, undefined, 0],
  ['a run that broke off', { passed: 5, failed: 1 }, 'suite-error', 4],
  ['the suite failed', { passed: 80, error: 1 }, undefined, 4],
])('%s', ([, counts, kind, want]) => {
  const summary = { passed: 0, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0, ...counts };
  const aborted = kind ? { kind, reason: 'x' } : null;
  expect(exitCodeOf({ target, summary, aborted } as unknown as Report)).toBe(want);
});

const entry = { id: 'HOOK-7', line: 1, reason: 'x', until: null };

test.for<[string, Partial<Report['summary']>, Partial<Report['expected_failures']>, number]>([
  ['all failures were expected', { passed: 5, failed: 2 }, { count: 2 }, 0],
  ['nothing passed, and all failures were expected', { failed: 2 }, { count: 2 }, 0],
  ['one was not', { passed: 5, failed: 2 }, { count: 1 }, 1],
  ['an entry is stale', { passed: 5 }, { stale: [entry] }, 1],
  ['an entry is expired', { passed: 5 }, { expired: [entry] }, 1],
  ['an entry is stale and the suite failed', { passed: 5, error: 1 }, { stale: [entry] }, 4],
  ['the suite failed beside expected failures', { passed: 5, failed: 1, error: 1 }, { count: 1 }, 4],
  ['nothing was verified', { not_verified: 81 }, {}, 3],
])('with expected failures: %s', ([, counts, outcome, want]) => {
  const summary = { passed: 0, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0, ...counts };
  const expected_failures = { file: 'f', count: 0, stale: [], expired: [], ...outcome };
  expect(exitCodeOf({ target, summary, aborted: null, expected_failures } as unknown as Report)).toBe(want);
});

test.for<[string, Partial<Report['summary']>, Kind | undefined, number]>([
  ['all that was verified holds', { passed: 5 }, undefined, 3],
  ['one failed', { passed: 5, failed: 1 }, undefined, 1],
  ['the suite failed', { passed: 5, error: 1 }, undefined, 4],
  ['the credentials are wrong', { not_verified: 81 }, 'credentials', 2],
  ['the run was interrupted', { passed: 5 }, 'interrupted', 130],
])('where less was verified than was demanded, and %s', ([, counts, kind, want]) => {
  const summary = { passed: 0, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0, ...counts };
  const aborted = kind ? { kind, reason: 'x' } : null;
  const shortfalls = [{ demand: 'require', kind: 'not-verified', id: 'ENV-1', reason: 'x' }];
  expect(exitCodeOf({ target, summary, aborted, shortfalls } as unknown as Report)).toBe(want);
  expect(exitCodeOf({ target, summary, aborted: null, shortfalls: [] } as unknown as Report)).not.toBe(
    summary.passed > 0 && summary.failed + summary.error === 0 ? 3 : 0,
  );
});

test('a wrong address is no success, also where its failure was expected', () => {
  const summary = { passed: 0, failed: 1, partly: 0, warned: 0, not_verified: 80, error: 0 };
  const expected_failures = { file: 'f', count: 1, stale: [], expired: [] };
  const aborted = { kind: 'wrong-address', reason: 'x' };
  expect(exitCodeOf({ target, summary, aborted, expected_failures } as unknown as Report)).toBe(3);
});

test.for([
  [{ passed: 5 }, 1],
  [{ passed: 5, error: 1 }, 4],
  [{ not_verified: 81 }, 1],
] as const)('a notice that is not wanted, beside %j', ([counts, want]) => {
  const summary = { passed: 0, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0, ...counts };
  expect(exitCodeOf({ target, summary, aborted: null } as unknown as Report, true)).toBe(want);
});
