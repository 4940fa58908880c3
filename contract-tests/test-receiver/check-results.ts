// What an error of a check comes to in the report.
import { NotVerified } from '../core/outcomes.ts';
import type { CheckResult, Warning } from '../reports/report.ts';
import { pushCurl } from './push-curl.ts';
import { PushJudged } from './push-trial.ts';
import type { ReceiverCheck } from './receiver-check.ts';
import type { ReceiverContext } from './receiver-context.ts';

const nothing = { reason: null, expected: null, actual: null, curl: null, trace_id: null };

export function passed({ id }: ReceiverCheck): CheckResult {
  return { id, outcome: 'passed', ...nothing };
}

export function notMade({ id }: ReceiverCheck, reason: string): CheckResult {
  return { ...nothing, id, outcome: 'not-verified', reason };
}

/** The result of a check of a promise that threw. */
export function judgeError(check: ReceiverCheck, error: unknown, context: ReceiverContext): CheckResult {
  const { redact } = context.secrets;
  if (error instanceof PushJudged)
    return { ...nothing, id: check.id, outcome: 'failed', ...evidenceOf(error, context) };
  if (error instanceof NotVerified) return notMade(check, redact(error.message));
  const message = error instanceof Error ? error.message : String(error);
  return {
    ...nothing,
    id: check.id,
    outcome: 'error',
    reason: `the suite itself went wrong: ${redact(message)}`,
  };
}

/** The warning that advice came to; advice that could not be judged comes to nothing. */
export function warningOf(
  { id }: ReceiverCheck,
  error: unknown,
  context: ReceiverContext,
): Warning | undefined {
  if (error instanceof PushJudged) return { id, ...evidenceOf(error, context) };
  if (error instanceof NotVerified) return undefined;
  throw error;
}

function evidenceOf({ message, expected, actual, push }: PushJudged, { secrets, options }: ReceiverContext) {
  const { redact } = secrets;
  return {
    reason: redact(message),
    expected: redact(expected),
    actual: redact(actual),
    curl: redact(pushCurl(push, options.url)),
  };
}
