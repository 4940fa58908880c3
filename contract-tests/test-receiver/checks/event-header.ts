// X-Webhook-Event is not signed, so anybody who intercepts a push can change it. A receiver should ignore it, or refuse a push whose
// body names another event. The interface document does not forbid to rely on it.
import { eventNames } from '../../../openapi/event-names.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { isAccepted, type PushTrial, UnexpectedAnswer } from '../push-answer.ts';
import { advice, type ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';

const names = [...eventNames, 'site.archive'];
const what = 'valid pushes with the name of another event in X-Webhook-Event';

/** Sends the usual event under every other name, and another event under the usual name. */
export const eventHeader: ReceiverCheck = advice('event-header-is-not-followed', {
  what,
  pushes: names.length + 1,
  run: async (context) => {
    const trials = [...(await renamed(context)), ...(await disguised(context))];
    const refused = trials.find(({ answer }) => !isAccepted(answer));
    const accepted = trials.find(({ answer }) => isAccepted(answer));
    if (refused && accepted)
      throw new UnexpectedAnswer(
        'the same answer for any X-Webhook-Event, because the header is not signed and the body names the event',
        refused,
        ` for X-Webhook-Event: ${nameIn(refused)}, but 2xx for ${nameIn(accepted)}, which is not the event of the body either`,
      );
  },
});

async function renamed(context: ReceiverContext): Promise<PushTrial[]> {
  const trials: PushTrial[] = [];
  for (const named of names.filter((name) => name !== context.factory.usual.event))
    trials.push(await context.sendNew({ named }));
  return trials;
}

/** Sends another event unchanged first: if its guessed data is refused, a refusal proves nothing. */
async function disguised(context: ReceiverContext): Promise<PushTrial[]> {
  const [event] = context.options.events.filter((name) => name !== context.factory.usual.event);
  if (!event) return [];
  const plain = await context.sendNew({ event });
  return isAccepted(plain.answer)
    ? [await context.sendNew({ event, named: context.factory.usual.event })]
    : [];
}

function nameIn({ push }: PushTrial): string {
  const value = push.headers.find(([name]) => name === 'X-Webhook-Event')?.[1];
  if (typeof value !== 'string') throw new NotVerified('the push names no event');
  return value;
}
