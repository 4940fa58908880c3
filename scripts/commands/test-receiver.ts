import type { Report } from '../../contract-tests/reports/report.ts';
import { terminalReport } from '../../contract-tests/reports/terminal.ts';
import { receiverPlanText } from '../../contract-tests/test-receiver/print-plan.ts';
import type { ReceiverOptions } from '../../contract-tests/test-receiver/receiver-options.ts';
import { createReceiverReport } from '../../contract-tests/test-receiver/receiver-report.ts';
import { runReceiverChecks, selectReceiverChecks } from '../../contract-tests/test-receiver/run-checks.ts';
import { version } from '../../openapi/version.ts';
import { describeFlags, readFlags } from '../options/flags.ts';
import { refuseSecretInFlag } from '../options/receiver-secrets.ts';
import {
  readReceiverOptions,
  testReceiverEnvironment,
  testReceiverFlags,
} from '../options/test-receiver-options.ts';
import { exitCodeOf } from '../output/exit-code.ts';
import { markExpectedFailures, readExpectedFailures, reportToGithub } from '../output/finish-report.ts';
import { createProgress } from '../output/progress.ts';
import { readReportTargets, writeReports } from '../output/report-targets.ts';
import { runInterruptibly } from './interruptible.ts';

/** `sitepub test-receiver`: runs the checks of receivers against one. */
export async function testReceiver(args: readonly string[]): Promise<number> {
  refuseSecretInFlag(args);
  const given = readFlags(args, testReceiverFlags);
  if (given.switched('help')) {
    console.log(
      `sitepub test-receiver --url URL\n\n${describeFlags(testReceiverFlags)}\n\n${testReceiverEnvironment}`,
    );
    return 0;
  }
  const targets = readReportTargets(given.list('report'));
  const options = await readReceiverOptions(given);
  if (given.switched('dry-run')) {
    process.stdout.write(receiverPlanText(selectReceiverChecks(options), options));
    return 0;
  }
  const expected = await readExpectedFailures(given.text('expected-failures'), loadReceiverChecks);
  const report = markExpectedFailures(await runAndReport(options), expected);
  process.stdout.write(terminalReport(report, { colour: process.stdout.isTTY && !process.env.NO_COLOR }));
  reportToGithub(report);
  writeReports(report, targets);
  if (report.aborted) console.error(`sitepub: ${report.aborted.reason}`);
  return exitCodeOf(report);
}

async function loadReceiverChecks() {
  return (await import('../../contract-tests/test-receiver/checks/index.ts')).receiverChecks;
}

async function runAndReport(options: ReceiverOptions): Promise<Report> {
  const startedAt = new Date();
  const progress = createProgress();
  try {
    const run = await runInterruptibly((signal) => runReceiverChecks(options, { ...progress, signal }));
    return createReceiverReport(run, { options, version, startedAt });
  } finally {
    progress.clear();
  }
}
