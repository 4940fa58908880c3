import { NotVerified } from '../core/outcomes.ts';
import type { Difference } from './make-push.ts';
import {
  describeAnswer,
  hasStatus,
  isAccepted,
  isBreakdown,
  isLate,
  type PushTrial,
  saysRefused,
  UnexpectedAnswer,
} from './push-answer.ts';
import type { ReceiverContext } from './receiver-context.ts';

/** Sends a push that the receiver must answer with 2xx. `what` completes "a 2xx status for …". */
export async function expectAccepted(
  context: ReceiverContext,
  what: string,
  difference: Difference,
): Promise<void> {
  requireAccepted(what, await context.sendNew(difference));
}

export function requireAccepted(what: string, trial: PushTrial): void {
  if (!isAccepted(trial.answer)) throw new UnexpectedAnswer(`a 2xx status for ${what}`, trial);
}

/**
 * Requires that an invalid push is rejected. Closing the connection counts as a rejection. 202, or a 2xx with an error in its body, is
 * inconclusive.
 */
export function requireRejected(what: string, trial: PushTrial): void {
  const problem = problemOfRefusal(what, trial);
  if (problem) throw problem;
}

/** What `requireRejected` throws, if anything. */
export function problemOfRefusal(what: string, trial: PushTrial): UnexpectedAnswer | NotVerified | undefined {
  const { answer } = trial;
  if (!isLate(answer) && !isAccepted(answer)) return undefined;
  if (hasStatus(answer, 202))
    return new NotVerified(`the receiver answered ${what} with 202, which neither accepts nor rejects it`);
  if (saysRefused(answer))
    return new NotVerified(
      `the receiver refused ${what} in the response body, but with a 2xx status (${describeAnswer(answer)})`,
    );
  return new UnexpectedAnswer(`a status other than 2xx for ${what}`, trial);
}

/** For advice: requires any answer below 500. */
export function requireNoBreakdown(what: string, trial: PushTrial): void {
  if (isBreakdown(trial.answer)) throw new UnexpectedAnswer(`an answer below 500 to ${what}`, trial);
}

export const noSecret =
  'no secret to sign pushes with; set SITEPUB_WEBHOOK_SECRET or SITEPUB_WEBHOOK_SECRET_FILE to the secret of the receiver';
