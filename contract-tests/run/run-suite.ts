// A whole run: preparation, the checks one after the other, and clean-up.
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
import { notMade, prepareChecks, runCheck, type Undecided } from './run-check.ts';
import { selectChecks } from './select-checks.ts';

/** A run in progress. */
interface Run {
  context: Context;
  abort: Abort | undefined;
  /** Begins slow work, and finds out whether pushes arrive. Call it before the first check. */
  prepare(checks: readonly Check[]): Promise<void>;
  /** Runs a check, or returns why it was not made; undefined where the result comes with `lookAgain`. */
  check(check: Check): Promise<CheckResult | undefined>;
  /** Decides the checks that miss something, or whose calls are refused, once that has had its time. Call it after the last check. */
  lookAgain(): Promise<RunResult['results']>;
  /** Cleans up, and returns the result but for the checks. */
  finish(): Promise<Omit<RunResult, 'results'>>;
}

/** How a run reports its waits, is ended early, and records its cost. */
interface Runner {
  /** Called when a wait begins. */
  onWait?: OnWait;
  /** Ends the run early, with clean-up and report. */
  signal?: AbortSignal;
  recorder?: CostRecorder;
}

/** What a whole run tells on the way. */
export interface Watcher extends Pick<Runner, 'onWait' | 'signal'> {
  /** Called once with the number of checks. */
  onSelected?(count: number): void;
  /** Called when the settings fit, and the checks begin; a command's run says what will be left behind. */
  onBegun?(staying?: string): void;
  /** Called with every result. */
  onResult?(entry: RunResult['results'][number]): void;
}

/** Returns what a control API that can't be used is reported by. */
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
      if (ended && !isItsReason) return notMade(check, context.secrets.redact(ended.reason));
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

/** The result of a run that ended before anything was sent. */
export function resultOfNothing(options: SuiteOptions, abort: Abort): RunResult {
  const { journal: _none, ...rest } = options;
  return { results: [], ...endOf(createContext(rest), abort) };
}

function endOf(context: Context, abort: Abort | undefined): Omit<RunResult, 'results'> {
  return { checked: allChecks.map(({ requirement }) => requirement), ...gatherResult(context, abort) };
}

/** A whole run in this thread. */
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

/** Decides what is due last first: what is due before has then been waited for as well. */
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
