import { drawBetween } from '../world/random.ts';
import type { Delivery } from '../world/world.ts';
import type { Fault } from './fault.ts';
import { trackSubscriptionsByKey } from './subscription-tools.ts';
import {
  changeSentMessage,
  isCustom,
  isRetry,
  headerNames as names,
  withHeader,
  withoutHeaders,
} from './wrap-pushes.ts';

/** Of the three headers: that they are there, and what two of them say. */
export const pushHeaderFaults: readonly Fault[] = [
  {
    id: 'no-timestamp-header-on-events',
    title: 'Only test messages have X-Webhook-Timestamp.',
    requirement: 'SIG-1',
    wrap: changeSentMessage(isCustomEvent, (message) => withoutHeaders(message, names.timestamp)),
  },
  {
    id: 'seventh-push-unsigned',
    title: 'Every seventh push on the custom channel is not signed.',
    requirement: 'SIG-1',
    wrap: changeSentMessage(
      (delivery) => delivery.id % 7 === 0 && isCustomFirst(delivery),
      (message) => withoutHeaders(message, names.signature),
    ),
  },
  {
    id: 'some-pushes-without-event-header',
    title: 'One push in four on the custom channel, drawn by lot, has no X-Webhook-Event.',
    requirement: 'SIG-1',
    wrap: (steps, aids) =>
      changeSentMessage(
        (delivery) => isCustomFirst(delivery) && drawBetween(aids.draw(`push ${delivery.id}`), 1, 4) === 1,
        (message) => withoutHeaders(message, names.event),
      )(steps, aids),
  },
  {
    id: 'no-event-header-on-even-sites',
    title: 'Pushes about sites with an even number have no X-Webhook-Event.',
    requirement: 'SIG-1',
    wrap: changeSentMessage(
      (delivery) => isCustomFirst(delivery) && delivery.siteId % 2 === 0,
      (message) => withoutHeaders(message, names.event),
    ),
  },
  {
    id: 'no-signature-at-urls-with-query',
    title: 'Pushes to a receiving URL with a query are not signed.',
    requirement: 'SIG-1',
    wrap: changeSentMessage(
      (delivery) => isCustomFirst(delivery) && delivery.url.includes('?'),
      (message) => withoutHeaders(message, names.signature),
    ),
  },
  {
    id: 'no-signature-on-long-pushes',
    title: 'Pushes of more than 4096 bytes are not signed.',
    requirement: 'SIG-1',
    wrap: changeSentMessage(
      (delivery) => isCustomFirst(delivery) && Buffer.byteLength(delivery.body) > 4_096,
      (message) => withoutHeaders(message, names.signature),
    ),
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
    wrap: (steps, aids) => {
      const made = new Set<unknown>();
      const { handle } = trackSubscriptionsByKey(made)(steps, aids);
      const { message } = changeSentMessage(
        (delivery) => isCustomFirst(delivery) && made.has(delivery.subscriptionId),
        (own) => withoutHeaders(own, ...Object.values(names)),
      )(steps, aids);
      return { ...(handle && { handle }), ...(message && { message }) };
    },
  },
  {
    id: 'event-header-first-chosen',
    title: 'X-Webhook-Event names the event that the subscription chose first.',
    requirement: 'SIG-2',
    wrap: (steps) => {
      const first = new Map<number, string>();
      return {
        recordDelivery(context, push, subscription) {
          const delivery = steps.recordDelivery(context, push, subscription);
          if (subscription.channel === 'custom') first.set(delivery.id, subscription.events[0] ?? push.event);
          return delivery;
        },
        message(delivery, now, profile) {
          const message = steps.message(delivery, now, profile);
          return { ...message, ...withHeader(message, names.event, (own) => first.get(delivery.id) ?? own) };
        },
      };
    },
  },
  {
    id: 'event-header-without-family',
    title: 'X-Webhook-Event of the events of content names what comes after the dot.',
    requirement: 'SIG-2',
    wrap: changeSentMessage(
      ({ event, channel }) => event.startsWith('content.') && channel === 'custom',
      (message) => withHeader(message, names.event, (event) => event.slice('content.'.length)),
    ),
  },
  {
    id: 'event-header-in-capitals-on-chat',
    title: 'X-Webhook-Event is in capitals on the chat channels.',
    requirement: 'SIG-2',
    wrap: changeSentMessage(isChatEvent, (message) =>
      withHeader(message, names.event, (event) => event.toUpperCase()),
    ),
  },
  {
    id: 'event-header-stands-still-on-chat',
    title: 'X-Webhook-Event is content.publish on the chat channels, whatever the event.',
    requirement: 'SIG-2',
    wrap: changeSentMessage(isChatEvent, (message) =>
      withHeader(message, names.event, () => 'content.publish'),
    ),
  },
  {
    id: 'event-header-says-retry',
    title: 'X-Webhook-Event of a retry is the event with ".retry" behind it.',
    requirement: 'SIG-2',
    wrap: changeSentMessage(isRetry, (message) =>
      withHeader(message, names.event, (event) => `${event}.retry`),
    ),
  },
  {
    id: 'timestamp-header-local',
    title: 'X-Webhook-Timestamp is eight hours ahead: a local time was taken for UTC.',
    requirement: 'SIG-3',
    wrap: changeSentMessage(isCustom, (message) =>
      withHeader(message, names.timestamp, (text) =>
        String(Number(text) + 28_800 * (text.length > 11 ? 1_000 : 1)),
      ),
    ),
  },
  {
    id: 'timestamp-header-with-fraction',
    title: 'X-Webhook-Timestamp has a fraction of a second on events.',
    requirement: 'SIG-3',
    wrap: changeSentMessage(isCustomEvent, (message) =>
      withHeader(message, names.timestamp, (text) => `${text}.125`),
    ),
  },
  {
    id: 'timestamp-header-of-subscription',
    title: 'X-Webhook-Timestamp is when the subscription was made, not when the push is.',
    requirement: 'SIG-3',
    wrap: (steps) => {
      const made = new Map<number, number>();
      return {
        recordDelivery(context, push, subscription) {
          const delivery = steps.recordDelivery(context, push, subscription);
          made.set(delivery.id, subscription.createdAt);
          return delivery;
        },
        message(delivery, now, profile) {
          const at = isRetry(delivery) ? now : (made.get(delivery.id) ?? now);
          const own = steps.message(delivery, now, profile);
          const { headers } = steps.message({ ...delivery, attempts: [] }, at, profile);
          return { ...own, ...withHeader(own, names.timestamp, (text) => headers[names.timestamp] ?? text) };
        },
      };
    },
  },
  {
    id: 'timestamp-header-as-date-on-chat',
    title: 'X-Webhook-Timestamp is a date-time of ISO 8601 on the chat channels.',
    requirement: 'SIG-3',
    wrap: changeSentMessage(
      (delivery) => !isCustom(delivery) && !isRetry(delivery),
      (message, _delivery, now) => withHeader(message, names.timestamp, () => new Date(now).toISOString()),
    ),
  },
  {
    id: 'timestamp-header-zero-on-retries',
    title: 'X-Webhook-Timestamp of a retry is 0.',
    requirement: 'SIG-3',
    wrap: changeSentMessage(isRetry, (message) => withHeader(message, names.timestamp, () => '0')),
  },
  {
    id: 'timestamp-header-of-next-retry',
    title: 'X-Webhook-Timestamp of a retry is when the next one is due.',
    requirement: 'SIG-3',
    wrap: changeSentMessage(isRetry, (message) =>
      withHeader(message, names.timestamp, (text) =>
        String(Number(text) + 1_800 * (text.length > 11 ? 1_000 : 1)),
      ),
    ),
  },
  {
    id: 'timestamp-header-in-microseconds-on-failures',
    title: 'X-Webhook-Timestamp of publish.failed is in microseconds.',
    requirement: 'SIG-3',
    wrap: changeSentMessage(
      (delivery) => isCustomEvent(delivery) && delivery.event === 'publish.failed',
      (message) => withHeader(message, names.timestamp, (text) => text.padEnd(16, '0')),
    ),
  },
];

function isCustomFirst(delivery: Delivery): boolean {
  return isCustom(delivery) && !isRetry(delivery);
}

function isCustomEvent(delivery: Delivery): boolean {
  return isCustomFirst(delivery) && !delivery.isTest;
}

function isChatEvent(delivery: Delivery): boolean {
  return !isCustom(delivery) && !isRetry(delivery) && !delivery.isTest;
}
