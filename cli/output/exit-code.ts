// The exit code of a run, and the notices that --fail-on makes part of it.
import { remarkTitles } from '../../contract-tests/deployment/remarks.ts';
import { count } from '../../contract-tests/reports/group-by-verdict.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { gaps } from '../../openapi/registers.ts';

/** The exit code of a command that could not write what it was asked for, whatever it has found out. */
export const outputLost = 4;

/**
 * The exit code of a run: 0 all hold, 1 one failed, an expected failure is out of date or a notice was not wanted, 2 credentials or usage,
 * 3 unreachable, nothing verified (of a receiver: nothing of one promise), less than was demanded, 4 error in the suite or an output is lost; 130, as in shells, when the run was interrupted.
 * What regressed against a baseline has failed.
 */
export function exitCodeOf(report: Report, hasUnwantedNotice = false): number {
  const { summary, aborted, expected_failures, shortfalls = [] } = report;
  const { count: accepted = 0, stale = [], expired = [] } = expected_failures ?? {};
  if (aborted?.kind === 'credentials' || aborted?.kind === 'usage') return 2;
  if (aborted?.kind === 'interrupted') return 130;
  if (aborted?.kind === 'suite-error') return 4;
  if (summary.failed > accepted) return 1;
  if (summary.error > 0) return 4;
  if (stale.length + expired.length > 0 || hasUnwantedNotice) return 1;
  if (aborted) return 3;
  if (shortfalls.length > 0 || isHalfVerified(report)) return 3;
  return summary.passed + summary.partly + accepted === 0 ? 3 : 0;
}

/** Whether it stayed open for one of the promises of a receiver, for a receiver that takes valid pushes may take all. */
function isHalfVerified({ target, requirements }: Report): boolean {
  if (target.kind !== 'receiver') return false;
  return requirements.some(({ outcome, checks }) => outcome === 'not-verified' && checks.length > 0);
}

/** What --fail-on may name: drift of any gap, a gap, or a remark. */
export const noticeNames: readonly string[] = [
  'drift',
  ...Object.keys(remarkTitles),
  ...gaps.map(({ id }) => id),
];

/** The notices of a report that are among the given names, each in a few words. */
export function noticesNamed(names: readonly string[], { gaps: seen, remarks }: Report): string[] {
  const drifting = seen.filter(
    ({ id, outcome }) => outcome === 'drift' && (names.includes('drift') || names.includes(id)),
  );
  const noticed = remarks.filter(({ id }) => names.includes(id));
  return [
    ...drifting.map(({ id }) => `drift of ${id}`),
    ...noticed.map(({ id, count: times }) => `${id} (${count(times, 'time')})`),
  ];
}
