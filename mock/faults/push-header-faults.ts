import type { Delivery } from '../world/entries.ts';
import { drawBetween } from '../world/random.ts';
import { combineWraps, type Fault, withMemory } from './fault.ts';
import { trackSubscriptionsByKey } from './subscription-tools.ts';
import {
  changeHeader,
  dropHeaders,
  isCustom,
  isLong,
  isRetry,
  headerNames as names,
  watchPushes,
} from './wrap-pushes.ts';

/** Faults in the three headers of a push: in their presence, and in the values of two of them. */
export const pushHeaderFaults: readonly Fault[] = [
  {
    id: 'no-timestamp-header-on-events',
    title: 'Only test messages have X-Webhook-Timestamp.',
    requirement: 'SIG-1',
    wrap: dropHeaders(isCustomEvent, names.timestamp),
  },
  {
    id: 'seventh-push-unsigned',
    title: 'Every seventh push on the custom channel is not signed.',
    requirement: 'SIG-1',
    wrap: dropHeaders((delivery) => delivery.id % 7 === 0 && isFirstCustom(delivery), names.signature),
  },
  {
    id: 'some-pushes-without-event-header',
    title: 'One push in four on the custom channel, drawn by lot, has no X-Webhook-Event.',
    requirement: 'SIG-1',
    wrap: (steps, tools) =>
      dropHeaders(
        (delivery) => isFirstCustom(delivery) && drawBetween(tools.draw(`push ${delivery.id}`), 1, 4) === 1,
        names.event,
      )(steps, tools),
  },
  {
    id: 'no-event-header-on-even-sites',
    title: 'Pushes about sites with an even number have no X-Webhook-Event.',
    requirement: 'SIG-1',
    wrap: dropHeaders((delivery) => isFirstCustom(delivery) && delivery.siteId % 2 === 0, names.event),
  },
  {
    id: 'no-signature-at-urls-with-query',
    title: 'Pushes to a receiving URL with a query are not signed.',
    requirement: 'SIG-1',
    wrap: dropHeaders((delivery) => isFirstCustom(delivery) && delivery.url.includes('?'), names.signature),
  },
  {
    id: 'no-signature-on-long-pushes',
    title: 'Pushes of more than 4096 bytes are not signed.',
    requirement: 'SIG-1',
    wrap: dropHeaders((delivery) => isFirstCustom(delivery) && isLong(delivery), names.signature),
  },
  {
    id: 'long-secret-left-unused',
    title: 'Where a secret is longer than 64 bytes, pushes are not signed.',
    requirement: 'SIG-1',
    wrap: (steps) => ({
      recordDelivery(context, push, subscription) {
        const { secret = '', ...rest } = subscription;
        const isLong = subscription.channel === 'custom' && Buffer.byteLength(secret) > 64;
        return steps.recordDelivery(context, push, isLong ? rest : subscription);
      },
    }),
  },
  {
    id: 'no-headers-for-subscriptions-by-key',
    title: 'Pushes to subscriptions that an API key has made have none of the three headers.',
    requirement: 'SIG-1',
    wrap: trackSubscriptionsByKey((isByKey) =>
      dropHeaders(
        (delivery) => isFirstCustom(delivery) && isByKey(delivery.subscriptionId),
        ...Object.values(names),
      ),
    ),
  },
  {
    id: 'event-header-first-chosen',
    title: 'X-Webhook-Event names the event that the subscription chose first.',
    requirement: 'SIG-2',
    wrap: withMemory((memory, first = memory.map<string>('first')) =>
      combineWraps(
        watchPushes(({ delivery, push, subscription: { channel, events } }) => {
          if (channel === 'custom') first.set(delivery.id, events[0] ?? push.event);
        }),
        changeHeader(
          () => true,
          names.event,
          (event, { id }) => first.get(id) ?? event,
        ),
      ),
    ),
  },
  {
    id: 'event-header-without-family',
    title: 'X-Webhook-Event of the events of content names what comes after the dot.',
    requirement: 'SIG-2',
    wrap: changeHeader(
      ({ event, channel }) => event.startsWith('content.') && channel === 'custom',
      names.event,
      (event) => event.slice('content.'.length),
    ),
  },
  {
    id: 'event-header-in-capitals-on-chat',
    title: 'X-Webhook-Event is in capitals on the chat channels.',
    requirement: 'SIG-2',
    wrap: changeHeader(isChatEvent, names.event, (event) => event.toUpperCase()),
  },
  {
    id: 'event-header-stands-still-on-chat',
    title: 'X-Webhook-Event is content.publish on the chat channels, whatever the event.',
    requirement: 'SIG-2',
    wrap: changeHeader(isChatEvent, names.event, () => 'content.publish'),
  },
  {
    id: 'event-header-says-retry',
    title: 'X-Webhook-Event of a retry is the event with ".retry" behind it.',
    requirement: 'SIG-2',
    wrap: changeHeader(isRetry, names.event, (event) => `${event}.retry`),
  },
  {
    id: 'timestamp-header-local',
    title: 'X-Webhook-Timestamp is eight hours ahead: a local time was taken for UTC.',
    requirement: 'SIG-3',
    wrap: changeHeader(isCustom, names.timestamp, (text) => addSeconds(text, 28_800)),
  },
  {
    id: 'timestamp-header-with-fraction',
    title: 'X-Webhook-Timestamp has a fraction of a second on events.',
    requirement: 'SIG-3',
    remark: 'unusual-timestamp',
    wrap: changeHeader(isCustomEvent, names.timestamp, (text) => `${text}.125`),
  },
  {
    id: 'timestamp-header-of-subscription',
    title: 'X-Webhook-Timestamp is when the subscription was made, not when the push is.',
    requirement: 'SIG-3',
    wrap: withMemory((memory, createdAt = memory.map<number>('created-at')) =>
      combineWraps(
        watchPushes(({ delivery, subscription }) => createdAt.set(delivery.id, subscription.createdAt)),
        (steps) => ({
          message(delivery, now, profile) {
            const at = isRetry(delivery) ? now : (createdAt.get(delivery.id) ?? now);
            const sent = steps.message(delivery, now, profile);
            const { headers } = steps.message({ ...delivery, attempts: [] }, at, profile);
            const timestamp = headers[names.timestamp];
            if (timestamp === undefined) return sent;
            return { ...sent, headers: { ...sent.headers, [names.timestamp]: timestamp } };
          },
        }),
      ),
    ),
  },
  {
    id: 'timestamp-header-as-date-on-chat',
    title: 'X-Webhook-Timestamp is a date-time of ISO 8601 on the chat channels.',
    requirement: 'SIG-3',
    wrap: changeHeader(
      (delivery) => !isCustom(delivery) && !isRetry(delivery),
      names.timestamp,
      (_text, _delivery, now) => new Date(now).toISOString(),
    ),
  },
  {
    id: 'timestamp-header-zero-on-retries',
    title: 'X-Webhook-Timestamp of a retry is 0.',
    requirement: 'SIG-3',
    wrap: changeHeader(isRetry, names.timestamp, () => '0'),
  },
  {
    id: 'timestamp-header-of-next-retry',
    title: 'X-Webhook-Timestamp of a retry is when the next one is due.',
    requirement: 'SIG-3',
    wrap: changeHeader(isRetry, names.timestamp, (text) => addSeconds(text, 1_800)),
  },
  {
    id: 'timestamp-header-in-microseconds-on-failures',
    title: 'X-Webhook-Timestamp of publish.failed is in microseconds.',
    requirement: 'SIG-3',
    wrap: changeHeader(
      (delivery) => isCustomEvent(delivery) && delivery.event === 'publish.failed',
      names.timestamp,
      (text) => text.padEnd(16, '0'),
    ),
  },
];

/** Adds seconds to a timestamp in seconds or milliseconds. */
function addSeconds(timestamp: string, seconds: number): string {
  return String(Number(timestamp) + seconds * (timestamp.length > 11 ? 1_000 : 1));
}

function isFirstCustom(delivery: Delivery): boolean {
  return isCustom(delivery) && !isRetry(delivery);
}

function isCustomEvent(delivery: Delivery): boolean {
  return isFirstCustom(delivery) && !delivery.isTest;
}

function isChatEvent(delivery: Delivery): boolean {
  return !isCustom(delivery) && !isRetry(delivery) && !delivery.isTest;
}
