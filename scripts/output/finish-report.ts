// What becomes of a report beside the files that are asked for: known failures are marked, and GitHub is told.

import { annotations } from '../../contract-tests/reports/annotations.ts';
import { applyExpectedFailures } from '../../contract-tests/reports/apply-expected-failures.ts';
import {
  type CheckName,
  type ExpectedFailures,
  ExpectedFailuresError,
  loadExpectedFailures,
} from '../../contract-tests/reports/expected-failures.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { UsageError } from '../options/usage-error.ts';
import { appendStepSummary } from './step-summary.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the file of --expected-failures; the checks are loaded for their names only where there is one. */
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

/** The report with its expected failures marked, where a file of them was given. */
export function markExpectedFailures(report: Report, expected: ExpectedFailures | undefined): Report {
  return expected ? applyExpectedFailures(report, expected) : report;
}

/** In a job on GitHub: annotations on standard output, and the step's summary. A summary that can't be written fails nothing. */
export function reportToGithub(report: Report, environment: Environment = process.env): void {
  if (environment.GITHUB_ACTIONS === 'true') process.stdout.write(annotations(report));
  const { GITHUB_STEP_SUMMARY: path } = environment;
  if (!path) return;
  try {
    appendStepSummary(report, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    console.error(`sitepub: the step summary ${path} can't be written (${code}); the report lacks it`);
  }
}
