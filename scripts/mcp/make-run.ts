import type { Tier } from '../../contract-tests/core/suite-options.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import type { DryRun } from '../../contract-tests/run/dry-run.ts';
import { UsageError } from '../options/usage-error.ts';
import { runInChild } from './run-in-child.ts';
import type { RunAnswer, RunMessage, RunOrder } from './run-order.ts';
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
export async function planRun(input: RunInput, call: Call): Promise<DryRun> {
  const limits = { longestMs: 60_000, mayLeaveBehind: false };
  const answer = await makeOne(input, call, { ...limits, isDry: true });
  if ('plan' in answer) return answer.plan;
  throw new UsageError('the run gave no plan');
}

/** Makes a run and keeps its report. One that takes too long, or is cancelled, cleans up and ends. Throws UsageError. */
export async function makeRun(input: RunInput, call: Call, limits: Limits): Promise<Report> {
  const answer = await makeOne(input, call, { ...limits, isDry: false });
  if (!('report' in answer)) throw new UsageError('the run gave no report');
  call.session.lastReport = answer.report;
  return answer.report;
}

type Order = Limits & Pick<RunOrder, 'isDry'>;

async function makeOne(input: RunInput, call: Call, order: Order): Promise<RunAnswer> {
  const { session, signal, report } = call;
  const end = beginRun(session);
  try {
    const { args, env } = await readTarget(input.target, session);
    const longest = AbortSignal.timeout(order.longestMs);
    const { isDry, mayLeaveBehind } = order;
    const run = { args: [...args, ...argsOf(input)], isDry, mayLeaveBehind };
    const answer = await runInChild(run, {
      env,
      signal: AbortSignal.any([signal, longest, end.signal]),
      onMessage: progressOf(report),
    });
    if ('refused' in answer) throw new UsageError(answer.refused);
    return answer;
  } finally {
    end.done();
  }
}

/** Runs share the limits of a deployment, so there is one at a time. */
function beginRun(session: Session): { signal: AbortSignal; done(): void } {
  if (session.run)
    throw new UsageError(
      'a run is under way; wait for its end, or cancel it, and try again some seconds later',
    );
  const ended = Promise.withResolvers<void>();
  const ending = new AbortController();
  session.run = { ended: ended.promise, end: () => ending.abort() };
  const done = () => {
    session.run = undefined;
    ended.resolve();
  };
  return { signal: ending.signal, done };
}

function argsOf({ suite, only = [], skip = [] }: RunInput): string[] {
  return [
    `--suite=${suite}`,
    ...(only.length > 0 ? [`--only=${only.join(',')}`] : []),
    ...(skip.length > 0 ? [`--skip=${skip.join(',')}`] : []),
  ];
}

function progressOf(report: Call['report']): (message: RunMessage) => void {
  let [done, total]: [number, number | undefined] = [0, undefined];
  return (message) => {
    if ('selected' in message) total = message.selected;
    if (!('done' in message)) return;
    done += 1;
    report({ done, ...(total !== undefined && { total }), message: message.done });
  };
}
