import { appendFileSync, statSync } from 'node:fs';
import { plainWord } from '../../contract-tests/core/shell-word.ts';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { canBeDeleted } from '../../contract-tests/deployment/created-resources.ts';
import { remarkTitles } from '../../contract-tests/deployment/remarks.ts';
import { annotations } from '../../contract-tests/reports/annotations.ts';
import { applyDemands, applyExpectedFailures, type Demands } from '../../contract-tests/reports/demands.ts';
import {
  type CheckName,
  type ExpectedFailures,
  ExpectedFailuresError,
  loadExpectedFailures,
} from '../../contract-tests/reports/expected-failures.ts';
import { count } from '../../contract-tests/reports/group-by-verdict.ts';
import { markdownBlocks } from '../../contract-tests/reports/markdown.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { terminalReport } from '../../contract-tests/reports/terminal.ts';
import { gaps } from '../../openapi/registers.ts';
import { UsageError } from '../options/usage-error.ts';
import { type ReportTarget, writeReports } from './report-targets.ts';

/** Loads the checks only if there is a file. */
export async function readExpectedFailures(
  file: string | undefined,
  loadChecks = async (): Promise<readonly CheckName[]> =>
    (await import('../../contract-tests/checks/index.ts')).checks,
): Promise<ExpectedFailures | undefined> {
  if (file === undefined) return undefined;
  const checks = await loadChecks();
  try {
    return loadExpectedFailures(file, checks);
  } catch (error) {
    if (error instanceof ExpectedFailuresError) throw new UsageError(error.message);
    throw error;
  }
}

interface Settings {
  expected: ExpectedFailures | undefined;
  targets: readonly ReportTarget[];
  failOn?: readonly string[];
  demands?: Demands | undefined;
  /** For the hint on `sitepub cleanup`. */
  journal?: string | undefined;
  /** Whether all other files were written. */
  isSaved?: boolean;
}

/** Prints and writes the report. Returns the exit code. */
export function finishReport(
  unmarked: Report,
  { expected, targets, journal, demands, failOn = [], isSaved = true }: Settings,
): number {
  const marked = expected ? applyExpectedFailures(unmarked, expected) : unmarked;
  const report = demands ? applyDemands(marked, demands) : marked;
  process.stdout.write(terminalReport(report, { colour: process.stdout.isTTY && !process.env.NO_COLOR }));
  reportToGithub(report);
  const areWritten = writeReports(report, targets);
  if (journal !== undefined) printCleanupHint(report, journal);
  if (report.aborted) console.error(`sitepub: ${visible(report.aborted.reason)}`);
  const notices = findNotices(failOn, report);
  if (notices.length > 0) console.error(`sitepub: --fail-on: ${notices.join(', ')}`);
  return areWritten && isSaved ? exitCodeOf(report, notices.length > 0) : outputLost;
}

export function printCleanupHint({ leftovers }: Report, journal: string): void {
  if (!leftovers.some(canBeDeleted)) return;
  console.error(
    `sitepub: \`npx sitepub cleanup ${plainWord(journal)}\` deletes what is left; add --profile if the profile of this run does not say how`,
  );
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Prints annotations as bytes, because GitHub must interpret them. A step summary that cannot be written is not a failure. */
export function reportToGithub(report: Report, environment: Environment = process.env): void {
  if (environment.GITHUB_ACTIONS === 'true') process.stdout.write(Buffer.from(annotations(report)));
  const { GITHUB_STEP_SUMMARY: path } = environment;
  if (!path) return;
  try {
    const written = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    appendFileSync(path, fitSummary(markdownBlocks(report), mostSummaryBytes - written));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    console.error(
      `sitepub: the step summary ${path} can't be written (${code}); the other reports are complete`,
    );
  }
}

const mostSummaryBytes = 1024 * 1024;

const summaryNote =
  'Some parts are left out, because GitHub limits a step summary to 1 MiB. `--report html=report.html` writes all of it.';

/** Drops blocks that do not fit, and then adds a note. */
export function fitSummary(blocks: readonly string[], bytes: number): string {
  const whole = `${blocks.join('\n\n')}\n`;
  if (Buffer.byteLength(whole) <= bytes) return whole;
  let left = bytes - summaryNote.length - 1;
  if (left < 0) return '';
  const fitting = blocks.filter((block) => {
    const size = Buffer.byteLength(`${block}\n\n`);
    if (size > left) return false;
    left -= size;
    return true;
  });
  return `${[...fitting, summaryNote].join('\n\n')}\n`;
}

/** Exit code of a command that could not write its output. */
export const outputLost = 4;

/** The exit codes of `sitepub test` and `sitepub test-receiver`; testExitCodes describes them. Regressions against a baseline count as failures. */
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

/** Both promises of receivers must be verified, because a receiver that takes correct pushes may take any push. */
function isHalfVerified({ target, requirements }: Report): boolean {
  if (target.kind !== 'receiver') return false;
  return requirements.some(({ outcome, checks }) => outcome === 'not-verified' && checks.length > 0);
}

/** Values of --fail-on. */
export const noticeNames: readonly string[] = [
  'drift',
  ...Object.keys(remarkTitles),
  ...gaps.map(({ id }) => id),
];

export function findNotices(names: readonly string[], { gaps: seen, remarks }: Report): string[] {
  const drifting = seen.filter(
    ({ id, outcome }) => outcome === 'drift' && (names.includes('drift') || names.includes(id)),
  );
  const noticed = remarks.filter(({ id }) => names.includes(id));
  return [
    ...drifting.map(({ id }) => `drift of ${id}`),
    ...noticed.map(({ id, count: times }) => `${id} (${count(times, 'time')})`),
  ];
}
