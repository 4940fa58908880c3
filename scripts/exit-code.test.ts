import { expect, test } from 'vitest';
import type { Report } from '../contract-tests/report.ts';
import { exitCodeOf } from './exit-code.ts';

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
  ['nothing verified', { not_verified: 81 }, undefined, 3],
  ['the suite failed', { passed: 80, error: 1 }, undefined, 4],
])('%s', ([, counts, kind, want]) => {
  const summary = { passed: 0, failed: 0, warned: 0, not_verified: 0, error: 0, ...counts };
  const aborted = kind ? { kind, reason: 'x' } : null;
  expect(exitCodeOf({ summary, aborted } as Report)).toBe(want);
});
