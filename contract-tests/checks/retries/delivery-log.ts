import { eventNames } from '../../../openapi/event-names.ts';
import type { EventName } from '../../../openapi/generated/types.ts';
import { type ListedItems, readList } from '../../calls/pages.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { NotSeenYet, NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { writeJson } from '../../core/parse-json.ts';
import type { Settled } from '../../core/settled.ts';
import { eventRun } from '../../events/event-run.ts';
import { lastRetryMs } from '../../events/retry-run.ts';
import { pushesOfKind } from '../../push-receiver/caused-pushes.ts';
import { eventNamed } from '../../push-receiver/read-push.ts';
import { arrivalMs, patienceMs } from '../../push-receiver/wait-for-push.ts';
import { isAlive } from '../../subscriptions/room.ts';
import type { Subscription } from '../../subscriptions/subscription-calls.ts';
import { beginEventRun } from '../pushes/seen-pushes.ts';
import { retryRunOf } from './retry-check.ts';
import { attemptsInTime } from './wait-for-retries.ts';

const needs: readonly Need[] = [
  'account',
  'site',
  'creates',
  'receiver',
  'operation:list-deliveries',
  'operation:any-event',
];

const nothingPushed = 'no event was pushed; see EVENT-6 to EVENT-12';

/** The webhook push log. It is read after the events, since the document does not say whether it shows test messages. */
export const deliveryLog: readonly Check[] = [
  logCheck('log-1-delivery-is-listed', async (context) => {
    const { only, chatOnly, some } = await eventRun(context);
    const custom = new Set([...only.values(), ...some.map(({ subscription }) => subscription)]);
    // A chat message names its event in the header alone, and that may be another event (SIG-2).
    const chat = [...chatOnly.values()].flatMap(({ event, subscription }) =>
      deliveriesTo(context, subscription).filter((delivery) => delivery.event === event),
    );
    const deliveries = [...[...custom].flatMap((settled) => deliveriesTo(context, settled)), ...chat];
    if (deliveries.length === 0) throw new NotVerified(nothingPushed);
    for (const delivery of deliveries) await requireListed(context, delivery);
  }),
];

/** A list apart: where there is time, this check waits until the last retry has failed. */
export const failedDeliveries: readonly Check[] = [
  logCheck('log-1-failed-delivery-is-listed-too', async (context) => {
    const { only } = await eventRun(context);
    const [delivery] = [...only.values()].flatMap((settled) => deliveriesTo(context, settled));
    if (delivery) await requireListed(context, delivery);
    if (attemptsInTime(context) < 4) {
      if (delivery) return;
      throw new NotVerified(`${nothingPushed}, and there is no time for the last retry of one that fails`);
    }
    const retryRun = await retryRunOf(context);
    const since = retryRun.startedAt() + lastRetryMs;
    await context.clock.waitUntil(since, 'the last retry of a push');
    const failing = retryRun.subscriptions.get('always-500');
    if (!failing) throw new NotVerified('there is no subscription whose pushes fail');
    await requireListed(context, { subscription: failing.value(), event: retryRun.event, since });
  }),
];

function logCheck(id: string, run: Check['run']): Check {
  return { id, requirement: 'LOG-1', needs, prepare: beginEventRun, run };
}

interface Delivery {
  subscription: Subscription;
  event: EventName;
  /** When it was made, in milliseconds since 1970, by the deployment's clock. */
  since: number;
}

/** The first push of an event to a subscription that names it; empty where none came, or where the subscription was not created or had to make room. */
function deliveriesTo(context: Context, settled: Settled<Subscription>): Delivery[] {
  if (settled.error || !isAlive(context, settled.value())) return [];
  const subscription = settled.value();
  const [delivery] = pushesOfKind(context, subscription.path, 'event').flatMap((push) => {
    const event = eventNamed(push);
    return event ? [{ subscription, event, since: push.arrived.to }] : [];
  });
  return delivery ? [delivery] : [];
}

/** The document promises no latency of the log: it is read again at the end of the run before a delivery is missing. */
async function requireListed(context: Context, delivery: Delivery): Promise<void> {
  const { event, since } = delivery;
  const { clock, isLastLook } = context;
  const soon = Math.max(clock.now(), since) + arrivalMs(context);
  const log = await readUntilListed(context, delivery, soon);
  if (isListed(log.items, event)) return;
  requireWhole(log);
  requireEventNames(context, log);
  const expected = `the delivery of ${event} in the push log of its subscription`;
  context.remarks.add('late', `${expected} was not there after ${secondsOf(clock.now() - since)} s`);
  if (!clock.isMoved && !isLastLook) throw new NotSeenYet(expected, since);
  const last = await readUntilListed(context, delivery, since + patienceMs(context));
  if (isListed(last.items, event)) return;
  requireEventNames(context, last);
  const after = secondsOf(clock.now() - since);
  throw new PromiseBroken(
    expected,
    `not among the ${last.items.length} listed after ${after} s`,
    last.exchange,
  );
}

/** The log, read at least once, and again until it lists a delivery. */
async function readUntilListed(
  context: Context,
  { subscription, event }: Delivery,
  until: number,
): Promise<ListedItems> {
  let log = await readLog(context, subscription, event);
  while (!isListed(log.items, event) && context.clock.now() < until) {
    await context.clock.pass(1_000, 'the push log');
    log = await readLog(context, subscription, event);
  }
  return log;
}

/** Throws NotVerified where the log may go on after what could be read. */
function requireWhole({ items, total, isWhole }: ListedItems): void {
  if (isWhole || (total !== undefined && total <= items.length)) return;
  throw new NotVerified(
    `${items.length} of ${total ?? 'the'} deliveries in the push log could be read; state in query of operation.list-deliveries how further pages are asked for`,
  );
}

/** The document does not say how a log names events: the console may have words of its own. Throws NotVerified where no entry has a name of section 6.1. */
function requireEventNames({ observations }: Context, { items }: ListedItems): void {
  const [first] = items;
  if (!first || items.some(({ event }) => eventNames.some((name) => name === event))) return;
  observations.drifts(
    'operation.list-deliveries',
    `item.event: ${writeJson(first.event)}, which is none of the seven events`,
  );
  throw new NotVerified(
    `no entry of the push log names an event as section 6.1 does (${writeJson(first.event)}), so none can be told from another; state item.event of operation.list-deliveries where it does, or leave it out`,
  );
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}

/** Reads the log until a delivery of the event is found. */
function readLog(context: Context, { id, siteID }: Subscription, event: string): Promise<ListedItems> {
  return readList(context, 'listDeliveries', {
    values: { siteID, subscriptionID: id },
    isEnough: (items) => isListed(items, event),
  });
}

/** Any entry counts where the profile does not say where an entry names its event. */
function isListed(items: ListedItems['items'], event: string): boolean {
  return items.some((entry) => entry.event === undefined || entry.event === event);
}
