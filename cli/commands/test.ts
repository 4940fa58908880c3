import { resolve } from 'node:path';
import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { visibleJson } from '../../contract-tests/core/visible-text.ts';
import { readDemands } from '../options/demand-options.ts';
import type { Given } from '../options/flags.ts';
import { readNames } from '../options/read-values.ts';
import { readTestOptions } from '../options/test-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { useDeployment } from '../options/use-config.ts';
import { noticeNames } from '../output/exit-code.ts';
import { finishReport, readExpectedFailures } from '../output/finish-report.ts';
import { requireNewJournal, requireWritable, saveOutput } from '../output/output-file.ts';
import { runWithProgress } from '../output/progress.ts';
import {
  type ReportTarget,
  readReportTargets,
  requireEvidenceFolder,
  writeEvidence,
} from '../output/report-targets.ts';
import { readCompared, runCompared } from './compared-run.ts';
import { commandInterruptibly } from './interruptible.ts';
import { makeReport } from './make-report.ts';

/** `sitepub test`: runs the contract suite against a deployment. */
export async function test(given: Given): Promise<number> {
  return commandInterruptibly((signal) => testInterruptibly(given, signal));
}

async function testInterruptibly(all: Given, signal: AbortSignal): Promise<number> {
  const given = await useDeployment(all);
  const targets = readReportTargets(given.list('report'));
  const failOn = readNames(given, 'fail-on', { known: noticeNames, noun: 'notice' });
  const compared = await readCompared(all);
  const demands = readDemands(given);
  refuseToReplace(given.text('baseline'), targets);
  const options = await readTestOptions(given);
  const [har, evidence] = [given.text('har'), given.text('evidence')];
  if (har !== undefined) requireWritable('--har', har);
  if (given.switched('dry-run')) return printDryRuns([...(compared ? [compared] : []), options]);
  if (evidence !== undefined) requireEvidenceFolder(evidence);
  if (given.text('journal') !== undefined) requireNewJournal(options.journal);
  const expected = await readExpectedFailures(given.text('expected-failures'));
  const baseline = compared && (await runCompared(compared, signal));
  if (typeof baseline === 'number') return baseline;
  const { report, har: exchanges } = await runWithProgress(signal, (watcher) =>
    makeReport(options, { ...watcher, onBegun: (staying) => staying && console.error(staying) }),
  );
  const isHarSaved = har === undefined || saveOutput(har, `${visibleJson(exchanges)}\n`);
  const isEvidenceSaved =
    evidence === undefined ||
    writeEvidence(evidence, report, {
      ...{ har: exchanges, profile: options.profile, command: process.argv.slice(2) },
    });
  return finishReport(report, {
    ...{ expected, targets, failOn, journal: options.journal },
    demands: baseline ? { ...demands, baseline } : demands,
    isSaved: isHarSaved && isEvidenceSaved,
  });
}

/** A run that replaced its own baseline would make the next one green. */
function refuseToReplace(baseline: string | undefined, targets: readonly ReportTarget[]): void {
  if (baseline !== undefined && targets.some(({ path }) => resolve(path) === resolve(baseline)))
    throw new UsageError(
      `--report would replace the baseline ${baseline}; write it to another file, and copy it when it is to be the new baseline`,
    );
}

/** Loads the checks, which a run loads in its thread only. */
async function printDryRuns(all: readonly SuiteOptions[]): Promise<number> {
  const { selectChecks } = await import('../../contract-tests/run/select-checks.ts');
  const { dryRunOf } = await import('../../contract-tests/run/dry-run.ts');
  const { dryRunText } = await import('../../contract-tests/run/print-dry-run.ts');
  const texts = all.map((options) => dryRunText(dryRunOf(options, selectChecks(options)), options));
  process.stdout.write(texts.join('\n'));
  return 0;
}
