// A whole run: preflight, checks, clean-up.
import { cleanUp } from '../calls/delete-created.ts';
import { limitsOverAt } from '../calls/lasting-refusal.ts';
import type { Check } from '../check.ts';
import { checks as allChecks } from '../checks/index.ts';
import { type Context, createContext } from '../context.ts';
import type { CostRecorder } from '../core/costs.ts';
import { createEnding, unlessAborted } from '../core/ending.ts';
import { type Abort, interruption } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { ControlError, createControl } from '../deployment/control-api.ts';
import {
  type Clock,
  createMovedClock,
  createRealClock,
  type OnWait,
} from '../deployment/deployment-clock.ts';
import { remarkGreetings } from '../push-receiver/caused-pushes.ts';
import { canBeReached, type Receiver, ReceiverError, startReceiver } from '../push-receiver/push-receiver.ts';
import type { CheckResult, RunResult } from '../reports/report.ts';
import { remarkOnShownSecrets } from '../subscriptions/shown-secrets.ts';
import { gatherResult } from './gather-result.ts';
import { runPreflight } from './preflight/run-preflight.ts';
import { prepareChecks, runCheck, skipped, type Undecided } from './run-check.ts';
import { selectChecks } from './select-checks.ts';

interface Run {
  context: Context;
  abort: Abort | undefined;
  /** Starts slow work, and finds out whether pushes arrive. Call it before the first check. */
  prepare(checks: readonly Check[]): Promise<void>;
  /** Runs a check. Undefined if `lookAgain` returns its result. */
  check(check: Check): Promise<CheckResult | undefined>;
  /** Waits for the undecided checks and decides them. Call it after the last check. */
  lookAgain(): Promise<RunResult['results']>;
  /** Cleans up, and returns the result without the checks. */
  finish(): Promise<Omit<RunResult, 'results'>>;
}

interface Runner {
  onWait?: OnWait;
  /** Interrupts the run; it still cleans up and reports. */
  signal?: AbortSignal;
  recorder?: CostRecorder;
}

/** Callbacks of a run in progress. */
export interface Watcher extends Pick<Runner, 'onWait' | 'signal'> {
  /** Called once with the number of checks. */
  onSelected?(count: number): void;
  /** Called when the preflight passed and the checks begin. `staying` says what the run will leave behind. */
  onBegun?(staying?: string): void;
  onResult?(entry: RunResult['results'][number]): void;
}

function controlErrorOf(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  throw error;
}

/** Starts the receiver, reaches the deployment and logs in. */
export async function startRun(
  options: SuiteOptions,
  { onWait, signal, recorder }: Runner = {},
): Promise<Run> {
  const ending = createEnding(signal);
  const control =
    options.controlUrl === undefined
      ? undefined
      : createControl(options.controlUrl, options.controlToken, ending);
  const moved = control && (await createMovedClock(control).catch(controlErrorOf));
  const clock = moved && !(moved instanceof ControlError) ? moved : createRealClock(onWait, signal);
  const receiver = await receiverFor(options, clock);
  const context = createContext(options, {
    receiver: receiver instanceof ReceiverError ? undefined : receiver,
    clock,
    control,
    recorder,
    ending,
  });
  const unusable = [moved, receiver].find((one) => one instanceof Error);
  const abort: Abort | undefined =
    unusable instanceof Error
      ? { kind: 'usage', reason: unusable.message }
      : await unlessAborted(ending.interrupted, runPreflight(context));
  let undecided: Undecided[] = [];
  const decided: RunResult['results'] = [];
  return {
    context,
    abort,
    prepare: async (checks) => {
      if (!abort) await prepareChecks(checks, context);
    },
    check: async (check) => {
      const ended = abort ?? context.ended;
      const isItsReason = ended?.kind === 'wrong-address' && check.requirement === 'VERSION-1';
      if (ended && !isItsReason) return skipped(check, context.secrets.redact(ended.reason));
      const { soon = [], later = [] } = Object.groupBy(undecided, ({ spoiledBy }) =>
        check.needs.some((need) => need === spoiledBy) ? 'soon' : 'later',
      );
      undecided = later;
      decided.push(...(await decideAll(context, soon)));
      const result = await runCheck(check, context);
      if ('outcome' in result) return result;
      undecided.push(result);
      return undefined;
    },
    lookAgain: async () => {
      context.isLastLook = true;
      return [...decided, ...(await decideAll(context, undecided))];
    },
    finish: async () => {
      if (!abort || context.resources.remaining().length > 0) await cleanUp(context);
      remarkGreetings(context);
      remarkOnShownSecrets(context);
      await context.receiver?.close();
      return endOf(context, signal?.aborted ? interruption : (abort ?? context.ended));
    },
  };
}

/** The result of a run that ended before it sent anything. */
export function resultOfNothing(options: SuiteOptions, abort: Abort): RunResult {
  const { journal: _none, ...rest } = options;
  return { results: [], ...endOf(createContext(rest), abort) };
}

function endOf(context: Context, abort: Abort | undefined): Omit<RunResult, 'results'> {
  return { checked: allChecks.map(({ requirement }) => requirement), ...gatherResult(context, abort) };
}

export async function runSuite(
  options: SuiteOptions,
  { onSelected, onBegun, onResult, ...runner }: Watcher & Runner = {},
): Promise<RunResult> {
  const run = await startRun(options, runner);
  const results: RunResult['results'] = [];
  const take = (entry: RunResult['results'][number]) => {
    results.push(entry);
    onResult?.(entry);
  };
  const selected = selectChecks(options);
  onSelected?.(selected.length);
  if (!run.abort) onBegun?.();
  await run.prepare(selected);
  for (const check of selected) {
    const result = await run.check(check);
    if (result) take({ requirement: check.requirement, result });
  }
  for (const entry of await run.lookAgain()) take(entry);
  const ids = selected.map(({ id }) => id);
  results.sort((one, other) => ids.indexOf(one.result.id) - ids.indexOf(other.result.id));
  return { results, ...(await run.finish()) };
}

/** Decides the latest check first, because that wait covers all others. */
export async function decideAll(
  context: Context,
  undecided: readonly Undecided[],
): Promise<RunResult['results']> {
  if (undecided.length === 0) return [];
  const overAt = limitsOverAt(context);
  const results: RunResult['results'] = [];
  const refused: Undecided[] = [];
  for (const { check, decide } of undecided.toSorted((one, other) => other.dueAt - one.dueAt)) {
    const result = await decide(overAt);
    if ('outcome' in result) results.push({ requirement: check.requirement, result });
    else refused.push(result);
  }
  return [...results, ...(await decideAll(context, refused))];
}

async function receiverFor(
  options: SuiteOptions,
  { moment }: Clock,
): Promise<Receiver | ReceiverError | undefined> {
  if (!canBeReached(options)) return undefined;
  try {
    return await startReceiver({ ...options.receiver, moment });
  } catch (error) {
    if (error instanceof ReceiverError) return error;
    throw error;
  }
}
