// The expectations that checks of receivers are made of.
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

/** Sends a push that has to be answered with 2xx. `what` completes "a 2xx status for …". */
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
 * A wrong push must not be accepted. Closing the connection rejects it as well; 202 leaves open whether it will be, and so does a 2xx whose
 * body says no, as robots and this service's own answers do.
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
    return new NotVerified(
      `${what} was answered with 202, which says neither that it is accepted nor that it is not`,
    );
  if (saysRefused(answer))
    return new NotVerified(
      `${what} was refused in the body of the answer, but with a 2xx status (${describeAnswer(answer)})`,
    );
  return new UnexpectedAnswer(`a status other than 2xx for ${what}`, trial);
}

/** For advice: any answer below 500. */
export function requireNoBreakdown(what: string, trial: PushTrial): void {
  if (isBreakdown(trial.answer)) throw new UnexpectedAnswer(`an answer below 500 to ${what}`, trial);
}

export const noSecret =
  'there is no secret to sign with; set SITEPUB_WEBHOOK_SECRET or SITEPUB_WEBHOOK_SECRET_FILE to that of the receiver';
