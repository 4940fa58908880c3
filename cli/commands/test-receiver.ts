import { receiverPlanText } from '../../contract-tests/test-receiver/print-plan.ts';
import { createReceiverReport } from '../../contract-tests/test-receiver/receiver-report.ts';
import { runReceiverChecks, selectReceiverChecks } from '../../contract-tests/test-receiver/run-checks.ts';
import { version } from '../../openapi/version.ts';
import type { Given } from '../options/flags.ts';
import { readReceiverOptions } from '../options/webhook-options.ts';
import { finishReport, readExpectedFailures } from '../output/finish-report.ts';
import { runWithProgress } from '../output/progress.ts';
import { readReportTargets } from '../output/report-targets.ts';
import { commandInterruptibly } from '../screen/interruption.ts';

export async function testReceiver(given: Given): Promise<number> {
  return commandInterruptibly((signal) => testInterruptibly(given, signal));
}

async function testInterruptibly(given: Given, signal: AbortSignal): Promise<number> {
  const targets = readReportTargets(given.list('report'));
  const options = await readReceiverOptions(given);
  if (given.switched('dry-run')) {
    process.stdout.write(receiverPlanText(selectReceiverChecks(options), options));
    return 0;
  }
  const expected = await readExpectedFailures(given.text('expected-failures'), loadReceiverChecks);
  const startedAt = new Date();
  const run = await runWithProgress(signal, (watcher) => runReceiverChecks(options, watcher));
  return finishReport(createReceiverReport(run, { options, version, startedAt }), { expected, targets });
}

async function loadReceiverChecks() {
  return (await import('../../contract-tests/test-receiver/checks/index.ts')).receiverChecks;
}
