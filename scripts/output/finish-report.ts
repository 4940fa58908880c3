// What happens to a report at the end of a run: expected failures, the terminal, GitHub and files.
import { plainWord } from '../../contract-tests/core/shell-word.ts';
import { canBeDeleted } from '../../contract-tests/deployment/created-resources.ts';
import { annotations } from '../../contract-tests/reports/annotations.ts';
import { applyDemands, type Demands } from '../../contract-tests/reports/apply-demands.ts';
import { applyExpectedFailures } from '../../contract-tests/reports/apply-expected-failures.ts';
import { compareWith } from '../../contract-tests/reports/compared-with.ts';
import {
  type CheckName,
  type ExpectedFailures,
  ExpectedFailuresError,
  loadExpectedFailures,
} from '../../contract-tests/reports/expected-failures.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { terminalReport } from '../../contract-tests/reports/terminal.ts';
import { visible } from '../../openapi/visible-text.ts';
import { nameOtherSettings } from '../options/compare-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { exitCodeOf, outputLost } from './exit-code.ts';
import { noticesNamed } from './fail-on.ts';
import { type ReportTarget, writeReports } from './report-targets.ts';
import { appendStepSummary } from './step-summary.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the file of --expected-failures; the checks are loaded only when there is one. */
export async function readExpectedFailures(
  file: string | undefined,
  loadChecks = loadDeploymentChecks,
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

async function loadDeploymentChecks(): Promise<readonly CheckName[]> {
  return (await import('../../contract-tests/checks/index.ts')).checks;
}

interface Settings {
  expected: ExpectedFailures | undefined;
  targets: readonly ReportTarget[];
  /** The notices that make the exit code 1. */
  failOn?: readonly string[];
  /** What the run is held to. */
  demands?: Demands | undefined;
  /** The same run against another deployment, which is told beside it. */
  other?: Report | undefined;
  /** The journal of the run, from which `sitepub cleanup` can delete what is left. */
  journal?: string | undefined;
  /** Whether the other files of the run were written. */
  isSaved?: boolean;
}

/** Marks the expected failures of a report, prints it and writes the files that were asked for. Returns the exit code. */
export function finishReport(
  unmarked: Report,
  { expected, targets, journal, demands, other, failOn = [], isSaved = true }: Settings,
): number {
  const marked = expected ? applyExpectedFailures(unmarked, expected) : unmarked;
  const held = demands ? applyDemands(marked, demands) : marked;
  const report = other ? compareWith(held, other) : held;
  process.stdout.write(terminalReport(report, { colour: process.stdout.isTTY && !process.env.NO_COLOR }));
  reportToGithub(report);
  const areWritten = writeReports(report, targets);
  if (journal !== undefined) sayLeftovers(report, journal);
  if (report.aborted) console.error(`sitepub: ${visible(report.aborted.reason)}`);
  if (other?.aborted)
    console.error(
      `sitepub: nothing was compared, since the run against ${visible(other.target.base_url)} ended early: ${visible(nameOtherSettings(other.aborted.reason))}`,
    );
  const notices = noticesNamed(failOn, report);
  if (notices.length > 0) console.error(`sitepub: --fail-on: ${notices.join(', ')}`);
  return areWritten && isSaved ? exitCodeOf(report, notices.length > 0) : outputLost;
}

/** How to delete what a run has left, where that can be done, and with whose credentials. */
export function sayLeftovers({ leftovers }: Report, journal: string, isCompared = false): void {
  if (!leftovers.some(canBeDeleted)) return;
  const who = isCompared ? ', with SITEPUB_USERNAME and the others set to what SITEPUB_COMPARE_… hold' : '';
  console.error(
    `sitepub: \`sitepub cleanup --journal ${plainWord(journal)}\` deletes what is left${who}; add --profile if this one does not say how`,
  );
}

/** In a job on GitHub: annotations, as bytes since GitHub shall obey them, on standard output, and the step's summary. A summary that can't be written is no failure. */
export function reportToGithub(report: Report, environment: Environment = process.env): void {
  if (environment.GITHUB_ACTIONS === 'true') process.stdout.write(Buffer.from(annotations(report)));
  const { GITHUB_STEP_SUMMARY: path } = environment;
  if (!path) return;
  try {
    appendStepSummary(report, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    console.error(
      `sitepub: the step summary ${path} can't be written (${code}); the other reports are complete`,
    );
  }
}
