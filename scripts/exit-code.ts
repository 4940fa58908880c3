import type { Report } from '../contract-tests/report.ts';

/** The exit code of a run: 0 holds, 1 failed, 2 credentials or usage, 3 unreachable or nothing verified, 4 the suite failed. */
export function exitCodeOf({ summary, aborted }: Report): number {
  if (aborted?.kind === 'credentials' || aborted?.kind === 'usage') return 2;
  if (aborted && aborted.kind !== 'wrong-address') return 3;
  if (summary.failed > 0) return 1;
  if (summary.error > 0) return 4;
  return summary.passed === 0 ? 3 : 0;
}
