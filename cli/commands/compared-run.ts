// The run of --compare: another deployment comes first, and its report is what the run is held to.
import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { visible } from '../../contract-tests/core/visible-text.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import type { Given } from '../options/flags.ts';
import { readTestOptions } from '../options/test-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { useFileAlone } from '../options/use-config.ts';
import { exitCodeOf } from '../output/exit-code.ts';
import { sayLeftovers } from '../output/finish-report.ts';
import { runWithProgress } from '../output/progress.ts';
import { makeReport } from './make-report.ts';

type ComparedOptions = SuiteOptions & { journal: string };

/** How the deployment that --compare names is run; undefined where none is. Throws UsageError. */
export async function readCompared(all: Given): Promise<ComparedOptions | undefined> {
  const name = all.text('compare');
  if (name === undefined) return undefined;
  if (all.text('baseline') !== undefined)
    throw new UsageError('--compare and --baseline each hold the run to a report; leave one of them out');
  const options = await readTestOptions(await useFileAlone(all, name));
  // Both runs may be read in the same millisecond, which is in the name of their journals.
  const journal = `${options.journal}`.replace(/\.jsonl$/, '-compared.jsonl');
  return { ...options, keepsExchanges: false, journal };
}

/** The report that the run is held to; the exit code where it holds to nothing. */
export async function runCompared(options: ComparedOptions, signal: AbortSignal): Promise<Report | number> {
  const address = visible(options.baseUrl);
  console.error(`sitepub: --compare: ${address} comes first`);
  const { report } = await runWithProgress(signal, (watcher) => makeReport(options, watcher));
  sayLeftovers(report, options.journal);
  const { passed, partly, failed } = report.summary;
  if (!report.aborted && passed + partly + failed > 0) return report;
  const reason = report.aborted?.reason ?? 'nothing could be verified';
  console.error(`sitepub: --compare: ${address}: ${visible(reason)}; there is nothing to compare with`);
  // Its failures are none of the deployment that is tested.
  return exitCodeOf({ ...report, summary: { ...report.summary, failed: 0 } });
}
