// Subscriptions of every kind, each created once a run and shared by all checks, and their tests.
import { eventNames } from '../../openapi/event-names.ts';
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { ownOtherSite } from '../calls/sites.ts';
import { type Context, once } from '../context.ts';
import { NotVerified, PromiseBroken } from '../core/outcomes.ts';
import { type Settled, settle } from '../core/settled.ts';
import { firstChosenEvent } from '../push-receiver/read-push.ts';
import { requireFirstSubscription, subscribe, withOddSecret } from './create-subscription.ts';
import { isSparing, staysBehind } from './left-behind.ts';
import { NoRoom } from './room.ts';
import { newSecret } from './secret-forms.ts';
import { exampleUrl, nextPath, type Subscription } from './subscription-calls.ts';

export interface SubscriptionKind {
  channel: Channel;
  signed: boolean;
}

export type Signing = 'signed' | 'unsigned';

/** The plainest subscription on a channel, with a signing secret or without. */
export async function subscriptionOf(
  context: Context,
  { channel, signed }: SubscriptionKind,
): Promise<Settled<Subscription>> {
  const fitting = await fittingSubscription(context, { channel, signed });
  if (fitting) return fitting;
  return shared(
    () => once(context, subscribePlainly, channel, signed ? 'signed' : 'unsigned'),
    () => subscribePlainly(context, channel, signed ? 'signed' : 'unsigned'),
  );
}

/** Where subscriptions stay, one that other checks need as well takes its place; undefined where that was refused. */
async function fittingSubscription(
  context: Context,
  { channel, signed }: SubscriptionKind,
): Promise<Settled<Subscription> | undefined> {
  if (!staysBehind(context)) return undefined;
  const fitting = await fittingOf(context, { channel, signed });
  return fitting.error ? undefined : fitting;
}

function fittingOf(context: Context, { channel, signed }: SubscriptionKind): Promise<Settled<Subscription>> {
  if (channel !== 'custom')
    return signed ? subscriptionToAll(context, channel) : subscriptionToOne(context, channel);
  return signed ? customSubscription(context, 'with-query') : settle(() => requireFirstSubscription(context));
}

/** To one event on a chat channel, without a secret; the event is that which test messages are asked for. */
export function subscriptionToOne(context: Context, channel: Channel): Promise<Settled<Subscription>> {
  return settle(() => once(context, subscribeToOne, channel));
}

function subscribeToOne(context: Context, channel: Channel): Promise<Subscription> {
  return subscribe(context, { channel, events: [firstChosenEvent] });
}

/** The shared subscription; where there was no room for it, there may be some by now. */
async function shared(
  make: () => Promise<Subscription>,
  makeAgain: () => Promise<Subscription>,
): Promise<Settled<Subscription>> {
  const made = await settle(make);
  return made.error instanceof NoRoom ? settle(makeAgain) : made;
}

export function subscribePlainly(
  context: Context,
  channel: Channel,
  signing: Signing,
): Promise<Subscription> {
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
    const events = isSparing(context) ? someEvents : allEvents;
    return withOddSecret(context, 'with blanks at the ends', (secret) =>
      subscribe(context, { events, secret }, { token }),
    );
  },
  'to-some-events': async (context: Context) =>
    (await byKeyToSome(context)) ??
    withOddSecret(context, 'with decomposed letters', (secret) =>
      subscribe(context, { events: someEvents, secret }),
    ),
  /** On another site of the same tenant. */
  'on-another-site': async (context: Context) => {
    const site = await ownOtherSite(context);
    if (!site)
      throw new NotVerified('needs another site of the tenant and the operation that lists its sites');
    if (isSparing(context) && context.options.other?.siteId !== undefined)
      throw new NotVerified(
        'the subscription on another site belongs to another tenant, because each one would remain',
      );
    const events = staysBehind(context) && { events: allEvents };
    return withOddSecret(context, 'in base64', (secret) =>
      subscribe(context, { siteID: site.id, secret, ...events }),
    );
  },
};

/** Where subscriptions stay, that of the API key chooses some events, and takes the place of another one. */
async function byKeyToSome(context: Context): Promise<Subscription | undefined> {
  if (!isSparing(context)) return undefined;
  const made = await settle(() => once(context, createCustomSubscription, 'by-api-key'));
  return made.error ? undefined : made.value();
}

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

export function createCustomSubscription(context: Context, name: CustomSubscription): Promise<Subscription> {
  return customSubscriptions[name](context);
}

/** A query such as the addresses of chat robots have, with a plus, an empty value, and a name that comes twice. */
export const addressQuery =
  'key=6F9619FF-8B86-D011-B42D-00C04FC964FF&group=a%2Fb&to=a+b%2Bc&empty=&tag=1&tag=2';

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
    `the run cannot create the subscription for the push (${created.error.actual}); see HOOK-1, HOOK-2, HOOK-3 and HOOK-5`,
  );
}
