// The events of a run: first come subscriptions of every kind, then each event that the run can cause, twice; all checks read what
// arrived. So a site is disturbed once, and every push is evidence for every promise about pushes.
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { unmetWait } from '../calls/wait-budget.ts';
import { type Context, oncePerRun } from '../context.ts';
import { NotVerified } from '../core/outcomes.ts';
import { settle } from '../core/settled.ts';
import { awaitGreeting, awaitKnown } from '../push-receiver/caused-pushes.ts';
import { arrivalMs, comesWithin, patienceMs, silenceMs } from '../push-receiver/wait-for-push.ts';
import { holdWhile, isShortOfRoom, release } from '../subscriptions/room.ts';
import type { Round } from './call-as.ts';
import { namesItsEvent } from './chat-event-headers.ts';
import { type EventSubscriptions, subscribeToEvents } from './event-subscriptions.ts';
import { canRecur, causableEvents, eventToFail, triggerOf } from './event-triggers.ts';
import { type Cause, type Causes, occurrenceAt } from './occurrences.ts';
import { awaitEarlierRuns } from './repeated-writes.ts';
import { firstRetryWait } from './retry-delays.ts';
import { causeFailures, type RetryRun } from './retry-run.ts';

/** The subscriptions, calls and retries of a run. The value of one that failed throws the reason. */
export interface EventRun extends EventSubscriptions, Causes {
  /** The failed pushes of one event; undefined where there is no time to wait for a retry. */
  retries: RetryRun | undefined;
  /** When the last event was caused, by the deployment's clock. */
  endedAt: number;
}

/** Causes the events, once a run. Throws NotVerified where the profile does not say how. */
export const eventRun = oncePerRun(causeEvents);

export async function causeEvents(context: Context): Promise<EventRun> {
  const events = causableEvents(context);
  const repeatable = events.filter((event) => canRecur(context, event));
  if (events.length === 0)
    throw new NotVerified('needs an operation that causes an event; state one in a profile');
  await awaitEarlierRuns(context, ['publishSite', 'failPublish']);
  const hold = { until: Number.POSITIVE_INFINITY };
  const subscriptions = await holdWhile(hold, () => subscribeToEvents(context));
  const failing = eventToFail(context);
  // An event whose pushes fail is caused only once afterwards, so that all attempts belong to one delivery.
  const isEarly = failing !== undefined && !repeatable.includes(failing);
  const early = isEarly ? await startRetryRun(context, subscriptions) : undefined;
  await context.clock.settle();
  await awaitGreetings(context, subscriptions);
  const caused = await causeAll(context, events, 'first');
  const run = { ...subscriptions, caused, recurred: new Map(), retries: early, endedAt: 0 };
  await awaitOccurrences(context, run, 'first');
  await early?.begin();
  const isShort = isShortOfRoom(context, context.siteId) && canRetry(context);
  const recurring = isShort ? repeatable.filter((event) => event === failing) : repeatable;
  if (isShort) releaseReached(context, run, failing);
  const late = isEarly ? undefined : await startRetryRun(context, subscriptions);
  const recurred = await causeAll(context, recurring, 'again');
  const whole = { ...run, recurred, retries: early ?? late, endedAt: context.clock.now() };
  await awaitOccurrences(context, whole, 'again');
  await late?.begin();
  hold.until = whole.endedAt + patienceMs(context);
  return whole;
}

/** Waits until a push that should not come would have come. */
export async function waitForSilence(context: Context): Promise<void> {
  const { endedAt } = await eventRun(context);
  await context.clock.waitUntil(endedAt + silenceMs, 'pushes that should not come');
}

/** Waits until the subscriptions would have been greeted; one of each kind is enough. */
async function awaitGreetings(context: Context, { only, all, chat }: EventSubscriptions): Promise<void> {
  const kinds = [only.get('publish.failed'), all.at(1)?.subscription, ...chat.values()];
  for (const subscription of kinds)
    if (subscription && !subscription.error) await awaitGreeting(context, subscription.value().path);
}

/** Causes events one after the other. */
async function causeAll(
  context: Context,
  events: readonly EventName[],
  round: Round,
): Promise<Causes['caused']> {
  const caused = new Map<EventName, Cause>();
  await awaitKnown(context);
  for (const event of events) caused.set(event, await cause(context, event, round));
  return caused;
}

async function cause(context: Context, event: EventName, round: Round): Promise<Cause> {
  const begun = { at: context.clock.now(), order: performance.now() };
  const call = await settle(() => triggerOf(context, event).cause(context, round));
  const sent = call.error ? undefined : context.requests.find(({ exchange }) => exchange === call.value());
  const { at, order } = sent ?? begun;
  return { at, order, call };
}

/** Waits until the events of a round have come to the subscriptions that chose them alone, as long as the run waits for a push. */
async function awaitOccurrences(context: Context, run: EventRun, round: Round): Promise<void> {
  const causes = [...(round === 'first' ? run.caused : run.recurred)].filter(([, { call }]) => !call.error);
  const paths = causes.flatMap(([event]) => {
    const subscription = run.only.get(event);
    return subscription && !subscription.error ? [{ event, path: subscription.value().path }] : [];
  });
  const haveCome = () => paths.every((target) => occurrenceAt(context, run, { ...target, round }));
  if (paths.length > 0) await comesWithin(context, haveCome, arrivalMs(context));
}

/** Lets go of the subscriptions to a single event that has come there, but for the event that is to fail. */
function releaseReached(context: Context, run: EventRun, failing: EventName | undefined): void {
  for (const [event, subscription] of run.only) {
    if (run.isShared || event === failing || subscription.error) continue;
    const reached = subscription.value();
    const target = { event, path: reached.path, round: 'first' } as const;
    if (occurrenceAt(context, run, target)) release(context, reached);
  }
}

/** Whether there is time for a retry. */
function canRetry(context: Context): boolean {
  return unmetWait(firstRetryWait, context) === undefined;
}

/** Lets the pushes of one event fail, where there is time to wait for a retry. */
async function startRetryRun(
  context: Context,
  subscriptions: EventSubscriptions,
): Promise<RetryRun | undefined> {
  const event = eventToFail(context);
  if (!event || !canRetry(context)) return undefined;
  const pushesElsewhere = (channel: Channel, named: EventName) => {
    const other = channel === 'custom' ? subscriptions.only.get(named) : subscriptions.chat.get(channel);
    return other && !other.error ? (context.receiver?.pushesTo(other.value().path) ?? []) : undefined;
  };
  const namesEvents = (channel: Channel) => namesItsEvent(context, subscriptions, channel);
  // Their retries may come until the end of the run.
  const hold = { until: Number.POSITIVE_INFINITY };
  return holdWhile(hold, () => causeFailures(context, { event, pushesElsewhere, namesEvents }));
}
