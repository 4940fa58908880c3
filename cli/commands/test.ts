import { resolve } from 'node:path';
import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { visible, visibleJson } from '../../contract-tests/core/visible-text.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { readDemands } from '../options/demand-options.ts';
import type { Given } from '../options/flags.ts';
import { readNames } from '../options/read-values.ts';
import { readTestOptions } from '../options/test-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { useDeployment, useFileOnly } from '../options/use-config.ts';
import {
  exitCodeOf,
  finishReport,
  noticeNames,
  printCleanupHint,
  readExpectedFailures,
} from '../output/finish-report.ts';
import { requireNewJournal, requireWritable, saveOutput } from '../output/output-file.ts';
import { runWithProgress } from '../output/progress.ts';
import {
  type ReportTarget,
  readReportTargets,
  requireEvidenceFolder,
  writeEvidence,
} from '../output/report-targets.ts';
import { commandInterruptibly } from '../screen/interruption.ts';
import { makeReport } from './make-report.ts';

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

/** Otherwise a failing run would become the baseline of the next one. */
function refuseToReplace(baseline: string | undefined, targets: readonly ReportTarget[]): void {
  if (baseline !== undefined && targets.some(({ path }) => resolve(path) === resolve(baseline)))
    throw new UsageError(`--report would replace the baseline ${baseline}; write the report to another file`);
}

/** Loads the checks, which other runs load only in their thread. */
async function printDryRuns(all: readonly SuiteOptions[]): Promise<number> {
  const { selectChecks } = await import('../../contract-tests/run/select-checks.ts');
  const { dryRunOf } = await import('../../contract-tests/run/dry-run.ts');
  const { dryRunText } = await import('../../contract-tests/run/print-dry-run.ts');
  const texts = all.map((options) => dryRunText(dryRunOf(options, selectChecks(options)), options));
  process.stdout.write(texts.join('\n'));
  return 0;
}

type ComparedOptions = SuiteOptions & { journal: string };

/** Throws UsageError. */
async function readCompared(all: Given): Promise<ComparedOptions | undefined> {
  const name = all.text('compare');
  if (name === undefined) return undefined;
  if (all.text('baseline') !== undefined)
    throw new UsageError('--compare and --baseline cannot be used together; remove one');
  if (all.words[0] === name)
    throw new UsageError('--compare names the deployment under test; choose another one');
  const options = await readTestOptions(await useFileOnly(all, name));
  // Both names may contain the same millisecond.
  const journal = `${options.journal}`.replace(/\.jsonl$/, '-compared.jsonl');
  return { ...options, recordsExchanges: false, journal };
}

/** Returns the report that is the baseline, or an exit code if it cannot be one. */
async function runCompared(options: ComparedOptions, signal: AbortSignal): Promise<Report | number> {
  const address = visible(options.baseUrl);
  console.error(`sitepub: --compare: testing ${address} first`);
  const { report } = await runWithProgress(signal, (watcher) => makeReport(options, watcher));
  printCleanupHint(report, options.journal);
  const { passed, partly, failed } = report.summary;
  if (!report.aborted && passed + partly + failed > 0) return report;
  const reason = report.aborted?.reason ?? 'nothing could be verified';
  console.error(`sitepub: --compare: ${address}: ${visible(reason)}; there is no report to compare with`);
  // Its failures do not affect the deployment under test.
  return exitCodeOf({ ...report, summary: { ...report.summary, failed: 0 } });
}
