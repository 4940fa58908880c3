// Subscriptions of every kind, each made once a run and shared by all checks, and the test pushes that come of them.

import { eventNames } from '../../openapi/event-names.ts';
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { ownOtherSite } from '../calls/sites.ts';
import { type Context, once } from '../context.ts';
import { describeAnswer, succeeded } from '../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../core/outcomes.ts';
import { type Settled, settle } from '../core/settled.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { firstChosen } from '../push-receiver/read-push.ts';
import { arrivalAfter, arrivalMs } from '../push-receiver/wait-for-push.ts';
import { subscribe } from './create-subscription.ts';
import { newSecret, nextPath, nobodysUrl, type Subscription, sendTest } from './subscription-calls.ts';

export interface Kind {
  channel: Channel;
  signed: boolean;
}

type Signing = 'signed' | 'unsigned';

/** The plainest subscription on a channel, with a signing secret or without. */
export function subscriptionOf(context: Context, { channel, signed }: Kind): Promise<Settled<Subscription>> {
  return settle(() => once(context, subscribePlainly, channel, signed ? 'signed' : 'unsigned'));
}

function subscribePlainly(context: Context, channel: Channel, signing: Signing): Promise<Subscription> {
  return subscribe(context, { channel, ...(signing === 'signed' && { secret: newSecret(context) }) });
}

/** To all seven events on a channel, with a secret. */
export function subscriptionToAll(context: Context, channel: Channel): Promise<Settled<Subscription>> {
  return settle(() => once(context, subscribeToAll, channel));
}

function subscribeToAll(context: Context, channel: Channel): Promise<Subscription> {
  return subscribe(context, { channel, events: allEvents, secret: newSecret(context) });
}

/** Some of the seven events, neither next to one another nor in the document's order. */
export const someEvents: readonly EventName[] = [
  firstChosen,
  'publish.failed',
  'content.delete',
  'content.publish',
];

const allEvents = [firstChosen, ...eventNames.filter((event) => event !== firstChosen)];

/** Subscriptions on the channel custom, each with a secret. */
const customSubscriptions = {
  /** Its receiving URL has capitals in its path, and a query. */
  'with-query': async (context: Context) => {
    const { path, url } = robotLikeAddress(context);
    const subscription = await subscribe(context, { url, events: allEvents, secret: newSecret(context) });
    return { ...subscription, path };
  },
  /** Created with an API key. */
  'by-api-key': async (context: Context) => {
    const { apiKey } = context.options;
    if (!apiKey) throw new NotVerified('needs an API key; set SITEPUB_API_KEY');
    return subscribe(context, { events: allEvents, secret: newSecret(context) }, { token: apiKey });
  },
  'to-some-events': (context: Context) =>
    subscribe(context, { events: someEvents, secret: newSecret(context) }),
  /** On another site of the same tenant. */
  'on-another-site': async (context: Context) => {
    const site = await ownOtherSite(context);
    if (!site)
      throw new NotVerified('needs another site of the tenant, and to know how its sites are listed');
    return subscribe(context, { siteID: site.id, secret: newSecret(context) });
  },
};

export type CustomSubscription = keyof typeof customSubscriptions;

export const customSubscriptionNames = Object.keys(customSubscriptions) as CustomSubscription[];

export function customSubscription(
  context: Context,
  name: CustomSubscription,
): Promise<Settled<Subscription>> {
  return settle(() => once(context, createCustomSubscription, name));
}

function createCustomSubscription(context: Context, name: CustomSubscription): Promise<Subscription> {
  return customSubscriptions[name](context);
}

/** The query of an address such as the robots of the chat products have. */
export const addressQuery = 'key=6F9619FF-8B86-D011-B42D-00C04FC964FF&group=a%2Fb';

/** An address of the suite's own receiver that looks like that of a robot. */
export function robotLikeAddress(context: Context): { path: string; url: string } {
  const path = `${nextPath(context)}/Cgi-Bin/webhook/send`;
  const { receiver, isReceiverRefused } = context;
  const base = receiver && !isReceiverRefused ? receiver.urlOf(path) : nobodysUrl(path);
  return { path, url: `${base}?${addressQuery}` };
}

/** For those to whom a refusal is another promise's matter. */
export function pushable(kept: Settled<Subscription>): Subscription {
  if (!(kept.error instanceof PromiseBroken)) return kept.value();
  throw new NotVerified(
    `a subscription to push to can't be created (${kept.error.actual}); see HOOK-1, HOOK-2, HOOK-3 and HOOK-5`,
  );
}

/** A test push on a channel, with a signing secret or without. Throws NotVerified where none has come. */
export async function testPush(context: Context, kind: Kind): Promise<Push & { secret: string }> {
  const push = await testArrival(context, kind);
  if (push) return push;
  throw new NotVerified(
    `no test push arrived on the ${kind.channel} channel within ${arrivalMs(context) / 1000} s; see HOOK-10`,
  );
}

/** The same, or undefined where none has come in time; each kind is made once a run. */
export function testArrival(
  context: Context,
  { channel, signed }: Kind,
): Promise<(Push & { secret: string }) | undefined> {
  return once(context, testPlainSubscription, channel, signed ? 'signed' : 'unsigned');
}

async function testPlainSubscription(
  context: Context,
  channel: Channel,
  signing: Signing,
): Promise<(Push & { secret: string }) | undefined> {
  const subscription = pushable(await subscriptionOf(context, { channel, signed: signing === 'signed' }));
  const push = await arrivalOfTest(context, subscription);
  return push && { ...push, secret: subscription.secret ?? '' };
}

/** The test push to a subscription on the channel custom, or undefined where none has come. */
export function customTestPush(context: Context, name: CustomSubscription): Promise<Push | undefined> {
  return once(context, testCustomSubscription, name);
}

async function testCustomSubscription(context: Context, name: CustomSubscription): Promise<Push | undefined> {
  const token = name === 'by-api-key' ? context.options.apiKey : undefined;
  return arrivalOfTest(context, pushable(await customSubscription(context, name)), token);
}

/** Tests a subscription and waits for the push; undefined when none was seen in time. */
export async function arrivalOfTest(
  context: Context,
  subscription: Subscription,
  token?: string,
): Promise<Push | undefined> {
  if (!context.receiver) throw new NotVerified('there is no receiver that the deployment can reach');
  const before = context.receiver.pushesTo(subscription.path).length;
  const exchange = await sendTest(context, subscription, token === undefined ? {} : { token });
  if (!succeeded(exchange))
    throw new NotVerified(
      `the test of a subscription was refused (${describeAnswer(exchange)}); see HOOK-10`,
    );
  return arrivalAfter(context, subscription.path, before);
}
