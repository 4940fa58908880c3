// Subscriptions of every kind, each created once a run and shared by all checks, and their test pushes.
import { eventNames } from '../../openapi/event-names.ts';
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { ownOtherSite } from '../calls/sites.ts';
import { type Context, once } from '../context.ts';
import { describeAnswer, succeeded } from '../core/exchange.ts';
import { NotSeenYet, NotVerified, PromiseBroken } from '../core/outcomes.ts';
import { type Settled, settle } from '../core/settled.ts';
import { awaitGreeting, testPushAfter, wasAnyLate } from '../push-receiver/caused-pushes.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { firstChosenEvent } from '../push-receiver/read-push.ts';
import { arrivalMs, comesWithin } from '../push-receiver/wait-for-push.ts';
import { subscribe, withOddSecret } from './create-subscription.ts';
import { exampleUrl, newSecret, nextPath, type Subscription, sendTest } from './subscription-calls.ts';

interface SubscriptionKind {
  channel: Channel;
  signed: boolean;
}

type Signing = 'signed' | 'unsigned';

/** The plainest subscription on a channel, with a signing secret or without. */
export function subscriptionOf(
  context: Context,
  { channel, signed }: SubscriptionKind,
): Promise<Settled<Subscription>> {
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

/** Some of the seven events, neither adjacent nor in the document's order. */
export const someEvents: readonly EventName[] = [
  firstChosenEvent,
  'publish.failed',
  'content.delete',
  'content.publish',
];

const allEvents = [firstChosenEvent, ...eventNames.filter((event) => event !== firstChosenEvent)];

/** Subscriptions on the channel custom, each with a secret of another shape. */
const customSubscriptions = {
  /** Its receiving URL has capitals in its path, and a query. */
  'with-query': (context: Context) =>
    withOddSecret(context, 'hexadecimal', async (secret) => {
      const { path, url } = addressWithQuery(context);
      return { ...(await subscribe(context, { url, events: allEvents, secret })), path };
    }),
  /** Created with an API key. */
  'by-api-key': async (context: Context) => {
    const { apiKey: token } = context.options;
    if (!token) throw new NotVerified('needs an API key; set SITEPUB_API_KEY');
    return withOddSecret(context, 'with blanks at the ends', (secret) =>
      subscribe(context, { events: allEvents, secret }, { token }),
    );
  },
  'to-some-events': (context: Context) =>
    withOddSecret(context, 'with decomposed letters', (secret) =>
      subscribe(context, { events: someEvents, secret }),
    ),
  /** On another site of the same tenant. */
  'on-another-site': async (context: Context) => {
    const site = await ownOtherSite(context);
    if (!site)
      throw new NotVerified('needs another site of the tenant, and to know how its sites are listed');
    return withOddSecret(context, 'in base64', (secret) => subscribe(context, { siteID: site.id, secret }));
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

/** A query such as the addresses of chat robots have. */
export const addressQuery = 'key=6F9619FF-8B86-D011-B42D-00C04FC964FF&group=a%2Fb';

/** An address of the suite's receiver that looks like that of a chat robot. */
export function addressWithQuery(context: Context): { path: string; url: string } {
  const path = `${nextPath(context)}/Cgi-Bin/webhook/send`;
  const { receiver, isReceiverRefused } = context;
  const base = receiver && !isReceiverRefused ? receiver.urlOf(path) : exampleUrl(path);
  return { path, url: `${base}?${addressQuery}` };
}

/** The subscription, for checks of pushes: throws NotVerified where its creation broke a promise. */
export function pushable(created: Settled<Subscription>): Subscription {
  if (!(created.error instanceof PromiseBroken)) return created.value();
  throw new NotVerified(
    `the subscription for the push can't be created (${created.error.actual}); see HOOK-1, HOOK-2, HOOK-3 and HOOK-5`,
  );
}

/** A test push on a channel, with a signing secret or without; tested once a run. Throws NotVerified or NotSeenYet where none has come. */
export async function testPush(context: Context, kind: SubscriptionKind): Promise<Push & { secret: string }> {
  const push = await testArrival(context, kind);
  if (push) return push;
  const { at } = await testOf(context, kind);
  if (!context.isLastLook && !context.clock.isMoved)
    throw new NotSeenYet(`the test push on the ${kind.channel} channel`, at);
  throw new NotVerified(`no test push arrived on the ${kind.channel} channel; see HOOK-10`);
}

/** The same, or undefined where none has come so far. */
export async function testArrival(
  context: Context,
  kind: SubscriptionKind,
): Promise<(Push & { secret: string }) | undefined> {
  const test = await testOf(context, kind);
  const push = testPushOf(context, test);
  return push && { ...push, secret: test.subscription.secret ?? '' };
}

function testOf(context: Context, { channel, signed }: SubscriptionKind): Promise<AskedTest> {
  return once(context, testPlainSubscription, channel, signed ? 'signed' : 'unsigned');
}

async function testPlainSubscription(
  context: Context,
  channel: Channel,
  signing: Signing,
): Promise<AskedTest> {
  const subscription = pushable(await subscriptionOf(context, { channel, signed: signing === 'signed' }));
  return testAndWait(context, subscription);
}

/** The test push to a subscription on the channel custom, or undefined where none has come so far; tested once a run. */
export async function customTestPush(context: Context, name: CustomSubscription): Promise<Push | undefined> {
  return testPushOf(context, await once(context, testCustomSubscription, name));
}

async function testCustomSubscription(context: Context, name: CustomSubscription): Promise<AskedTest> {
  const token = name === 'by-api-key' ? context.options.apiKey : undefined;
  return testAndWait(context, pushable(await customSubscription(context, name)), token);
}

/** Tests a subscription and waits for the push; undefined when none was seen in time. */
export async function arrivalOfTest(
  context: Context,
  subscription: Subscription,
  token?: string,
): Promise<Push | undefined> {
  return testPushOf(context, await testAndWait(context, subscription, token));
}

/** A test that was asked for; its push may come later than the run waits for it. */
interface AskedTest {
  subscription: Subscription;
  /** When it was asked for, in milliseconds since 1970, by the deployment's clock, and by performance.now(). */
  at: number;
  order: number;
}

function testPushOf(context: Context, test: AskedTest): Push | undefined {
  return testPushAfter(context, test.subscription.path, test);
}

async function testAndWait(context: Context, subscription: Subscription, token?: string): Promise<AskedTest> {
  if (!context.receiver) throw new NotVerified('there is no receiver that the deployment can reach');
  await awaitGreeting(context, subscription.path);
  const test = { subscription, at: context.clock.now(), order: performance.now() };
  const exchange = await sendTest(context, subscription, token === undefined ? {} : { token });
  if (!succeeded(exchange))
    throw new NotVerified(
      `the test of a subscription was refused (${describeAnswer(exchange)}); see HOOK-10`,
    );
  const hasCome = () => testPushOf(context, test) !== undefined;
  // Where one push has been late, the run does not stop at each of the next ones.
  const ms =
    !context.clock.isMoved && wasAnyLate(context, arrivalMs(context)) ? shortlyMs : arrivalMs(context);
  await comesWithin(context, hasCome, ms);
  return test;
}

const shortlyMs = 500;
