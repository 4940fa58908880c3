// The subscriptions that receive the events of a run.
import { chatChannels, eventNames } from '../../openapi/event-names.ts';
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { anotherSite } from '../calls/sites.ts';
import type { Context } from '../context.ts';
import { NotVerified } from '../core/outcomes.ts';
import { isSameId } from '../core/parse-json.ts';
import { type Settled, settle } from '../core/settled.ts';
import { firstChosenEvent } from '../push-receiver/read-push.ts';
import { subscribe, subscribeForPush, withOddSecret } from '../subscriptions/create-subscription.ts';
import { subscriptionOfOther } from '../subscriptions/foreign-subscriptions.ts';
import { isSparing, staysBehind } from '../subscriptions/left-behind.ts';
import type { SecretShape } from '../subscriptions/odd-secrets.ts';
import { newSecret } from '../subscriptions/secret-forms.ts';
import {
  type CustomSubscription,
  customSubscription,
  pushable,
  someEvents,
  subscriptionToAll,
  subscriptionToOne,
} from '../subscriptions/shared-subscriptions.ts';
import { customTestPush } from '../subscriptions/shared-tests.ts';
import type { Subscription, SubscriptionRequest } from '../subscriptions/subscription-calls.ts';

/** Subscriptions by kind. The value of one that could not be created throws the reason. */
export interface EventSubscriptions {
  /** To a single event each, which is the key. */
  only: ReadonlyMap<EventName, Settled<Subscription>>;
  /** To all seven events, on the channel custom. */
  all: readonly NamedSubscription[];
  /** To some of the events. */
  some: readonly (NamedSubscription & { events: readonly EventName[] })[];
  /** To all events, on the chat channels. */
  chat: ReadonlyMap<Channel, Settled<Subscription>>;
  /** To one event, on the chat channels. */
  chatOnly: ReadonlyMap<Channel, { event: EventName; subscription: Settled<Subscription> }>;
  /** To all events of other sites. */
  elsewhere: readonly NamedSubscription[];
  /** Whether those of `only` are one subscription, which chose all events: where each would stay. */
  isShared: boolean;
}

interface NamedSubscription {
  name: string;
  subscription: Settled<Subscription>;
}

/** Creates all of them, and tests some, so that the events also go to subscriptions that have been tested before. */
export async function subscribeToEvents(context: Context): Promise<EventSubscriptions> {
  // The most valuable first: a deployment may take no more than a few.
  const withQuery = await named('a receiving URL with a query', () => reachableWithQuery(context));
  const only = new Map<EventName, Settled<Subscription>>();
  const isShared = isSparing(context);
  for (const event of eventNames)
    only.set(event, isShared ? withQuery.subscription : await settle(() => subscribeToOne(context, event)));
  const chat = new Map<Channel, Settled<Subscription>>();
  for (const channel of chatChannels)
    chat.set(channel, await settle(async () => pushable(await subscriptionToAll(context, channel))));
  const subscriptions = {
    only,
    chat,
    chatOnly: await subscribeChatsToOne(context),
    all: [withQuery, ...(await subscribeToAll(context))],
    some: await subscribeToSome(context),
    elsewhere: await subscribeElsewhere(context),
    isShared,
  };
  const tested = ['by-api-key', 'to-some-events'] as const;
  await Promise.all(tested.map((name) => settle(() => customTestPush(context, name))));
  return subscriptions;
}

/** Each subscription to a single event has a secret of another shape; with more events than shapes, they repeat. */
const secretShapes: readonly SecretShape[] = [
  'longer than a block',
  'outside ASCII',
  'with characters that are escaped',
  'with decomposed letters',
  'with blanks at the ends',
  'hexadecimal',
  'in base64',
];

async function subscribeToOne(context: Context, event: EventName): Promise<Subscription> {
  const shape = secretShapes[eventNames.indexOf(event) % secretShapes.length] ?? 'hexadecimal';
  const created = await settle(() =>
    withOddSecret(context, shape, (secret) => subscribe(context, { events: [event], secret })),
  );
  return pushable(created);
}

/** The event that the subscription on each chat channel chooses, in the order of the channels. */
const chatEvents: readonly EventName[] = ['comment.created', 'content.delete', 'form.submit'];

async function subscribeChatsToOne(context: Context): Promise<EventSubscriptions['chatOnly']> {
  const subscriptions = new Map<Channel, { event: EventName; subscription: Settled<Subscription> }>();
  for (const [index, channel] of chatChannels.entries()) {
    if (staysBehind(context)) {
      const subscription = await settle(async () => pushable(await subscriptionToOne(context, channel)));
      subscriptions.set(channel, { event: firstChosenEvent, subscription });
      continue;
    }
    const event = chatEvents[index % chatEvents.length] ?? firstChosenEvent;
    const request = { channel, events: [event], secret: newSecret(context) };
    subscriptions.set(channel, {
      event,
      subscription: await settle(() => subscribeForPush(context, request)),
    });
  }
  return subscriptions;
}

async function subscribeToAll(context: Context): Promise<NamedSubscription[]> {
  const events = [...eventNames];
  if (isSparing(context)) return [];
  return [
    await named('one without a secret', () => subscribeForPush(context, { events })),
    await named('one created with an API key', () => customTarget(context, 'by-api-key')),
  ];
}

async function subscribeToSome(context: Context): Promise<EventSubscriptions['some']> {
  const events: readonly EventName[] = ['publish.failed'];
  const some = await named('one to some events', () => customTarget(context, 'to-some-events'));
  if (staysBehind(context)) return [{ ...some, events: someEvents }];
  const single = await named('one without a secret to a single event', () =>
    subscribeForPush(context, { events }),
  );
  return [
    { ...some, events: someEvents },
    { ...single, events },
  ];
}

/** On another site of the tenant, and on one of another tenant, where they are known. */
async function subscribeElsewhere(context: Context): Promise<NamedSubscription[]> {
  const request: SubscriptionRequest = { events: [...eventNames] };
  const { other } = context.options;
  if (staysBehind(context)) return sharedElsewhere(context);
  const own = await named('another site', async () => {
    const { siteID, token } = await anotherSite(context);
    return subscribeForPush(context, { siteID, ...request }, { token });
  });
  const { error, value } = own.subscription;
  if (other?.siteId === undefined || (!error && isSameId(value().siteID, other.siteId))) return [own];
  const theirs = await named('a site of another tenant', async () =>
    pushable(await subscriptionOfOther(context, 'for events')),
  );
  return [own, theirs];
}

/** The same where each would stay: those that other checks need as well. */
async function sharedElsewhere(context: Context): Promise<NamedSubscription[]> {
  const own = await named('another site', () => customTarget(context, 'on-another-site'));
  if (context.options.other?.siteId === undefined) return [own];
  const theirs = await named('a site of another tenant', async () =>
    pushable(await subscriptionOfOther(context, 'for events')),
  );
  return own.subscription.error ? [theirs] : [own, theirs];
}

async function named(name: string, make: () => Promise<Subscription>): Promise<NamedSubscription> {
  return { name, subscription: await settle(make) };
}

/** Throws NotVerified where not even a test push arrives: HOOK-10 fails that. */
async function reachableWithQuery(context: Context): Promise<Subscription> {
  const subscription = await customTarget(context, 'with-query');
  const test = await settle(() => customTestPush(context, 'with-query'));
  if (test.error || test.value()) return subscription;
  throw new NotVerified('no test push arrived at a receiving URL with a query; see HOOK-10');
}

async function customTarget(context: Context, name: CustomSubscription): Promise<Subscription> {
  return pushable(await customSubscription(context, name));
}
