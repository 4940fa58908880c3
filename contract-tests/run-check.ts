// Runs one check and says what it came to.
import type { Check } from './check.ts';
import type { Context } from './context.ts';
import { curlLine } from './curl.ts';
import { type Exchange, envelopeOf } from './exchange.ts';
import { unmetNeed } from './needs.ts';
import { HarnessError, NotVerified, type Outcome, PromiseBroken, Unreachable } from './outcomes.ts';

/** One check in the report. Texts are free of secrets. */
export interface CheckResult {
  id: string;
  outcome: Outcome;
  reason: string | null;
  expected: string | null;
  actual: string | null;
  curl: string | null;
  trace_id: string | null;
}

/** Runs a check, unless something that it needs is missing. Never throws. */
export async function runCheck(check: Check, context: Context): Promise<CheckResult> {
  const unmet = check.needs.map((need) => unmetNeed(need, context)).find((reason) => reason !== undefined);
  if (unmet !== undefined) return result(check, 'not-verified', { reason: unmet });
  try {
    await check.run(context);
    return result(check, 'passed');
  } catch (error) {
    return redacted(judgeError(check, error, context), context);
  }
}

/** The result of a check that was not made, for a reason that holds for all of them. */
export function notMade(check: Check, reason: string): CheckResult {
  return result(check, 'not-verified', { reason });
}

function judgeError(check: Check, error: unknown, context: Context): CheckResult {
  if (error instanceof PromiseBroken) {
    const { expected, actual, exchange } = error;
    return result(check, 'failed', {
      reason: error.message,
      expected,
      actual,
      ...evidence(exchange, context),
    });
  }
  if (error instanceof NotVerified) return result(check, 'not-verified', { reason: error.message });
  if (error instanceof Unreachable) {
    return result(check, 'not-verified', { reason: `the deployment did not answer: ${error.message}` });
  }
  const message = error instanceof Error ? error.message : String(error);
  const where = error instanceof HarnessError || !(error instanceof Error) ? '' : ` ${firstFrame(error)}`;
  return result(check, 'error', { reason: `the suite itself went wrong: ${message}${where}` });
}

/** Where in our own code, for the report of a bug; the rest of the stack helps nobody. */
function firstFrame(error: Error): string {
  const [, place = ''] = /\n\s+at .*?([\w-]+\.[tj]s:\d+)/.exec(error.stack ?? '') ?? [];
  return place && `(${place})`;
}

function evidence(exchange: Exchange | undefined, context: Context): Partial<CheckResult> {
  if (!exchange) return {};
  const traceId = envelopeOf(exchange).trace_id;
  return {
    curl: curlLine(exchange.request, context.secrets),
    trace_id: typeof traceId === 'string' ? traceId : null,
  };
}

function result(check: Check, outcome: Outcome, details: Partial<CheckResult> = {}): CheckResult {
  const nothing = { reason: null, expected: null, actual: null, curl: null, trace_id: null };
  return { id: check.id, outcome, ...nothing, ...details };
}

function redacted(found: CheckResult, { secrets }: Context): CheckResult {
  const clean = (text: string | null) => (text === null ? null : secrets.redact(text));
  const { reason, expected, actual, curl } = found;
  return {
    ...found,
    reason: clean(reason),
    expected: clean(expected),
    actual: clean(actual),
    curl: clean(curl),
  };
}
