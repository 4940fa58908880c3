// What happens to a report at the end of a run: expected failures, the terminal, GitHub and files.
import { appendFileSync, statSync } from 'node:fs';
import { plainWord } from '../../contract-tests/core/shell-word.ts';
import { visible } from '../../contract-tests/core/visible-text.ts';
import { canBeDeleted } from '../../contract-tests/deployment/created-resources.ts';
import { annotations } from '../../contract-tests/reports/annotations.ts';
import { applyDemands, applyExpectedFailures, type Demands } from '../../contract-tests/reports/demands.ts';
import {
  type CheckName,
  type ExpectedFailures,
  ExpectedFailuresError,
  loadExpectedFailures,
} from '../../contract-tests/reports/expected-failures.ts';
import { markdownBlocks } from '../../contract-tests/reports/markdown.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { terminalReport } from '../../contract-tests/reports/terminal.ts';
import { UsageError } from '../options/usage-error.ts';
import { exitCodeOf, noticesNamed, outputLost } from './exit-code.ts';
import { type ReportTarget, writeReports } from './report-targets.ts';

/** Reads the file of --expected-failures; the checks are loaded only when there is one. */
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
  /** The notices that make the exit code 1. */
  failOn?: readonly string[];
  /** What the run is held to. */
  demands?: Demands | undefined;
  /** The journal of the run, from which `sitepub cleanup` can delete what is left. */
  journal?: string | undefined;
  /** Whether the other files of the run were written. */
  isSaved?: boolean;
}

/** Marks the expected failures of a report, prints it and writes the files that were asked for. Returns the exit code. */
export function finishReport(
  unmarked: Report,
  { expected, targets, journal, demands, failOn = [], isSaved = true }: Settings,
): number {
  const marked = expected ? applyExpectedFailures(unmarked, expected) : unmarked;
  const report = demands ? applyDemands(marked, demands) : marked;
  process.stdout.write(terminalReport(report, { colour: process.stdout.isTTY && !process.env.NO_COLOR }));
  reportToGithub(report);
  const areWritten = writeReports(report, targets);
  if (journal !== undefined) sayLeftovers(report, journal);
  if (report.aborted) console.error(`sitepub: ${visible(report.aborted.reason)}`);
  const notices = noticesNamed(failOn, report);
  if (notices.length > 0) console.error(`sitepub: --fail-on: ${notices.join(', ')}`);
  return areWritten && isSaved ? exitCodeOf(report, notices.length > 0) : outputLost;
}

/** How to delete what a run has left, where that can be done. */
export function sayLeftovers({ leftovers }: Report, journal: string): void {
  if (!leftovers.some(canBeDeleted)) return;
  console.error(
    `sitepub: \`sitepub cleanup ${plainWord(journal)}\` deletes what is left; add --profile if this one does not say how`,
  );
}

type Environment = Readonly<Record<string, string | undefined>>;

/** In a job on GitHub: annotations, as bytes since GitHub shall obey them, on standard output, and the step's summary. A summary that can't be written is no failure. */
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

/** GitHub's limit for a step's summary. */
const mostSummaryBytes = 1024 * 1024;

const summaryNote =
  "Parts are left out, since a step's summary may have 1 MiB: `--report html=report.html` writes all of it.";

/** The blocks that fit, and a note if any is left out. */
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
