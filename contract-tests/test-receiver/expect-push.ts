// The verdicts that checks of receivers are made of.

import type { Difference } from './make-push.ts';
import { isAccepted, isBreakdown } from './push-answer.ts';
import { PushJudged, type Trial } from './push-trial.ts';
import type { ReceiverContext } from './receiver-context.ts';

/** A right push is answered with 2xx. `what` completes "a 2xx status for …". */
export async function expectAccepted(
  context: ReceiverContext,
  what: string,
  difference: Difference,
): Promise<Trial> {
  const trial = await context.try(difference);
  requireAccepted(what, trial);
  return trial;
}

export function requireAccepted(what: string, trial: Trial): void {
  if (!isAccepted(trial.answer)) throw new PushJudged(`a 2xx status for ${what}`, trial);
}

/** A wrong push is answered, and not with 2xx. A connection that is closed says nothing: it may as well have broken down. */
export function requireRejected(what: string, trial: Trial): void {
  if (isAccepted(trial.answer) || trial.answer.kind === 'silence')
    throw new PushJudged(`a status other than 2xx for ${what}`, trial);
}

/** For advice: neither 5xx nor silence. */
export function requireStanding(what: string, trial: Trial): void {
  if (isBreakdown(trial.answer)) throw new PushJudged(`an answer below 500 to ${what}`, trial);
}

export const noSecret =
  'there is no secret to sign with; set SITEPUB_WEBHOOK_SECRET or SITEPUB_WEBHOOK_SECRET_FILE to that of the receiver';
