// All other checks depend on this one: if the receiver accepts no valid push, a refusal proves nothing.
import { eventNames } from '../../../openapi/event-names.ts';
import type { Difference } from '../make-push.ts';
import { isAccepted, type PushTrial } from '../push-answer.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { judgeRefusal } from './judge-refusal.ts';

export const rightPush: ReceiverCheck = {
  id: 'recv-1-right-push',
  requirement: 'RECV-1',
  what: 'a valid push, preferably of publish.complete; all other checks depend on it',
  pushes: 16,
  run: async (context) => {
    const trial = await context.sendNew();
    if (isAccepted(trial.answer)) return;
    const isAnswered = trial.answer.kind === 'answered';
    if (isAnswered && ((await wantsOtherForm(context)) || (await wantsOtherEvent(context)))) return;
    await judgeRefusal(context, trial);
  },
};

interface OtherForm {
  gap: 'webhook.timestamp-unit' | 'webhook.content-type' | 'webhook.signature-hex';
  difference: Difference;
  /** Makes all further pushes use this form. */
  use(): void;
  what: string;
}

/** Gaps for which a receiver may expect another value. If the profile states the case of the hex, only that is valid. */
function otherForms({ factory, options }: ReceiverContext): OtherForm[] {
  const { usual } = factory;
  const unit = usual.unit === 'seconds' ? 'milliseconds' : 'seconds';
  const contentType = usual.contentType.includes(';')
    ? 'application/json'
    : 'application/json; charset=utf-8';
  const forms: OtherForm[] = [
    {
      gap: 'webhook.timestamp-unit',
      difference: { unit },
      use: () => Object.assign(usual, { unit }),
      what: `refuses timestamps in ${usual.unit}, accepts ${unit}`,
    },
    {
      gap: 'webhook.content-type',
      difference: { contentType },
      use: () => Object.assign(usual, { contentType }),
      what: `refuses ${usual.contentType}, accepts ${contentType}`,
    },
  ];
  if (usual.hex === 'upper' || options.profile.stated.has('webhook.signature-hex')) return forms;
  const use = () => Object.assign(usual, { hex: 'upper' });
  const what = 'refuses lower-case signatures, accepts upper-case ones';
  return [
    ...forms,
    { gap: 'webhook.signature-hex', difference: { signature: { form: 'upper' } }, use, what },
  ];
}

async function wantsOtherForm(context: ReceiverContext): Promise<boolean> {
  for (const { gap, difference, use, what } of otherForms(context)) {
    if (!isAccepted((await context.sendNew(difference)).answer)) continue;
    use();
    context.observations.drifts(gap, what);
    return true;
  }
  return false;
}

/** If the user stated no events, the receiver may accept any of them. */
async function wantsOtherEvent({ options, factory, sendNew }: ReceiverContext): Promise<boolean> {
  if (options.knowsEvents) return false;
  for (const event of eventNames.filter((name) => name !== factory.usual.event)) {
    const { answer }: PushTrial = await sendNew({ event });
    if (!isAccepted(answer)) continue;
    factory.usual.event = event;
    return true;
  }
  return false;
}
