// The check that all others rest on: where no right push is taken, nothing can be told from refusals.
import { NotVerified } from '../../core/outcomes.ts';
import type { Difference } from '../make-push.ts';
import { isAccepted } from '../push-answer.ts';
import { PushJudged, type Trial } from '../push-trial.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { guessedReason, isGuessed } from './seven-events.ts';

export const rightPush: ReceiverCheck = {
  id: 'recv-1-right-push',
  requirement: 'RECV-1',
  what: 'a right push of publish.complete, which all others are compared with',
  pushes: 5,
  run: async (context) => {
    const trial = await context.try();
    if (isAccepted(trial.answer)) return;
    if (trial.answer.kind === 'answered' && (await wantsOtherUnit(context))) return;
    const remark = await remarkOn(context, trial);
    if (remark === '' && isGuessed(context, context.forge.usual))
      throw new NotVerified(guessedReason(context.forge.usual, trial));
    throw new PushJudged(`a 2xx status for a right push of ${context.forge.usual}`, trial, remark);
  },
};

/** The unit of the timestamp is a gap: a receiver that wants the other one is right, and so are the further pushes then. */
async function wantsOtherUnit(context: ReceiverContext): Promise<boolean> {
  const { forge, observations } = context;
  const unit = forge.unit();
  const other = unit === 'seconds' ? 'milliseconds' : 'seconds';
  forge.useUnit(other);
  const { answer } = await context.try();
  if (!isAccepted(answer)) forge.useUnit(unit);
  else observations.drifts('webhook.timestamp-unit', `pushes in ${unit} are refused, in ${other} accepted`);
  return isAccepted(answer);
}

/** Wrong pushes that such receivers take which look for something else, and what to say of them. */
const mistakes: readonly (readonly [difference: Difference, remark: string])[] = [
  [
    { signature: { form: 'upper' } },
    'the same with its hex in upper case is accepted: where the deployment signs so, state webhook.signature-hex: upper in a profile (--profile)',
  ],
  [{ signature: { prefix: '' } }, 'the same without "sha256=" before the hex is accepted'],
  [{ signature: null }, 'the same without a signature is accepted'],
];

async function remarkOn(context: ReceiverContext, { answer }: Trial): Promise<string> {
  if (answer.kind === 'silence') return '';
  for (const [difference, remark] of mistakes) {
    const trial = await context.try(difference);
    if (isAccepted(trial.answer)) return `; ${remark}`;
  }
  return hintFor(answer.status);
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return '; is SITEPUB_WEBHOOK_SECRET the secret of this receiver?';
  if (status === 404 || status === 405)
    return '; is --url the address, path included, that takes the pushes?';
  if (status >= 300 && status < 400) return '; redirects are not followed, so give --url its final address';
  return '';
}
