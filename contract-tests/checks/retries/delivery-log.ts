import type { EventName } from '../../../openapi/generated/types.ts';
import { callToEnd } from '../../calls/profile-calls.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import type { Exchange } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { eventRun } from '../../events/event-run.ts';
import { lastRetryMs } from '../../events/retry-run.ts';
import { eventNamed } from '../../push-receiver/read-push.ts';
import { arrivalMs } from '../../push-receiver/wait-for-push.ts';
import type { Subscription } from '../../subscriptions/subscription-calls.ts';
import { attemptsInTime, beginRetryRun, retryRunOf } from './wait-for-retries.ts';

const needs: readonly Need[] = [
  'account',
  'site',
  'creates',
  'receiver',
  'operation:list-deliveries',
  'operation:any-event',
];

/** The webhook push log. Whether it shows test messages is left open, so it is read after the events. */
export const deliveryLog: readonly Check[] = [
  {
    id: 'log-1-delivery-is-listed',
    requirement: 'LOG-1',
    needs,
    prepare: beginRetryRun,
    run: async (context) => {
      const { only, chatOnly, some } = await eventRun(context);
      const custom = [...only.values(), ...some.map((one) => one.subscription)].flatMap((kept) =>
        kept.error ? [] : pushedTo(context, kept.value()),
      );
      // A chat message names its event in the header alone, which may name another (SIG-2).
      const chat = [...chatOnly.values()].flatMap(({ event, subscription }) =>
        subscription.error
          ? []
          : pushedTo(context, subscription.value()).filter((push) => push.event === event),
      );
      const told = [...custom, ...chat];
      if (told.length === 0) throw new NotVerified('no event was pushed; see EVENT-6 to EVENT-12');
      for (const { event, subscription } of told) await requireListed(context, subscription, event);
    },
  },
];

/** Beside it, for it is looked at, where there is time, when the last retry has failed. */
export const failedDeliveries: readonly Check[] = [
  {
    id: 'log-1-failed-delivery-is-listed-too',
    requirement: 'LOG-1',
    needs,
    prepare: beginRetryRun,
    run: async (context) => {
      const { only } = await eventRun(context);
      const [told] = [...only.values()].flatMap((one) => (one.error ? [] : pushedTo(context, one.value())));
      if (told) await requireListed(context, told.subscription, told.event);
      if (attemptsInTime(context) < 4) return;
      const story = await retryRunOf(context);
      await context.clock.waitUntil(story.startedAt() + lastRetryMs, 'the last retry of a push');
      const kept = story.subscriptions.get('always-500');
      if (kept) await requireListed(context, kept.value(), story.event);
    },
  },
];

interface Log {
  exchange: Exchange;
  list: readonly { event?: unknown }[];
}

/** A subscription with an event that was pushed to it; none where nothing was, or nothing that names its event. */
function pushedTo(
  { receiver }: Context,
  subscription: Subscription,
): { subscription: Subscription; event: EventName }[] {
  const [event] = (receiver?.pushesTo(subscription.path) ?? []).flatMap((push) => eventNamed(push) ?? []);
  return event ? [{ subscription, event }] : [];
}

async function requireListed(context: Context, subscription: Subscription, event: string): Promise<void> {
  const until = context.clock.now() + arrivalMs(context);
  let log = await readLog(context, subscription);
  while (!isListed(log, event) && context.clock.now() < until) {
    await context.clock.pass(1_000, 'the push log');
    log = await readLog(context, subscription);
  }
  if (isListed(log, event)) return;
  if (Number(log.exchange.values.total) > log.list.length)
    throw new NotVerified(
      `the push log shows ${log.list.length} of ${log.exchange.values.total} deliveries, and the others were not looked at`,
    );
  throw new PromiseBroken(
    `the delivery of ${event} in the push log of its subscription`,
    `not among the ${log.list.length} listed after ${arrivalMs(context) / 1_000} s`,
    log.exchange,
  );
}

async function readLog(context: Context, { id, siteID }: Subscription): Promise<Log> {
  const exchange = await callToEnd(context, 'listDeliveries', { values: { siteID, subscriptionID: id } });
  const { list } = exchange.values;
  if (!Array.isArray(list)) throw new NotVerified('the answer has no list where the profile says; see ENV-6');
  return { exchange, list };
}

/** Where the profile does not say where an entry names its event, any entry will do. */
function isListed({ list }: Log, event: string): boolean {
  return list.some((entry) => entry.event === undefined || entry.event === event);
}
