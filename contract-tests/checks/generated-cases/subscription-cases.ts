// The generated checks of creations that need more than a list of kinds.
import { isDeepStrictEqual } from 'node:util';
import { isRateLimited } from '../../calls/expect-answer.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { writeJson } from '../../core/parse-json.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { bodyFieldsOf } from './body-fields.ts';
import { unknownMembers, unknownSites, validEventsOnChat } from './creation-cases.ts';
import { tryCases } from './try-cases.ts';
import {
  type CreationCase,
  createCase,
  createValidCounterpart,
  creationBound,
  tryInvalidCreations,
  tryValidCreations,
} from './try-creations.ts';

/** Events on a chat channel. A robot may be accepted at some addresses only, so the valid counterpart is on the same channel. */
export function tryEventsOnChat(context: Context, checkId: string): Promise<void> {
  const counterpartOf = ({ values: { channel } = {} }: CreationCase) => onChannelAlone(channel);
  return tryValidCreations(context, checkId, { kinds: validEventsOnChat, counterpartOf });
}

export function tryUnknownSites(context: Context, checkId: string): Promise<void> {
  const kinds = () => unknownSites(context.siteId);
  return tryInvalidCreations(context, checkId, { kinds, error: 'unknown-site' });
}

export function onChannelAlone(channel: unknown): CreationCase {
  return { what: `the channel ${channel} and nothing else`, values: { channel } };
}

/** A deployment may refuse unknown members; where it accepts them, they must change nothing. */
export async function tryUnknownMembers(context: Context, checkId: string): Promise<void> {
  await requireFirstSubscription(context);
  const body = bodyFieldsOf(context, 'createSubscription');
  const createPlain = () => createValidCounterpart(context, body, { what: 'nothing else' });
  const plain = await createPlain();
  if (!succeeded(plain)) throw new NotVerified(`a plain subscription was refused (${describeAnswer(plain)})`);
  await tryCases(context, checkId, {
    kinds: unknownMembers,
    part: 1 / 2,
    ...creationBound(context, 1),
    tryOne: async (creation) => {
      const exchange = await createCase(context, body, creation);
      if (succeeded(exchange)) requireSame(exchange, plain, creation.what);
      await observe(context, exchange, createPlain);
    },
  });
}

function requireSame(exchange: Exchange, plain: Exchange, what: string): void {
  if (isDeepStrictEqual(shownIn(exchange), shownIn(plain))) return;
  throw new PromiseBroken(
    `a subscription with ${what} to be the same as without it: ${writeJson(shownIn(plain))}`,
    writeJson(shownIn(exchange)),
    exchange,
  );
}

/** The members of the answer that must not differ; the address and the identifier do. */
function shownIn({ values: { events, channel } }: Exchange): object {
  return { events: Array.isArray(events) ? events.toSorted() : events, channel };
}

async function observe(
  context: Context,
  exchange: Exchange,
  createPlain: () => Promise<Exchange>,
): Promise<void> {
  if (succeeded(exchange)) return context.observations.compare('subscription.unknown-fields', 'ignored');
  if (isRateLimited(context, exchange) || !succeeded(await createPlain())) return;
  context.observations.compare('subscription.unknown-fields', 'refused');
}
