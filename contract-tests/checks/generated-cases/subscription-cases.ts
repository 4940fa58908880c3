// The generated checks of creating subscriptions that need more than the table of kinds.
import { isDeepStrictEqual } from 'node:util';
import { isRateLimited } from '../../calls/expect-answer.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { bodyOf } from './body-fields.ts';
import { rightSecrets, unknownMembers } from './creation-cases.ts';
import { tryCases } from './try-cases.ts';
import {
  boundOf,
  type CreationCase,
  create,
  createValidCounterpart,
  tryRightCreations,
} from './try-creations.ts';

/** A secret may be refused for the name of its field; that is settled by one without anything rare. */
export async function trySecrets(context: Context, checkId: string): Promise<void> {
  await requireFirstSubscription(context);
  const body = bodyOf(context, 'createSubscription');
  const plain = { values: { secret: 'sitepub0secret00' } };
  const taken = await createValidCounterpart(context, body, { what: 'a plain secret', ...plain });
  if (!succeeded(taken))
    throw new NotVerified(
      `a subscription with a plain secret was refused (${describeAnswer(taken)}); see hook-2-with-secret`,
    );
  const twinOf = ({ values: { channel } = {} }: CreationCase): CreationCase =>
    channel === undefined
      ? { what: 'a plain secret', ...plain }
      : { what: `the channel ${channel} and nothing else`, values: { channel } };
  await tryRightCreations(context, checkId, { kinds: rightSecrets, twinOf });
}

/** Whether members that it does not know are refused is left to the deployment; where they are taken, nothing else may come of it. */
export async function tryUnknownMembers(context: Context, checkId: string): Promise<void> {
  await requireFirstSubscription(context);
  const body = bodyOf(context, 'createSubscription');
  const twin = await createValidCounterpart(context, body, { what: 'nothing else' });
  await tryCases(context, checkId, {
    kinds: unknownMembers,
    part: 1 / 2,
    ...boundOf(context),
    tryOne: async (wish) => {
      const exchange = await create(context, body, wish);
      if (succeeded(exchange)) requireSame(exchange, twin, wish.what);
      await observe(context, exchange, () => createValidCounterpart(context, body, { what: 'nothing else' }));
    },
  });
}

function requireSame(exchange: Exchange, twin: Exchange, what: string): void {
  if (isDeepStrictEqual(shownIn(exchange), shownIn(twin))) return;
  throw new PromiseBroken(
    `a subscription with ${what} to be the same as without it: ${JSON.stringify(shownIn(twin))}`,
    JSON.stringify(shownIn(exchange)),
    exchange,
  );
}

/** What the answer shows of the subscription; its address and identifier are its own. */
function shownIn({ values: { events, channel } }: Exchange): object {
  return { events: Array.isArray(events) ? events.toSorted() : events, channel };
}

async function observe(
  context: Context,
  exchange: Exchange,
  sendTwin: () => Promise<Exchange>,
): Promise<void> {
  if (succeeded(exchange)) return context.observations.compare('subscription.unknown-fields', 'ignored');
  if (isRateLimited(context, exchange) || !succeeded(await sendTwin())) return;
  context.observations.compare('subscription.unknown-fields', 'refused');
}
