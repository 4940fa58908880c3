// The check that all others depend on: when no right push is accepted, a refusal proves nothing.
import { NotVerified } from '../../core/outcomes.ts';
import type { Difference } from '../make-push.ts';
import { isAccepted, type PushTrial, UnexpectedAnswer } from '../push-answer.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { guessedReason, isGuessed } from './seven-events.ts';

export const rightPush: ReceiverCheck = {
  id: 'recv-1-right-push',
  requirement: 'RECV-1',
  what: 'a right push of publish.complete, which all others are compared with',
  pushes: 5,
  run: async (context) => {
    const trial = await context.sendNew();
    if (isAccepted(trial.answer)) return;
    if (trial.answer.kind === 'answered' && (await wantsOtherUnit(context))) return;
    const remark = await remarkOn(context, trial);
    if (remark === '' && isGuessed(context, context.factory.usual))
      throw new NotVerified(guessedReason(context.factory.usual, trial));
    throw new UnexpectedAnswer(`a 2xx status for a right push of ${context.factory.usual}`, trial, remark);
  },
};

/** The unit of the timestamp is a gap: a receiver may expect the other one, which further pushes then use. */
async function wantsOtherUnit(context: ReceiverContext): Promise<boolean> {
  const { factory, observations } = context;
  const unit = factory.unit();
  const other = unit === 'seconds' ? 'milliseconds' : 'seconds';
  factory.useUnit(other);
  const { answer } = await context.sendNew();
  if (!isAccepted(answer)) factory.useUnit(unit);
  else observations.drifts('webhook.timestamp-unit', `pushes in ${unit} are refused, in ${other} accepted`);
  return isAccepted(answer);
}

/** Wrong pushes that a receiver with a known mistake accepts, with the remark for the report. */
const mistakes: readonly (readonly [difference: Difference, remark: string])[] = [
  [
    { signature: { form: 'upper' } },
    'the same with its hex in upper case is accepted: where the deployment signs so, state webhook.signature-hex: upper in a profile (--profile)',
  ],
  [{ signature: { prefix: '' } }, 'the same without "sha256=" before the hex is accepted'],
  [{ signature: null }, 'the same without a signature is accepted'],
];

async function remarkOn(context: ReceiverContext, { answer }: PushTrial): Promise<string> {
  if (answer.kind === 'silence') return '';
  for (const [difference, remark] of mistakes) {
    const trial = await context.sendNew(difference);
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
