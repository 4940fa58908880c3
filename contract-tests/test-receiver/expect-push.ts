// The expectations that checks of receivers are made of.
import type { Difference } from './make-push.ts';
import { isAccepted, isBreakdown, type PushTrial, UnexpectedAnswer } from './push-answer.ts';
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

/** A wrong push has to be answered, and not with 2xx: a closed connection may just as well be a breakdown. */
export function requireRejected(what: string, trial: PushTrial): void {
  if (isAccepted(trial.answer) || trial.answer.kind === 'silence')
    throw new UnexpectedAnswer(`a status other than 2xx for ${what}`, trial);
}

/** For advice: any answer below 500. */
export function requireNoBreakdown(what: string, trial: PushTrial): void {
  if (isBreakdown(trial.answer)) throw new UnexpectedAnswer(`an answer below 500 to ${what}`, trial);
}

export const noSecret =
  'there is no secret to sign with; set SITEPUB_WEBHOOK_SECRET or SITEPUB_WEBHOOK_SECRET_FILE to that of the receiver';
