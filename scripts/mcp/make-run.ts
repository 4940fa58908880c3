import type { SuiteOptions, Tier } from '../../contract-tests/core/suite-options.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import type { DryRun } from '../../contract-tests/run/dry-run.ts';
import type { Watcher } from '../../contract-tests/run/run-suite.ts';
import { makeReport } from '../commands/make-report.ts';
import { readFlags } from '../options/flags.ts';
import { readTestOptions, testFlags } from '../options/test-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { readTarget, type TargetName } from './run-target.ts';
import type { Session } from './session.ts';
import type { Call } from './tool.ts';

export interface RunInput {
  target: TargetName;
  suite: Tier;
  only?: readonly string[];
  skip?: readonly string[];
}

interface Limits {
  longestMs: number;
  mayLeaveBehind: boolean;
}

/** What a run would do; nothing is sent to a deployment. Throws UsageError. */
export function planRun(input: RunInput, { session }: Call): Promise<DryRun> {
  return inTurn(session, async () => {
    const options = await readOptions(input, session);
    const { selectChecks } = await import('../../contract-tests/run/select-checks.ts');
    const { dryRunOf } = await import('../../contract-tests/run/dry-run.ts');
    return dryRunOf(options, selectChecks(options));
  });
}

/** Makes a run and keeps its report. One that takes too long, or is cancelled, cleans up and ends. Throws UsageError or LeaveNeeded. */
export function makeRun(
  input: RunInput,
  { session, signal, report: tell }: Call,
  { longestMs, mayLeaveBehind }: Limits,
): Promise<Report> {
  return inTurn(session, async (end) => {
    const options = { ...(await readOptions(input, session)), mayLeaveBehind };
    const longest = AbortSignal.timeout(longestMs);
    const { report } = await makeReport(options, {
      ...progressOf(tell),
      signal: AbortSignal.any([signal, longest, end]),
    });
    session.lastReport = report;
    return report;
  });
}

async function readOptions({ target, suite, ...named }: RunInput, session: Session): Promise<SuiteOptions> {
  const { args, env } = await readTarget(target, session);
  const { only = [], skip = [] } = named;
  const all = [
    ...[...args, `--suite=${suite}`],
    ...(only.length > 0 ? [`--only=${only.join(',')}`] : []),
    ...(skip.length > 0 ? [`--skip=${skip.join(',')}`] : []),
  ];
  return readTestOptions(readFlags(all, testFlags, env), env);
}

/** Runs share the limits of a deployment, so there is one at a time. `end` is aborted when the server ends. */
async function inTurn<T>(session: Session, work: (end: AbortSignal) => Promise<T>): Promise<T> {
  if (session.run)
    throw new UsageError(
      'a run is under way; wait for its end, or cancel it, and try again some seconds later',
    );
  const ended = Promise.withResolvers<void>();
  const ending = new AbortController();
  session.run = { ended: ended.promise, end: () => ending.abort() };
  try {
    return await work(ending.signal);
  } finally {
    session.run = undefined;
    ended.resolve();
  }
}

function progressOf(tell: Call['report']): Watcher {
  let [done, total]: [number, number | undefined] = [0, undefined];
  return {
    onSelected: (count) => {
      total = count;
    },
    onResult: ({ result }) => {
      done += 1;
      tell({ done, ...(total !== undefined && { total }), message: result.id });
    },
  };
}
