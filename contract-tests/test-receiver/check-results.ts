// Results and warnings for the report, from what a check has thrown.
import { NotVerified } from '../core/outcomes.ts';
import type { CheckResult, Warning } from '../reports/report.ts';
import { isLate, UnexpectedAnswer } from './push-answer.ts';
import { pushCurl } from './push-curl.ts';
import type { ReceiverCheck } from './receiver-check.ts';
import type { ReceiverContext } from './receiver-context.ts';

const noEvidence = { reason: null, expected: null, actual: null, curl: null, trace_id: null };

export function passed({ id }: ReceiverCheck): CheckResult {
  return { ...noEvidence, id, outcome: 'passed' };
}

export function notVerified({ id }: ReceiverCheck, reason: string): CheckResult {
  return { ...noEvidence, id, outcome: 'not-verified', reason };
}

/** The result of a check of a promise that has thrown. */
export function resultOfError(check: ReceiverCheck, error: unknown, context: ReceiverContext): CheckResult {
  const { redact } = context.secrets;
  const { id } = check;
  if (error instanceof UnexpectedAnswer && isLate(error.answer))
    return notVerified(
      check,
      `${error.actual}, and the document does not say how long a receiver may take; raise --timeout`,
    );
  if (error instanceof UnexpectedAnswer)
    return { ...noEvidence, id, outcome: 'failed', ...evidenceOf(error, context) };
  if (error instanceof NotVerified) return notVerified(check, redact(error.message));
  const message = error instanceof Error ? error.message : String(error);
  const reason = `the suite itself went wrong: ${redact(message)}`;
  return { ...noEvidence, id, outcome: 'error', reason };
}

/** The warning for a check of advice that has thrown; none when it could not be verified. */
export function warningOf(
  { id }: ReceiverCheck,
  error: unknown,
  context: ReceiverContext,
): Warning | undefined {
  if (error instanceof UnexpectedAnswer) return { id, ...evidenceOf(error, context) };
  if (error instanceof NotVerified) return undefined;
  throw error;
}

function evidenceOf(
  { message, expected, actual, push }: UnexpectedAnswer,
  { secrets, options }: ReceiverContext,
) {
  const { redact } = secrets;
  return {
    reason: redact(message),
    expected: redact(expected),
    actual: redact(actual),
    curl: redact(pushCurl(push, options.url)),
  };
}
