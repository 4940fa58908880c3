import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import type { Abort } from '../../contract-tests/core/outcomes.ts';
import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { compareWith } from '../../contract-tests/reports/compared-with.ts';
import { createReport, type Report, type RunResult } from '../../contract-tests/reports/report.ts';
import { checkAddresses } from '../../contract-tests/run/preflight/check-addresses.ts';
import { runInVitest } from '../../contract-tests/run/run-in-vitest.ts';
import { version } from '../../openapi/version.ts';
import { visible, visibleJson } from '../../openapi/visible-text.ts';
import {
  hasOwnCredentials,
  nameOtherSettings,
  readCompareOptions,
  shareSecrets,
} from '../options/compare-options.ts';
import { readDemands } from '../options/demand-options.ts';
import { type Given, readFlagsOrHelp } from '../options/flags.ts';
import { readNames } from '../options/read-names.ts';
import { environmentHelp, readTestOptions, testFlags } from '../options/test-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { requireEvidenceFolder, writeEvidence } from '../output/evidence-folder.ts';
import { noticeNames } from '../output/fail-on.ts';
import { finishReport, readExpectedFailures, sayLeftovers } from '../output/finish-report.ts';
import { requireNewJournal, requireWritable } from '../output/output-file.ts';
import { type ReportTarget, readReportTargets, writeReports } from '../output/report-targets.ts';
import { saveOutput } from '../output/save-output.ts';
import { planLeftBehind } from '../output/say-left-behind.ts';
import { commandInterruptibly } from './interruptible.ts';
import { runWithProgress } from './run-with-progress.ts';

/** `sitepub test`: runs the contract suite against a deployment. */
export async function test(args: readonly string[]): Promise<number> {
  const given = readFlagsOrHelp(args, testFlags, {
    usage: 'sitepub test --base-url URL',
    notes: environmentHelp,
  });
  if (!given) return 0;
  return commandInterruptibly((signal) => testInterruptibly(args, given, signal));
}

async function testInterruptibly(
  args: readonly string[],
  given: Given,
  signal: AbortSignal,
): Promise<number> {
  const targets = readReportTargets(given.list('report'));
  const failOn = readNames(given, 'fail-on', { known: noticeNames, noun: 'notice' });
  const demands = readDemands(given);
  const otherTargets = readReportTargets(given.list('compare-report'), {
    flag: '--compare-report',
    others: targets,
  });
  refuseToReplace(given.text('baseline'), [...targets, ...otherTargets]);
  const options = await readTestOptions(given);
  const others = await readCompareOptions(given, options);
  if (others) {
    // Both runs are to make the same cases.
    options.seed = others.seed ??= randomInt(2 ** 32 - 1);
    shareSecrets(options, others);
  }
  const [har, evidence] = [given.text('har'), given.text('evidence')];
  if (har !== undefined) requireWritable('--har', har);
  if (given.switched('dry-run')) return printDryRun([options, ...(others ? [others] : [])]);
  if (evidence !== undefined) requireEvidenceFolder(evidence);
  if (given.text('journal') !== undefined)
    for (const { journal } of [options, ...(others ? [others] : [])]) requireNewJournal(journal);
  const expected = await readExpectedFailures(given.text('expected-failures'));
  const hasLeave = given.switched('leave-behind');
  if (others) await planLeftBehind(others, hasLeave);
  const refused = others && (await refusalOf(others, signal));
  if (refused !== undefined) return refused;
  const { report, har: exchanges } = await runOne(options, signal, hasLeave);
  const other = others && (await runOther(others, { first: report, signal, hasLeave }));
  const isHarSaved = har === undefined || saveOutput(har, `${visibleJson(exchanges)}\n`);
  const isEvidenceSaved =
    evidence === undefined ||
    writeEvidence(evidence, other ? compareWith(report, other) : report, {
      ...{ har: exchanges, profile: options.profile, command: ['test', ...args] },
    });
  const areOthersSaved = other === undefined || writeReports(other, otherTargets);
  return finishReport(report, {
    ...{ expected, targets, failOn, demands, other, journal: options.journal },
    isSaved: isHarSaved && isEvidenceSaved && areOthersSaved,
  });
}

