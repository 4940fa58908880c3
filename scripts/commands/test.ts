import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { createReport, type RunResult } from '../../contract-tests/reports/report.ts';
import { checkAddresses } from '../../contract-tests/run/preflight/check-addresses.ts';
import { runInVitest } from '../../contract-tests/run/run-in-vitest.ts';
import { version } from '../../openapi/version.ts';
import { readFlagsOrHelp } from '../options/flags.ts';
import { readNames } from '../options/read-names.ts';
import { environmentHelp, readTestOptions, testFlags } from '../options/test-options.ts';
import { noticeNames } from '../output/fail-on.ts';
import { finishReport, readExpectedFailures } from '../output/finish-report.ts';
import { readReportTargets } from '../output/report-targets.ts';
import { runWithProgress } from './run-with-progress.ts';

/** `sitepub test`: runs the contract suite against a deployment. */
export async function test(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, testFlags, {
    usage: 'sitepub test --base-url URL',
    notes: environmentHelp,
  });
  if (!given) return 0;
  const targets = readReportTargets(given.list('report'));
  const failOn = readNames(given, 'fail-on', { known: noticeNames, noun: 'notice' });
  const options = await readTestOptions(given);
  if (given.switched('dry-run')) return printDryRun(options);
  const expected = await readExpectedFailures(given.text('expected-failures'));
  const startedAt = new Date();
  const run =
    (await endBeforehand(options)) ?? (await runWithProgress((watcher) => runInVitest(options, watcher)));
  const report = createReport(run, { options, version, startedAt });
  return finishReport(report, { expected, targets, failOn, journal: options.journal });
}

/** The result of a run that need not begin: nobody is at its addresses. The suite is loaded for the report only. */
async function endBeforehand(options: SuiteOptions): Promise<RunResult | undefined> {
  const abort = await checkAddresses(options);
  if (!abort) return undefined;
  const { resultOfNothing } = await import('../../contract-tests/run/run-suite.ts');
  return resultOfNothing(options, abort);
}

/** Loads the checks, which a run loads in its worker only. */
async function printDryRun(options: SuiteOptions): Promise<number> {
  const { selectChecks } = await import('../../contract-tests/run/select-checks.ts');
  const { dryRunOf } = await import('../../contract-tests/run/dry-run.ts');
  const { dryRunText } = await import('../../contract-tests/run/print-dry-run.ts');
  process.stdout.write(dryRunText(dryRunOf(options, selectChecks(options)), options));
  return 0;
}
