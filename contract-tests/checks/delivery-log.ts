import { arrivalMs } from '../arrivals.ts';
import type { Check } from '../check.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import type { Subscription } from '../hook-calls.ts';
import { NotVerified, PromiseBroken } from '../outcomes.ts';
import { callToEnd } from '../own-calls.ts';
import { eventScene } from '../scene.ts';

/** The webhook push log. Whether it shows test messages is left open, so it is read after an event. */
export const deliveryLog: readonly Check[] = [
  {
    id: 'log-1-delivery-is-listed',
    requirement: 'LOG-1',
    needs: ['account', 'site', 'creates', 'receiver', 'operation:list-deliveries', 'operation:any-event'],
    plant: async (context) => {
      await eventScene(context);
    },
    run: async (context) => {
      const { subscription, event } = await deliveredEvent(context);
      const until = context.clock.now() + arrivalMs(context);
      let log = await readLog(context, subscription);
      while (!isListed(log, event) && context.clock.now() < until) {
        await context.clock.pass(1_000, 'the push log');
        log = await readLog(context, subscription);
      }
      if (!isListed(log, event))
        throw new PromiseBroken(
          `the delivery of ${event} in the push log of its subscription`,
          `not among the ${log.list.length} listed after ${arrivalMs(context) / 1_000} s`,
          log.exchange,
        );
    },
  },
];

interface Log {
  exchange: Exchange;
  list: readonly { event?: unknown }[];
}

/** A subscription to one event, which has been pushed to it. */
async function deliveredEvent(context: Context): Promise<{ subscription: Subscription; event: string }> {
  const { only } = await eventScene(context);
  for (const [event, kept] of only) {
    if (kept.error) continue;
    const subscription = kept.value();
    if ((context.receiver?.pushesTo(subscription.path).length ?? 0) > 0) return { subscription, event };
  }
  throw new NotVerified('no event was pushed; see EVENT-6 to EVENT-12');
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
