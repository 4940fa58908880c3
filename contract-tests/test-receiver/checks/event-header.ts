// X-Webhook-Event is not signed: anybody who gets hold of a push can change it. A receiver may ignore it, or compare it with the body
// and refuse whatever differs. One whose answer hangs on what the header says does neither: it follows the header.

import { eventNames } from '../../../openapi/event-names.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { isAccepted } from '../push-answer.ts';
import { PushJudged, type Trial } from '../push-trial.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';

const names = [...eventNames, 'site.archive'];
const what = 'right pushes of one event under the names of others in X-Webhook-Event';

/** The same event under every other name, and another event under the name of this one. */
export const eventHeader: ReceiverCheck = {
  id: 'recv-1-event-header-is-not-followed',
  requirement: 'RECV-1',
  what,
  pushes: names.length + 1,
  run: async (context) => {
    const trials = [...(await renamed(context)), ...(await disguised(context))];
    const refused = trials.find(({ answer }) => !isAccepted(answer));
    const accepted = trials.find(({ answer }) => isAccepted(answer));
    if (refused && accepted)
      throw new PushJudged(
        'the same answer whatever X-Webhook-Event says: it is not signed, and the body names the event',
        refused,
        ` to X-Webhook-Event: ${nameIn(refused)}, but 2xx to ${nameIn(accepted)}, which is not the event of the body either`,
      );
  },
};

async function renamed(context: ReceiverContext): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const named of names.filter((name) => name !== context.forge.usual))
    trials.push(await context.try({ named }));
  return trials;
}

/** What another event's data look like may be a wrong guess; then its refusal says nothing. */
async function disguised(context: ReceiverContext): Promise<Trial[]> {
  const [event] = context.options.events.filter((name) => name !== context.forge.usual);
  if (!event) return [];
  const plain = await context.try({ event });
  return isAccepted(plain.answer) ? [await context.try({ event, named: context.forge.usual })] : [];
}

function nameIn({ push }: Trial): string {
  const value = push.headers.find(([name]) => name === 'X-Webhook-Event')?.[1];
  if (typeof value !== 'string') throw new NotVerified('the push names no event');
  return value;
}
