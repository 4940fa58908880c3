// A whole run without Vitest: preparation, the checks one after the other, and clean-up.
import { cleanUp } from '../calls/delete-created.ts';
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
import { patienceMs } from '../push-receiver/wait-for-push.ts';
import type { CheckResult, RunResult } from '../reports/report.ts';
import { remarkOnShownSecrets } from '../subscriptions/shown-secrets.ts';
import { gatherResult } from './gather-result.ts';
import { runPreflight } from './preflight/run-preflight.ts';
import { notMade, prepareChecks, runCheck } from './run-check.ts';
import { selectChecks } from './select-checks.ts';

/** A run in progress. */
interface Run {
  context: Context;
  abort: Abort | undefined;
  /** Begins slow work, and finds out whether pushes arrive. Call it before the first check. */
  prepare(checks: readonly Check[]): Promise<void>;
  /** Runs a check, or returns why it was not made; undefined where the result comes with `lookAgain`. */
  check(check: Check): Promise<CheckResult | undefined>;
  /** Makes the checks again that miss something, once it has had the time to come. Call it after the last check. */
  lookAgain(): Promise<RunResult['results']>;
  /** Cleans up, and returns the result but for the checks. */
  finish(): Promise<Omit<RunResult, 'results'>>;
}

/** How a run reports its waits, is ended early, and records its cost. */
interface Runner {
  onWait?: OnWait;
  signal?: AbortSignal;
  recorder?: CostRecorder;
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
  const missing: { check: Check; since: number }[] = [];
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
      const result = await runCheck(check, context);
      if ('outcome' in result) return result;
      missing.push({ check, ...result });
      return undefined;
    },
    lookAgain: () => lookAgain(context, missing),
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

/** A whole run in this process, for tests without Vitest underneath. */
export async function runSuite(options: SuiteOptions, runner: Runner = {}): Promise<RunResult> {
  const run = await startRun(options, runner);
  const results: RunResult['results'] = [];
  const selected = selectChecks(options);
  await run.prepare(selected);
  for (const check of selected) {
    const result = await run.check(check);
    if (result) results.push({ requirement: check.requirement, result });
  }
  results.push(...(await run.lookAgain()));
  return { results, ...(await run.finish()) };
}

/**
 * What has not come within the patience of a run is missing: the checks themselves wait for it, no longer than it takes to come. What was
 * caused last comes first, for what was caused earlier has then had more time.
 */
async function lookAgain(
  context: Context,
  missing: readonly { check: Check; since: number }[],
): Promise<RunResult['results']> {
  const latestFirst = missing.toSorted((one, other) => other.since - one.since);
  const [latest] = latestFirst;
  if (latest) context.clock.announce(latest.since + patienceMs(context), 'what has not come yet');
  context.isLastLook = true;
  const results: RunResult['results'] = [];
  for (const { check } of latestFirst) {
    const result = await runCheck(check, context);
    if ('outcome' in result) results.push({ requirement: check.requirement, result });
  }
  return results;
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
