// The check that all others depend on: when no right push is accepted, a refusal proves nothing.
import { eventNames } from '../../../openapi/event-names.ts';
import type { Difference } from '../make-push.ts';
import { isAccepted, type PushTrial } from '../push-answer.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { judgeRefusal } from './judge-refusal.ts';

export const rightPush: ReceiverCheck = {
  id: 'recv-1-right-push',
  requirement: 'RECV-1',
  what: 'a right push, which all others are compared with; of publish.complete where that is accepted',
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
  /** Further pushes have this form. */
  use(): void;
  what: string;
}

/** What the document leaves open, a receiver may expect otherwise. Where a profile says how the hex is written, only that is right. */
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
      what: `pushes in ${usual.unit} are refused, in ${unit} accepted`,
    },
    {
      gap: 'webhook.content-type',
      difference: { contentType },
      use: () => Object.assign(usual, { contentType }),
      what: `pushes as ${usual.contentType} are refused, as ${contentType} accepted`,
    },
  ];
  if (usual.hex === 'upper' || options.profile.stated.has('webhook.signature-hex')) return forms;
  const use = () => Object.assign(usual, { hex: 'upper' });
  const what = 'signatures in lower case are refused, in upper case accepted';
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

/** Where nobody said which events the receiver takes, it may take any of them. */
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
