import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { createReport, type Report, type RunResult } from '../../contract-tests/reports/report.ts';
import { checkAddresses } from '../../contract-tests/run/preflight/check-addresses.ts';
import { runInThread } from '../../contract-tests/run/run-in-thread.ts';
import type { Watcher } from '../../contract-tests/run/run-suite.ts';
import { version } from '../../openapi/version.ts';

/** Runs the suite. `har`: the exchanges, if the options ask for them. Throws LeaveBehindNeeded. */
export async function makeReport(
  options: SuiteOptions,
  watcher: Watcher,
): Promise<{ report: Report; har: object | undefined }> {
  const startedAt = new Date();
  const run = (await endBeforehand(options)) ?? (await runInThread(options, watcher));
  return { report: createReport(run, { options, version, startedAt }), har: run.har };
}

/** The result of a run if no address answers. Loads the suite only for the report. */
async function endBeforehand(options: SuiteOptions): Promise<RunResult | undefined> {
  const abort = await checkAddresses(options);
  if (!abort) return undefined;
  const { resultOfNothing } = await import('../../contract-tests/run/run-suite.ts');
  return resultOfNothing(options, abort);
}
