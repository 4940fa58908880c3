import { eventNames } from '../../../openapi/event-names.ts';
import type { EventName } from '../../../openapi/generated/types.ts';
import { readList } from '../../calls/pages.ts';
import type { ListedItems } from '../../calls/read-pages.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { NotSeenYet, NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { writeJson } from '../../core/parse-json.ts';
import type { Settled } from '../../core/settled.ts';
import { eventRun } from '../../events/event-run.ts';
import { lastRetryMs } from '../../events/retry-run.ts';
import { saysTheSame } from '../../push-receiver/attempts.ts';
import { pushesOfKind } from '../../push-receiver/caused-pushes.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { eventNamed } from '../../push-receiver/read-push.ts';
import { arrivalMs, patienceMs } from '../../push-receiver/wait-for-push.ts';
import { isAlive } from '../../subscriptions/room.ts';
import { requireOwnTarget, type Subscription } from '../../subscriptions/subscription-calls.ts';
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
    const all = [...custom].flatMap((settled) => deliveriesTo(context, settled));
    // A chat message names its event in the header alone, and that may be another event (SIG-2).
    const chat = [...chatOnly.values()].flatMap(({ event, subscription }) =>
      deliveriesTo(context, subscription, event),
    );
    if (all.length + chat.length === 0) throw new NotVerified(nothingPushed);
    for (const deliveries of [...all, ...chat]) await requireListed(context, deliveries);
  }),
];

/** Targets whose deliveries fail to the end, each in another way. */
const failing = ['always-500', 'wecom-500', 'drawn-statuses'] as const;

/** A list apart: where there is time, this check waits until the last retry has failed. */
export const failedDeliveries: readonly Check[] = [
  logCheck('log-1-failed-delivery-is-listed-too', async (context) => {
    const { only } = await eventRun(context);
    const [pushed] = [...only.values()].flatMap((settled) => deliveriesTo(context, settled));
    if (pushed) await requireListed(context, pushed);
    if (attemptsInTime(context) < 4) {
      if (pushed) return;
      throw new NotVerified(
        `${nothingPushed}, and the run has no time to wait for the last retry of a failing push`,
      );
    }
    const retryRun = await retryRunOf(context);
    const since = retryRun.startedAt() + lastRetryMs;
    await context.clock.waitUntil(since, 'the last retry of a push');
    const counts = new Map([[retryRun.event, 1]]);
    if (!retryRun.subscriptions.get('always-500'))
      throw new NotVerified('there is no subscription whose pushes fail');
    for (const name of failing) {
      const created = retryRun.subscriptions.get(name);
      if (!created || (created.error && name !== 'always-500')) continue;
      if (name === 'always-500' || retryRun.attemptsAt(name).length > 0)
        await requireListed(context, { subscription: created.value(), counts, since });
    }
  }),
];

function logCheck(id: string, run: Check['run']): Check {
  return { id, requirement: 'LOG-1', needs, prepare: beginEventRun, run };
}

/** What was delivered to a subscription. */
interface Deliveries {
  subscription: Subscription;
  /** How many deliveries of each event. */
  counts: ReadonlyMap<EventName, number>;
  /** When the last one was made, in milliseconds since 1970, by the deployment's clock. */
  since: number;
}

/** So many deliveries of an event are looked for in a log, which may keep the latest only. */
const mostCounted = 20;

/**
 * The events that were pushed to a subscription, or one of them, each as often as pushes differ: a retry says the same. Empty where none came, or where the
 * subscription was not created or had to make room.
 */
function deliveriesTo(context: Context, settled: Settled<Subscription>, wanted?: EventName): Deliveries[] {
  if (settled.error || !isAlive(context, settled.value())) return [];
  const subscription = settled.value();
  const distinct: Push[] = [];
  for (const push of pushesOfKind(context, subscription.path, 'event'))
    if (!distinct.some((other) => saysTheSame(other, push))) distinct.push(push);
  const counts = new Map<EventName, number>();
  for (const push of distinct) {
    const event = eventNamed(push);
    if (event === undefined || (wanted !== undefined && event !== wanted)) continue;
    counts.set(event, Math.min((counts.get(event) ?? 0) + 1, mostCounted));
  }
  const since = Math.max(...distinct.map(({ arrived }) => arrived.to));
  return counts.size > 0 ? [{ subscription, counts, since }] : [];
}

/** The document promises no latency of the log: it is read again at the end of the run before a delivery is missing. */
async function requireListed(context: Context, deliveries: Deliveries): Promise<void> {
  const { since } = deliveries;
  const { clock, isLastLook } = context;
  const soon = Math.max(clock.now(), since) + arrivalMs(context);
  const log = await readUntilListed(context, deliveries, soon);
  const missing = firstMissing(log.items, deliveries);
  if (missing === undefined) return;
  requireWhole(log);
  requireEventNames(context, log);
  const expected = `${missing} in the push log of its subscription`;
  context.remarks.add('late', `${expected} did not appear within ${secondsOf(clock.now() - since)} s`);
  if (!clock.isMoved && !isLastLook) throw new NotSeenYet(expected, since);
  const last = await readUntilListed(context, deliveries, since + patienceMs(context));
  if (firstMissing(last.items, deliveries) === undefined) return;
  requireEventNames(context, last);
  const after = secondsOf(clock.now() - since);
  throw new PromiseBroken(
    expected,
    `missing after ${after} s; deliveries in the log: ${last.items.length}`,
    last.exchange,
  );
}

/** The log, read at least once, and again until it lists all that was delivered. */
async function readUntilListed(
  context: Context,
  deliveries: Deliveries,
  until: number,
): Promise<ListedItems> {
  let log = await readLog(context, deliveries);
  while (firstMissing(log.items, deliveries) !== undefined && context.clock.now() < until) {
    await context.clock.pass(1_000, 'the push log');
    log = await readLog(context, deliveries);
  }
  return log;
}

/** Throws NotVerified where the log may go on after what could be read. */
function requireWhole({ items, total, isWhole }: ListedItems): void {
  if (isWhole || (total !== undefined && total <= items.length)) return;
  throw new NotVerified(
    `the run could read ${items.length} of ${total ?? 'the'} deliveries in the push log; state in query of operation.list-deliveries how to request further pages`,
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
    `no entry of the push log has an event name of section 6.1 (${writeJson(first.event)}), so the run cannot match entries to events; correct item.event of operation.list-deliveries, or omit it`,
  );
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}

/** Reads the log until all that was delivered is found. */
async function readLog(context: Context, deliveries: Deliveries): Promise<ListedItems> {
  const { id, siteID } = deliveries.subscription;
  await requireOwnTarget(context, { id, siteID });
  return readList(context, 'listDeliveries', {
    values: { siteID, subscriptionID: id },
    isEnough: (items) => firstMissing(items, deliveries) === undefined,
  });
}

/** Which delivery is not listed, or not as often as it was made. Any entry counts where the profile does not say where an entry names its event. */
function firstMissing(items: ListedItems['items'], { counts }: Deliveries): string | undefined {
  // Entries without an identifier may look alike, and those of another page are then taken for the same.
  const areTold = items.every(({ id }) => id !== undefined);
  for (const [event, made] of counts) {
    const count = areTold ? made : 1;
    const listed = items.filter((entry) => entry.event === undefined || entry.event === event).length;
    if (listed >= count) continue;
    return listed === 0 ? `the delivery of ${event}` : `${count} deliveries of ${event}, not ${listed},`;
  }
  return undefined;
}
