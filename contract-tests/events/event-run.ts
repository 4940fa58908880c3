// The events of a run: first come subscriptions of every kind, then each event that the run can cause, twice; all checks read what
// arrived. So a site is disturbed once, and every push is evidence for every promise about pushes.
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { unmetWait } from '../calls/wait-budget.ts';
import { type Context, oncePerRun } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { type Settled, settle } from '../core/settled.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { versionOf } from '../push-receiver/read-push.ts';
import { arrivalAt, arrivalMs, comesWithin, silenceMs } from '../push-receiver/wait-for-push.ts';
import { namesItsEvent } from './chat-event-headers.ts';
import { countPushes, type EventSubscriptions, subscribeToEvents } from './event-subscriptions.ts';
import { canRecur, causableEvents, eventToFail, triggerOf } from './event-triggers.ts';
import { firstRetryWait } from './retry-delays.ts';
import { causeFailures, type RetryRun } from './retry-run.ts';

/** The subscriptions, calls and retries of a run. The value of one that failed throws the reason. */
export interface EventRun extends EventSubscriptions {
  /** The calls that caused the events. */
  caused: Caused;
  /** The calls that caused the events again. */
  recurred: Caused;
  /** The number of pushes to each path before the events were caused again. */
  before: ReadonlyMap<string, number>;
  /** The failed pushes of one event; undefined where there is no time to wait for a retry. */
  retries: RetryRun | undefined;
  /** When the last event was caused, by the deployment's clock. */
  endedAt: number;
}

type Caused = ReadonlyMap<EventName, Settled<Exchange>>;

/** How long a publish may take to end, in milliseconds. */
const publishMs = 30_000;

/** Causes the events, once a run. Throws NotVerified where the profile does not say how. */
export const eventRun = oncePerRun(causeEvents);

export async function causeEvents(context: Context): Promise<EventRun> {
  const events = causableEvents(context);
  const recurring = events.filter((event) => canRecur(context, event));
  if (events.length === 0)
    throw new NotVerified('needs to know how to cause an event; state one of its operations in a profile');
  const subscriptions = await subscribeToEvents(context);
  const failing = eventToFail(context);
  // An event whose pushes fail is caused only once afterwards, so that all attempts belong to one delivery.
  const isEarly = failing !== undefined && !recurring.includes(failing);
  const early = isEarly ? await startRetryRun(context, subscriptions) : undefined;
  await context.clock.settle();
  context.receiver?.dismiss();
  const caused = await causeAll(context, events, 'first');
  await Promise.all(
    events.map((event) => awaitPush(context, { event, call: caused.get(event), subscriptions })),
  );
  await early?.begin();
  const late = isEarly ? undefined : await startRetryRun(context, subscriptions);
  const before = countPushes(context, subscriptions);
  const recurred = await causeAll(context, recurring, 'again');
  const endedAt = context.clock.now();
  await Promise.all(
    recurring.map((event) => awaitPush(context, { event, call: recurred.get(event), subscriptions, before })),
  );
  await late?.begin();
  return { ...subscriptions, caused, recurred, before, retries: early ?? late, endedAt };
}

/** How long a push about an event may take, in milliseconds: publishing is slow. */
export function longestArrivalMs(context: Context, event: EventName): number {
  const isPublish = event.startsWith('publish.');
  return isPublish ? Math.max(publishMs, context.options.maxWaitMs, arrivalMs(context)) : arrivalMs(context);
}

/** Waits until a push that should not come would have come. */
export async function waitForSilence(context: Context): Promise<void> {
  const { endedAt } = await eventRun(context);
  await context.clock.waitUntil(endedAt + silenceMs, 'pushes that should not come');
}

/** The pushes to a path since the events were caused again; after a publish with a known version, those with that version. */
export function pushesSince(
  { receiver }: Context,
  { path, before, call }: { path: string; before: ReadonlyMap<string, number>; call: Exchange },
): readonly Push[] {
  const pushes = receiver?.pushesTo(path).slice(before.get(path) ?? 0) ?? [];
  const { version } = call.values;
  const isKnown = typeof version === 'number' && pushes.some((push) => typeof versionOf(push) === 'number');
  return isKnown ? pushes.filter((push) => versionOf(push) === version) : pushes;
}

async function causeAll(
  context: Context,
  events: readonly EventName[],
  round: 'first' | 'again',
): Promise<Map<EventName, Settled<Exchange>>> {
  const caused = new Map<EventName, Settled<Exchange>>();
  for (const event of events)
    caused.set(event, await settle(() => triggerOf(context, event).cause(context, round)));
  return caused;
}

/** Lets the pushes of one event fail, where there is time to wait for a retry. */
async function startRetryRun(
  context: Context,
  subscriptions: EventSubscriptions,
): Promise<RetryRun | undefined> {
  const event = eventToFail(context);
  if (!event || unmetWait(firstRetryWait, context) !== undefined) return undefined;
  const pushesElsewhere = (channel: Channel, named: EventName) => {
    const other = channel === 'custom' ? subscriptions.only.get(named) : subscriptions.chat.get(channel);
    return other && !other.error ? (context.receiver?.pushesTo(other.value().path) ?? []) : [];
  };
  const namesEvents = (channel: Channel) => namesItsEvent(context, subscriptions, channel);
  return causeFailures(context, { event, pushesElsewhere, namesEvents });
}

interface AwaitedPush {
  event: EventName;
  call: Settled<Exchange> | undefined;
  subscriptions: EventSubscriptions;
  before?: ReadonlyMap<string, number>;
}

async function awaitPush(
  context: Context,
  { event, call, subscriptions, before }: AwaitedPush,
): Promise<void> {
  const subscription = subscriptions.only.get(event);
  if (!call || call.error || !subscription || subscription.error) return;
  const { path } = subscription.value();
  const ms = longestArrivalMs(context, event);
  if (!before) return void (await arrivalAt(context, path, { ms }));
  const exchange = call.value();
  await comesWithin(context, () => pushesSince(context, { path, before, call: exchange }).length > 0, ms);
}
