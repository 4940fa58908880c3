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

/** The plainest subscription on a channel, with a signing secret or without. */
export function subscriptionOf(context: Context, { channel, signed }: Kind): Promise<Settled<Subscription>> {
  return made(context, `subscription on ${channel}, ${signed ? 'signed' : 'unsigned'}`, () =>
    subscribe(context, signed ? { channel, secret: newSecret(context) } : { channel }),
  );
}

/** Some of the seven events, neither next to one another nor in the document's order. */
export const someEvents: readonly EventName[] = [
  firstChosen,
  'publish.failed',
  'content.delete',
  'content.publish',
];

const allEvents = [firstChosen, ...eventNames.filter((event) => event !== firstChosen)];

export function subscriptionToSome(context: Context): Promise<Settled<Subscription>> {
  return made(context, 'subscription to some events', () =>
    subscribe(context, { events: someEvents, secret: newSecret(context) }),
  );
}

/** To all seven events on a channel, with a secret. */
export function subscriptionToAll(context: Context, channel: Channel): Promise<Settled<Subscription>> {
  return made(context, `subscription to all events on ${channel}`, () =>
    subscribe(context, { channel, events: allEvents, secret: newSecret(context) }),
  );
}

/** The query of an address such as the robots of the chat products have. */
export const addressQuery = 'key=6F9619FF-8B86-D011-B42D-00C04FC964FF&group=a%2Fb';

/** One whose receiving URL has capitals in its path, and a query. */
export function subscriptionWithQuery(context: Context): Promise<Settled<Subscription>> {
  return made(context, 'subscription with a query', async () => {
    const { path, url } = robotLikeAddress(context);
    const subscription = await subscribe(context, {
      url,
      events: allEvents,
      secret: newSecret(context),
    });
    return { ...subscription, path };
  });
}

/** An address of the suite's own receiver that looks like that of a robot. */
export function robotLikeAddress(context: Context): { path: string; url: string } {
  const path = `${nextPath(context)}/Cgi-Bin/webhook/send`;
  const { receiver, isReceiverRefused } = context;
  const base = receiver && !isReceiverRefused ? receiver.urlOf(path) : nobodysUrl(path);
  return { path, url: `${base}?${addressQuery}` };
}

/** On another site of the same tenant, with a secret. */
export function subscriptionOnOwnOtherSite(context: Context): Promise<Settled<Subscription>> {
  return made(context, 'subscription on another site', async () => {
    const site = await ownOtherSite(context);
    if (!site)
      throw new NotVerified('needs another site of the tenant, and to know how its sites are listed');
    return subscribe(context, { siteID: site.id, secret: newSecret(context) });
  });
}

/** One that an API key created. */
export function subscriptionByKey(context: Context): Promise<Settled<Subscription>> {
  return made(context, 'subscription by API key', async () => {
    const { apiKey } = context.options;
    if (!apiKey) throw new NotVerified('needs an API key; set SITEPUB_API_KEY');
    const wish = { events: allEvents, secret: newSecret(context) };
    return subscribe(context, wish, { token: apiKey });
  });
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
export function testArrival(context: Context, kind: Kind): Promise<(Push & { secret: string }) | undefined> {
  return once(context, `test push ${kind.channel} ${kind.signed}`, async () => {
    const subscription = pushable(await subscriptionOf(context, kind));
    const push = await arrivalOfTest(context, subscription);
    return push && { ...push, secret: subscription.secret ?? '' };
  });
}

/** The test push at a receiving URL with a query, or undefined where none has come. */
export function testWithQuery(context: Context): Promise<Push | undefined> {
  return once(context, 'test push with a query', async () =>
    arrivalOfTest(context, pushable(await subscriptionWithQuery(context))),
  );
}

/** That of a subscription that an API key has made and tests. */
export function testByKey(context: Context): Promise<Push | undefined> {
  return once(context, 'test push by API key', async () =>
    arrivalOfTest(context, pushable(await subscriptionByKey(context)), context.options.apiKey),
  );
}

/** That of a subscription to some events. */
export function testOfSome(context: Context): Promise<Push | undefined> {
  return once(context, 'test push to some events', async () =>
    arrivalOfTest(context, pushable(await subscriptionToSome(context))),
  );
}

/** That on another site of the tenant. */
export function testOnOwnOtherSite(context: Context): Promise<Push | undefined> {
  return once(context, 'test push on another site', async () =>
    arrivalOfTest(context, pushable(await subscriptionOnOwnOtherSite(context))),
  );
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

function made(
  context: Context,
  name: string,
  make: () => Promise<Subscription>,
): Promise<Settled<Subscription>> {
  return once(context, name, () => settle(make));
}