/** One run against a deployment, and what it exchanged where that was asked for. */
async function runOne(
  options: SuiteOptions,
  signal: AbortSignal,
  hasLeave: boolean,
): Promise<{ report: Report; har: object | undefined }> {
  const startedAt = new Date();
  const ended = await endBeforehand(options);
  const staying = ended ? undefined : await planLeftBehind(options, hasLeave);
  const run =
    ended ??
    (await runWithProgress(signal, (watcher) =>
      runInVitest(options, { ...watcher, onBegun: () => staying && console.error(staying) }),
    ));
  return { report: createReport(run, { options, version, startedAt }), har: run.har };
}

/** The exit code of a run that need not begin, since the deployment that it is to be compared with can't be run against; undefined where it can. */
async function refusalOf(options: SuiteOptions, signal: AbortSignal): Promise<number | undefined> {
  const { preflightAlone } = await import('../../contract-tests/run/preflight-alone.ts');
  const abort = await runWithProgress(signal, ({ onWait }) =>
    preflightAlone(options, { signal, onWait: (until, what) => onWait?.({ until, what }) }),
  );
  if (!abort) return undefined;
  if (abort.kind === 'usage' || abort.kind === 'credentials') throw new UsageError(sayRefusal(abort));
  console.error(`sitepub: ${visible(sayRefusal(abort))}`);
  return abort.kind === 'interrupted' ? 130 : 3;
}

function sayRefusal({ reason }: Abort): string {
  // Whoever forgets it has run with the profile of the other deployment.
  const hint = /\bprofile\b/.test(reason) ? ' (--compare-profile names that of this deployment)' : '';
  return `--compare-with: ${nameOtherSettings(reason)}${hint}; nothing was created at either deployment`;
}

/** The second run; undefined where the first one ended early, so that there is nothing to compare. */
async function runOther(
  options: SuiteOptions,
  { first, signal, hasLeave }: { first: Report; signal: AbortSignal; hasLeave: boolean },
): Promise<Report | undefined> {
  if (first.aborted) {
    console.error('sitepub: the run ended early, so there is none against the deployment of --compare-with');
    return undefined;
  }
  console.error(`sitepub: now the same run against ${visible(options.baseUrl)}, to compare with`);
  const { report } = await runOne(options, signal, hasLeave);
  if (options.journal !== undefined) sayLeftovers(report, options.journal, hasOwnCredentials());
  return report;
}

/** A run that replaced its own baseline would make the next one green. */
function refuseToReplace(baseline: string | undefined, targets: readonly ReportTarget[]): void {
  if (baseline !== undefined && targets.some(({ path }) => resolve(path) === resolve(baseline)))
    throw new UsageError(
      `--report would replace the baseline ${baseline}; write it to another file, and copy it when it is to be the new baseline`,
    );
}

/** The result of a run that need not begin: nobody is at its addresses. The suite is loaded for the report only. */
async function endBeforehand(options: SuiteOptions): Promise<RunResult | undefined> {
  const abort = await checkAddresses(options);
  if (!abort) return undefined;
  const { resultOfNothing } = await import('../../contract-tests/run/run-suite.ts');
  return resultOfNothing(options, abort);
}

/** Loads the checks, which a run loads in its worker only. */
async function printDryRun(all: readonly SuiteOptions[]): Promise<number> {
  const { selectChecks } = await import('../../contract-tests/run/select-checks.ts');
  const { dryRunOf } = await import('../../contract-tests/run/dry-run.ts');
  const { dryRunText } = await import('../../contract-tests/run/print-dry-run.ts');
  const plans = all.map((options) => dryRunText(dryRunOf(options, selectChecks(options)), options));
  process.stdout.write(plans.join('\n'));
  return 0;
}
