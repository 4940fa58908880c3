// The events of a run: subscriptions of every kind are made first, then each event that can be caused is caused, twice, and all checks
// read what arrived. So a site is disturbed once, and every push is evidence for every promise about pushes.
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { unmetWait } from '../calls/wait-budget.ts';
import { type Context, once } from '../context.ts';
import type { Exchange } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { type Settled, settle } from '../core/settled.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { versionOf } from '../push-receiver/read-push.ts';
import { arrivalAt, arrivalMs, isThere, silenceMs } from '../push-receiver/wait-for-push.ts';
import { namesItsEvent } from './chat-event-headers.ts';
import { counts, type EventSubscriptions, subscribeToEvents } from './event-subscriptions.ts';
import { canRecur, causableEvents, eventToFail, eventTriggers } from './event-triggers.ts';
import { causeFailures, type RetryRun } from './retry-run.ts';

/** What was made and caused. What could not be throws, when it is asked for, why. */
export interface EventRun extends EventSubscriptions {
  /** The calls that caused the events. */
  caused: Caused;
  /** Those that caused them again. */
  recurred: Caused;
  /** How many pushes had come to each path before the events were caused again. */
  before: ReadonlyMap<string, number>;
  /** The pushes of one event that were left to fail; undefined where there is no time to wait for a retry. */
  retries: RetryRun | undefined;
  /** When the last event was caused, by the deployment's clock. */
  endedAt: number;
}

type Caused = ReadonlyMap<EventName, Settled<Exchange>>;

/** The longest that a publish may take to come to its end, in milliseconds. */
const publishMs = 30_000;

/** Plays the scene, once a run. Throws NotVerified where no event can be caused. */
export function eventRun(context: Context): Promise<EventRun> {
  return once(context, causeEvents);
}

export async function causeEvents(context: Context): Promise<EventRun> {
  const events = causableEvents(context);
  const recurring = events.filter((event) => canRecur(context, event));
  if (events.length === 0)
    throw new NotVerified('needs to know how to cause an event; state one of its operations in a profile');
  const cast = await subscribeToEvents(context);
  const failing = eventToFail(context);
  // What is left to fail is caused once, so that what arrives is the same delivery.
  const isEarly = failing !== undefined && !recurring.includes(failing);
  const early = isEarly ? await storyToFail(context, cast) : undefined;
  await context.clock.settle();
  context.receiver?.dismiss();
  const caused = await causeAll(context, events, 'first');
  await Promise.all(events.map((event) => awaitPush(context, { event, call: caused.get(event), cast })));
  await early?.begin();
  const late = isEarly ? undefined : await storyToFail(context, cast);
  const before = counts(context, cast);
  const recurred = await causeAll(context, recurring, 'again');
  const endedAt = context.clock.now();
  await Promise.all(
    recurring.map((event) => awaitPush(context, { event, call: recurred.get(event), cast, before })),
  );
  await late?.begin();
  return { ...cast, caused, recurred, before, retries: early ?? late, endedAt };
}

/** How long a push about an event may take, in milliseconds: publishing takes its time. */
export function patienceFor(context: Context, event: EventName): number {
  const isPublish = event.startsWith('publish.');
  return isPublish ? Math.max(publishMs, context.options.maxWaitMs, arrivalMs(context)) : arrivalMs(context);
}

/** Waits until what should not come would have come. */
export async function silence(context: Context): Promise<void> {
  const { endedAt } = await eventRun(context);
  await context.clock.waitUntil(endedAt + silenceMs, 'pushes that should not come');
}

/** The pushes to a path since the events were caused again; of a publish that was told its version, those that tell it. */
export function pushesSince(
  { receiver }: Context,
  { path, before, call }: { path: string; before: ReadonlyMap<string, number>; call: Exchange },
): readonly Push[] {
  const pushes = receiver?.pushesTo(path).slice(before.get(path) ?? 0) ?? [];
  const { version } = call.values;
  const isTold = typeof version === 'number' && pushes.some((push) => typeof versionOf(push) === 'number');
  return isTold ? pushes.filter((push) => versionOf(push) === version) : pushes;
}

async function causeAll(
  context: Context,
  events: readonly EventName[],
  round: 'first' | 'again',
): Promise<Map<EventName, Settled<Exchange>>> {
  const caused = new Map<EventName, Settled<Exchange>>();
  for (const event of events)
    caused.set(event, await settle(() => eventTriggers[event].make(context, round)));
  return caused;
}

/** Retries are left to happen where there is time to wait for them. */
async function storyToFail(context: Context, cast: EventSubscriptions): Promise<RetryRun | undefined> {
  const event = eventToFail(context);
  if (!event || unmetWait('1m', context) !== undefined) return undefined;
  const toldElsewhere = (channel: Channel, named: EventName) => {
    const kept = channel === 'custom' ? cast.only.get(named) : cast.chat.get(channel);
    return kept && !kept.error ? (context.receiver?.pushesTo(kept.value().path) ?? []) : [];
  };
  const canName = (channel: Channel) => namesItsEvent(context, cast, channel);
  return causeFailures(context, { event, toldElsewhere, canName });
}

interface Awaited {
  event: EventName;
  call: Settled<Exchange> | undefined;
  cast: EventSubscriptions;
  before?: ReadonlyMap<string, number>;
}

async function awaitPush(context: Context, { event, call, cast, before }: Awaited): Promise<void> {
  const subscription = cast.only.get(event);
  if (!call || call.error || !subscription || subscription.error) return;
  const { path } = subscription.value();
  const ms = patienceFor(context, event);
  if (!before) return void (await arrivalAt(context, path, ms));
  const exchange = call.value();
  await isThere(context, () => pushesSince(context, { path, before, call: exchange }).length > 0, ms);
}
