// Runs one check, and returns its result.
import { requireLasting } from '../calls/lasting-refusal.ts';
import type { Check } from '../check.ts';
import type { Context } from '../context.ts';
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
import { settle } from '../core/settled.ts';
import { withTimeLimit } from '../core/time-limit.ts';
import { checkReceiverReachability } from '../events/receiver-reachability.ts';
import { patienceMs } from '../push-receiver/wait-for-push.ts';
import { redactTexts } from '../redaction/redact-texts.ts';
import type { CheckResult } from '../reports/report.ts';
import { evidenceFor } from './failure-evidence.ts';
import { unmetNeeds } from './needs.ts';

/** Begins the slow work of the checks. An error is ignored here, for the check that uses the result gets it again. */
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

/** Runs a check, unless something that it needs is missing. Returns a time where the check is to be made again after it. Never throws. */
export async function runCheck(check: Check, context: Context): Promise<CheckResult | { since: number }> {
  if (context.signal.aborted) return notMade(check, interruption.reason);
  const unmet = unmetNeeds(check, context);
  if (unmet !== undefined) return notMade(check, context.secrets.redact(unmet));
  const startedAt = performance.now();
  const found = await makeCheck(check, context);
  return 'since' in found ? found : { ...found, duration_ms: Math.round(performance.now() - startedAt) };
}

async function makeCheck(check: Check, context: Context): Promise<CheckResult | { since: number }> {
  try {
    await runStep(context, check, check.run);
    return result(check, 'passed');
  } catch (error) {
    if (context.signal.aborted) return notMade(check, interruption.reason);
    if (error instanceof NotSeenYet && !context.isLastLook) return { since: error.since };
    const found = resultOfError(check, await excuse(context, error), context);
    return { ...redactTexts(found, context.secrets.redact), id: check.id };
  }
}

/** A refusal that is not shown to be about the call breaks no promise. */
async function excuse(context: Context, error: unknown): Promise<unknown> {
  if (!(error instanceof WronglyRefused)) return error;
  const lasting = await settle(() => requireLasting(context, error));
  return lasting.error ?? error;
}

/** The time limit of a check but for its waits, in milliseconds. */
const usualLimitMs = 120_000;

/** Charges the check with the calls of a step. Rejects as soon as the run is interrupted; the step sends nothing more from then on. */
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

/** The result of a check that was not made. */
export function notMade(check: Check, reason: string): CheckResult {
  return result(check, 'not-verified', { reason });
}

function resultOfError(check: Check, error: unknown, context: Context): CheckResult {
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
  return result(check, 'error', { reason: `the suite itself went wrong: ${message}${where}` });
}

/** The place in our code, for a bug report. */
function firstFrame(error: Error): string {
  // The message may be a deployment's, and of any length.
  const frames = (error.stack ?? '').slice(error.message.length);
  const [, place = ''] = /\n\s+at .*?([\w-]+\.[tj]s:\d+)/.exec(frames) ?? [];
  return place && `(${place})`;
}

function result(check: Check, outcome: CheckOutcome, details: Partial<CheckResult> = {}): CheckResult {
  const nothing = { reason: null, expected: null, actual: null, curl: null, trace_id: null };
  return { id: check.id, outcome, ...nothing, ...details };
}
