import { requireLasting } from '../calls/lasting-refusal.ts';
import type { Check } from '../check.ts';
import type { Context } from '../context.ts';
import { withTimeLimit } from '../core/call-scopes.ts';
import { unlessAborted } from '../core/ending.ts';
import {
  type CheckOutcome,
  HarnessError,
  interruption,
  NotApplicable,
  NotSeenYet,
  NotVerified,
  PromiseBroken,
  Unreachable,
  WronglyRefused,
} from '../core/outcomes.ts';
import { checkReceiverReachability } from '../events/receiver-reachability.ts';
import { patienceMs } from '../push-receiver/wait-for-push.ts';
import { redactTexts } from '../redaction/redact.ts';
import type { CheckResult } from '../reports/report.ts';
import { evidenceFor } from './failure-evidence.ts';
import { unmetNeeds } from './needs.ts';

/** Starts the slow work of the checks. Ignores errors, because the check that uses the result gets them again. */
export async function prepareChecks(checks: readonly Check[], context: Context): Promise<void> {
  const possible = (check: Check) => unmetNeeds(check, context) === undefined;
  if (checks.some((check) => check.needs.includes('receiver') && possible(check)))
    await unlessAborted(context.signal, checkReceiverReachability(context));
  for (const check of checks) {
    if (!check.prepare || !possible(check)) continue;
    try {
      await runStep(context, check, check.prepare);
    } catch {}
  }
}

/** A check whose result is not known yet. */
export interface Undecided {
  check: Check;
  /** When it can be decided, in milliseconds since 1970, by the deployment's clock. */
  dueAt: number;
  /** A need: the check must be decided before a check with this need runs. */
  spoiledBy?: string | undefined;
  /** Waits until `dueAt`; for a refusal also until rate limits are over. Returns Undecided again after a new refusal. Never throws. */
  decide(limitsOverAt: number): Promise<CheckResult | Undecided>;
}

/** Runs a check if its needs are met. Never throws. */
export async function runCheck(check: Check, context: Context): Promise<CheckResult | Undecided> {
  if (context.signal.aborted) return skipped(check, interruption.reason);
  const unmet = unmetNeeds(check, context);
  if (unmet !== undefined) return skipped(check, context.secrets.redact(unmet));
  return timed(() => makeCheck(check, context));
}

async function timed(
  work: () => Promise<CheckResult | Undecided>,
  beforeMs = 0,
): Promise<CheckResult | Undecided> {
  const startedAt = performance.now();
  const found = await work();
  const tookMs = beforeMs + performance.now() - startedAt;
  if ('outcome' in found) return { ...found, duration_ms: Math.round(tookMs) };
  return { ...found, decide: (overAt) => timed(() => found.decide(overAt), tookMs) };
}

async function makeCheck(check: Check, context: Context): Promise<CheckResult | Undecided> {
  try {
    await runStep(context, check, check.run);
    return result(check, 'passed');
  } catch (error) {
    if (error instanceof NotSeenYet && !context.isLastLook) return awaitArrival(check, context, error);
    if (error instanceof WronglyRefused) return judgeRefusal(check, context, error);
    return resultOfError(check, error, context);
  }
}

/** Runs the check again when the awaited push has had its time; the check then waits for it. */
function awaitArrival(check: Check, context: Context, { since }: NotSeenYet): Undecided {
  const dueAt = since + patienceMs(context);
  const decide = () => {
    context.clock.announce(dueAt, 'a push that has not arrived yet');
    return runCheck(check, context);
  };
  return { check, dueAt, decide };
}

/** A refusal fails only if it lasts. The run waits for all refusals together, unless the clock can be moved. */
async function judgeRefusal(
  check: Check,
  context: Context,
  error: WronglyRefused,
): Promise<CheckResult | Undecided> {
  try {
    const { dueAt, lookAtLast } = await requireLasting(context, error);
    const decide = (overAt: number) =>
      decideRefusal(check, context, { error, look: () => lookAtLast(overAt) });
    const { spoiledBy } = error.trial;
    return context.clock.isMoved ? await decide(0) : { check, dueAt, spoiledBy, decide };
  } catch (otherwise) {
    return resultOfError(check, otherwise, context);
  }
}

async function decideRefusal(
  check: Check,
  context: Context,
  { error, look }: { error: WronglyRefused; look: () => Promise<void> },
): Promise<CheckResult> {
  const ended = context.signal.aborted ? interruption : context.ended;
  if (ended) return skipped(check, context.secrets.redact(ended.reason));
  try {
    await look();
    return resultOfError(check, error, context);
  } catch (otherwise) {
    return resultOfError(check, otherwise, context);
  }
}

/** In milliseconds, without waits. */
const usualLimitMs = 120_000;

/** Records the calls of the step as a cost of the check. Rejects as soon as the run is interrupted; the step then sends nothing more. */
function runStep(context: Context, { id, longestMs }: Check, step: Check['run']): Promise<void> {
  const { recorder, signal, options, isLastLook } = context;
  const lastWaitMs = isLastLook ? patienceMs(context) : 0;
  const limitMs = (longestMs ?? usualLimitMs + options.maxWaitMs) + lastWaitMs;
  return new Promise((resolve, reject) => {
    const charged = () => (recorder ? recorder.charge('checks', id, () => step(context)) : step(context));
    const work = withTimeLimit(limitMs, charged);
    const stop = () => reject(new NotVerified(interruption.reason));
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

export function skipped(check: Check, reason: string): CheckResult {
  return result(check, 'not-verified', { reason });
}

function resultOfError(check: Check, error: unknown, context: Context): CheckResult {
  if (context.signal.aborted) return skipped(check, interruption.reason);
  return { ...redactTexts(describeError(check, error, context), context.secrets.redact), id: check.id };
}

function describeError(check: Check, error: unknown, context: Context): CheckResult {
  if (error instanceof PromiseBroken) {
    const { expected, actual, message: reason } = error;
    return result(check, 'failed', { reason, expected, actual, ...evidenceFor(error, context) });
  }
  if (error instanceof NotVerified) return result(check, 'not-verified', { reason: error.message });
  if (error instanceof NotApplicable) return result(check, 'not-applicable', { reason: error.message });
  if (error instanceof NotSeenYet) return result(check, 'not-verified', { reason: error.message });
  if (error instanceof Unreachable) {
    return result(check, 'not-verified', { reason: `the deployment did not answer: ${error.message}` });
  }
  const message = error instanceof Error ? error.message : String(error);
  const where = error instanceof HarnessError || !(error instanceof Error) ? '' : ` ${firstFrame(error)}`;
  return result(check, 'error', { reason: `error in the suite: ${message}${where}` });
}

/** The source location, for bug reports. */
function firstFrame(error: Error): string {
  // The message may come from a deployment and may look like a stack trace.
  const frames = (error.stack ?? '').slice(error.message.length);
  const [, place = ''] = /\n\s+at .*?([\w-]+\.[tj]s:\d+)/.exec(frames) ?? [];
  return place && `(${place})`;
}

function result(check: Check, outcome: CheckOutcome, details: Partial<CheckResult> = {}): CheckResult {
  const nothing = { reason: null, expected: null, actual: null, curl: null, trace_id: null };
  return { id: check.id, outcome, ...nothing, ...details };
}
