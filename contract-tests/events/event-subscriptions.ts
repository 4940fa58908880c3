// The subscriptions that the events of a run are pushed to.

import { chatChannels, eventNames } from '../../openapi/event-names.ts';
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { anotherSite } from '../calls/sites.ts';
import { otherSession } from '../calls/user-session.ts';
import type { Context } from '../context.ts';
import { NotVerified, PromiseBroken } from '../core/outcomes.ts';
import { type Settled, settle } from '../core/settled.ts';
import { subscribe, subscribeForPush } from '../subscriptions/create-subscription.ts';
import {
  customSubscription,
  customTestPush,
  pushable,
  someEvents,
  subscriptionToAll,
} from '../subscriptions/shared-subscriptions.ts';
import {
  newSecret,
  type Subscription,
  type SubscriptionRequest,
} from '../subscriptions/subscription-calls.ts';

/** Subscriptions by what they are like. What could not be made throws, when it is asked for, why. */
export interface EventSubscriptions {
  /** The event that each of these subscriptions chose alone. */
  only: ReadonlyMap<EventName, Settled<Subscription>>;
  /** To all seven events, on the channel custom. */
  all: readonly Named[];
  /** To some of the events. */
  few: readonly (Named & { events: readonly EventName[] })[];
  /** To all events, on the chat channels. */
  chat: ReadonlyMap<Channel, Settled<Subscription>>;
  /** To one event, on the chat channels. */
  chatOnly: ReadonlyMap<Channel, { event: EventName; kept: Settled<Subscription> }>;
  /** To all events of other sites. */
  elsewhere: readonly Named[];
}

interface Named {
  name: string;
  kept: Settled<Subscription>;
}

/** Makes all of them, and tests some, so that those are among them that have been tested before. */
export async function subscribeToEvents(context: Context): Promise<EventSubscriptions> {
  const only = new Map<EventName, Settled<Subscription>>();
  for (const event of eventNames) only.set(event, await settle(() => subscribeToOne(context, event)));
  const chat = new Map<Channel, Settled<Subscription>>();
  for (const channel of chatChannels) chat.set(channel, await asTarget(subscriptionToAll(context, channel)));
  const cast = {
    only,
    chat,
    chatOnly: await subscribeChatsToOne(context),
    all: await subscribeToAll(context),
    few: await subscribeToFew(context),
    elsewhere: await subscribeElsewhere(context),
  };
  const tested = ['by-api-key', 'to-some-events'] as const;
  await Promise.all(tested.map((name) => settle(() => customTestPush(context, name))));
  return cast;
}

/** How many pushes have come to each of them. */
export function counts({ receiver }: Context, cast: EventSubscriptions): Map<string, number> {
  const subscriptions = [...cast.only.values(), ...cast.chat.values(), ...cast.all.map(({ kept }) => kept)];
  const paths = subscriptions.flatMap((kept) => (kept.error ? [] : [kept.value().path]));
  return new Map(paths.map((path) => [path, receiver?.pushesTo(path).length ?? 0]));
}

/** Secrets that are not like any other: longer than a block of SHA-256, not ASCII, and with what some escape. */
const oddSecrets: Readonly<Partial<Record<EventName, string>>> = {
  'content.publish': 'more-than-the-64-bytes-of-a-block-which-a-longer-key-is-hashed-to-first',
  'content.update': 'schlüssel-鑰匙',
  'content.delete': "a&b<c>'d+e%20",
};

/** Which secrets are taken is left open; one that is taken is to be signed with. */
async function subscribeToOne(context: Context, event: EventName): Promise<Subscription> {
  const plain = { events: [event], secret: newSecret(context) };
  const odd = oddSecrets[event];
  if (odd === undefined) return subscribeForPush(context, plain);
  const kept = await settle(() => subscribe(context, { ...plain, secret: `${plain.secret}-${odd}` }));
  return kept.error instanceof PromiseBroken ? subscribeForPush(context, plain) : kept.value();
}

const chatEvents: Readonly<Record<(typeof chatChannels)[number], EventName>> = {
  wecom: 'comment.created',
  dingtalk: 'content.delete',
  feishu: 'form.submit',
};

async function subscribeChatsToOne(context: Context): Promise<EventSubscriptions['chatOnly']> {
  const made = new Map<Channel, { event: EventName; kept: Settled<Subscription> }>();
  for (const channel of chatChannels) {
    const event = chatEvents[channel];
    const wish = { channel, events: [event], secret: newSecret(context) };
    made.set(channel, { event, kept: await settle(() => subscribeForPush(context, wish)) });
  }
  return made;
}

async function subscribeToAll(context: Context): Promise<Named[]> {
  const events = [...eventNames];
  return [
    { name: 'a receiving URL with a query', kept: await settle(() => reachedWithQuery(context)) },
    { name: 'one without a secret', kept: await settle(() => subscribeForPush(context, { events })) },
    { name: 'one that an API key has made', kept: await asTarget(customSubscription(context, 'by-api-key')) },
  ];
}

async function subscribeToFew(context: Context): Promise<EventSubscriptions['few']> {
  const events: readonly EventName[] = ['publish.failed'];
  return [
    {
      name: 'one to some events',
      events: someEvents,
      kept: await asTarget(customSubscription(context, 'to-some-events')),
    },
    {
      name: 'one without a secret to a single event',
      events,
      kept: await settle(() => subscribeForPush(context, { events })),
    },
  ];
}

/** On another site of the tenant, and on one of another tenant, as far as they are known. */
async function subscribeElsewhere(context: Context): Promise<Named[]> {
  const wish: SubscriptionRequest = { events: [...eventNames] };
  const { other } = context.options;
  const own = await settle(async () => {
    const { siteID, token } = await anotherSite(context);
    return subscribeForPush(context, { siteID, ...wish }, { token });
  });
  if (other?.siteId === undefined || (!own.error && own.value().siteID === other.siteId))
    return [{ name: 'another site', kept: own }];
  const theirs = await settle(async () => {
    const { token } = await otherSession(context);
    return subscribeForPush(context, { siteID: other.siteId, ...wish }, { token });
  });
  return [
    { name: 'another site', kept: own },
    { name: 'a site of another tenant', kept: theirs },
  ];
}

/** Where not even its test message arrives there, that is HOOK-10's matter. */
async function reachedWithQuery(context: Context): Promise<Subscription> {
  const subscription = pushable(await customSubscription(context, 'with-query'));
  const test = await settle(() => customTestPush(context, 'with-query'));
  if (test.error || test.value()) return subscription;
  throw new NotVerified('no test push arrived at a receiving URL with a query; see HOOK-10');
}

/** That such a one is refused is another promise's matter. */
async function asTarget(made: Promise<Settled<Subscription>>): Promise<Settled<Subscription>> {
  const kept = await made;
  return settle(async () => pushable(kept));
}
