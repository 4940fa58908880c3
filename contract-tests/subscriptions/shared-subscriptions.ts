// Subscriptions of every kind, each created once a run and shared by all checks, and their tests.
import { eventNames } from '../../openapi/event-names.ts';
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { ownOtherSite } from '../calls/sites.ts';
import { type Context, once, oncePerRun } from '../context.ts';
import { NotSeenYet, NotVerified, PromiseBroken } from '../core/outcomes.ts';
import { type Settled, settle } from '../core/settled.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { firstChosenEvent } from '../push-receiver/read-push.ts';
import { subscribe, withOddSecret } from './create-subscription.ts';
import { isAlive, NoRoom } from './room.ts';
import { newSecret } from './secret-forms.ts';
import { exampleUrl, nextPath, type Subscription } from './subscription-calls.ts';
import { arrivalOfTest, beginTest, lateArrivalOfTest, type SentTest } from './test-messages.ts';

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
  return shared(
    () => once(context, subscribePlainly, channel, signed ? 'signed' : 'unsigned'),
    () => subscribePlainly(context, channel, signed ? 'signed' : 'unsigned'),
  );
}

/** The shared subscription; where there was no room for it, there may be some by now. */
async function shared(
  make: () => Promise<Subscription>,
  makeAgain: () => Promise<Subscription>,
): Promise<Settled<Subscription>> {
  const made = await settle(make);
  return made.error instanceof NoRoom ? settle(makeAgain) : made;
}

function subscribePlainly(context: Context, channel: Channel, signing: Signing): Promise<Subscription> {
  return subscribe(context, { channel, ...(signing === 'signed' && { secret: newSecret(context) }) });
}

/** To all seven events on a channel, with a secret. */
export function subscriptionToAll(context: Context, channel: Channel): Promise<Settled<Subscription>> {
  return shared(
    () => once(context, subscribeToAll, channel),
    () => subscribeToAll(context, channel),
  );
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
  return shared(
    () => once(context, createCustomSubscription, name),
    () => createCustomSubscription(context, name),
  );
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

/** A test push on a channel, with a signing secret or without; of one test a run. Throws NotVerified or NotSeenYet where none has come. */
export async function testPush(context: Context, kind: SubscriptionKind): Promise<Push & { secret: string }> {
  const test = await testOf(context, kind);
  const soon = await arrivalOfTest(context, test);
  if (!soon && !context.isLastLook && !context.clock.isMoved)
    throw new NotSeenYet(`the test push on the ${kind.channel} channel`, test.exchange.at);
  const push = soon ?? (await lateArrivalOfTest(context, test));
  if (push) return { ...push, secret: test.subscription.secret ?? '' };
  throw new NotVerified(`no test push arrived on the ${kind.channel} channel; see HOOK-10`);
}

/** The test of the plainest subscription on a channel; once a run. */
export function testOf(context: Context, { channel, signed }: SubscriptionKind): Promise<SentTest> {
  return once(context, testPlainSubscription, channel, signed ? 'signed' : 'unsigned');
}

/** The plainest subscription on a channel, to be used now. */
export async function livingSubscriptionOf(context: Context, kind: SubscriptionKind): Promise<Subscription> {
  const signing = kind.signed ? 'signed' : 'unsigned';
  const made = await subscriptionOf(context, kind);
  return living(context, made, () => subscribePlainly(context, kind.channel, signing));
}

async function testPlainSubscription(
  context: Context,
  channel: Channel,
  signing: Signing,
): Promise<SentTest> {
  return beginTest(context, await livingSubscriptionOf(context, { channel, signed: signing === 'signed' }));
}

/** The test of a subscription on the channel custom; once a run. */
export const customTest = oncePerRun(testCustomSubscription);

async function testCustomSubscription(context: Context, name: CustomSubscription): Promise<SentTest> {
  const token = name === 'by-api-key' ? context.options.apiKey : undefined;
  const made = await customSubscription(context, name);
  const subscription = await living(context, made, () => createCustomSubscription(context, name));
  return beginTest(context, subscription, token);
}

/** Its push, or undefined where none has come in time. */
export async function customTestPush(context: Context, name: CustomSubscription): Promise<Push | undefined> {
  return arrivalOfTest(context, await customTest(context, name));
}

/** A subscription that several checks share may have been deleted to make room for others; then a new one takes its place. */
async function living(
  context: Context,
  made: Settled<Subscription>,
  makeAnother: () => Promise<Subscription>,
): Promise<Subscription> {
  const subscription = pushable(made);
  return isAlive(context, subscription) ? subscription : makeAnother();
}
