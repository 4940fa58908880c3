import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { canBeDeleted, type Leftover } from '../../contract-tests/deployment/created-resources.ts';
import { createReport, type Report } from '../../contract-tests/reports/report.ts';
import { terminalReport } from '../../contract-tests/reports/terminal.ts';
import { runInVitest } from '../../contract-tests/run/run-in-vitest.ts';
import { version } from '../../openapi/version.ts';
import { describeFlags, readFlags } from '../options/flags.ts';
import { environmentHelp, readTestOptions, testFlags } from '../options/test-options.ts';
import { exitCodeOf } from '../output/exit-code.ts';
import { markExpectedFailures, readExpectedFailures, reportToGithub } from '../output/finish-report.ts';
import { createProgress } from '../output/progress.ts';
import { readReportTargets, writeReports } from '../output/report-targets.ts';
import { runInterruptibly } from './interruptible.ts';

/** `sitepub test`: runs the contract suite against a deployment. */
export async function test(args: readonly string[]): Promise<number> {
  const given = readFlags(args, testFlags);
  if (given.switched('help')) {
    console.log(`sitepub test --base-url URL\n\n${describeFlags(testFlags)}\n\n${environmentHelp}`);
    return 0;
  }
  const targets = readReportTargets(given.list('report'));
  const options = await readTestOptions(given);
  if (given.switched('dry-run')) return printDryRun(options);
  const expected = await readExpectedFailures(given.text('expected-failures'));
  const report = markExpectedFailures(await runAndReport(options), expected);
  process.stdout.write(terminalReport(report, { colour: process.stdout.isTTY && !process.env.NO_COLOR }));
  reportToGithub(report);
  writeReports(report, targets);
  printJournalHint(report.leftovers, options);
  if (report.aborted) console.error(`sitepub: ${report.aborted.reason}`);
  return exitCodeOf(report);
}

/** The checks are loaded here only: a run loads them where they are made. */
async function printDryRun(options: SuiteOptions): Promise<number> {
  const { selectChecks } = await import('../../contract-tests/run/run-suite.ts');
  const { dryRunOf: planOf } = await import('../../contract-tests/run/dry-run.ts');
  const { dryRunText: planText } = await import('../../contract-tests/run/print-dry-run.ts');
  process.stdout.write(planText(planOf(options, selectChecks(options)), options));
  return 0;
}

async function runAndReport(options: SuiteOptions): Promise<Report> {
  const startedAt = new Date();
  const progress = createProgress();
  try {
    const run = await runInterruptibly((signal) => runInVitest(options, { ...progress, signal }));
    return createReport(run, { options, version, startedAt });
  } finally {
    progress.clear();
  }
}

/** What could be deleted and was not, can still be. */
function printJournalHint(leftovers: readonly Leftover[], { journal }: SuiteOptions): void {
  if (!leftovers.some(canBeDeleted)) return;
  console.error(
    `sitepub: \`sitepub cleanup --journal ${journal}\` deletes what is left, with --profile where this one does not say how`,
  );
}
