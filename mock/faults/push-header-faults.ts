import { drawBetween } from '../world/random.ts';
import { both, combineWraps, faultsOf, not, remarked } from './fault.ts';
import { isChat, onChannel, trackSubscriptionsByKey } from './subscriptions.ts';
import {
  allHeaders,
  changeHeader,
  changeRecording,
  type DeliveryTest,
  dropHeaders,
  isEvent,
  isLong,
  isRetry,
  isTest,
  headerNames as names,
  watchPushes,
} from './wrap-pushes.ts';

const isCustom: DeliveryTest = onChannel('custom');
const isFirstCustom = both(isCustom, not(isRetry));
const isCustomEvent = both(isFirstCustom, not(isTest));
const isFirstChat: DeliveryTest = both(not(isRetry), isChat);
const isChatEvent = both(isFirstChat, not(isTest));
const hasQuery: DeliveryTest = ({ url }) => url.includes('?');
const isOfEvenSite: DeliveryTest = ({ siteId }) => siteId % 2 === 0;

/** Faults in the three headers of a push: in their presence, and in the values of two of them. */
export const pushHeaderFaults = faultsOf({
  'SIG-1': {
    'no-timestamp-header-on-events: Only test messages have X-Webhook-Timestamp.': () =>
      dropHeaders(isCustomEvent, names.timestamp),
    'seventh-push-unsigned: Every seventh push on the custom channel is not signed.': () =>
      dropHeaders(
        both(isFirstCustom, ({ id }) => id % 7 === 0),
        names.signature,
      ),
    'some-pushes-without-event-header: One push in four on the custom channel, drawn by lot, has no X-Webhook-Event.':
      ({ draw }) =>
        dropHeaders(
          both(isFirstCustom, ({ id }) => drawBetween(draw(`push ${id}`), 1, 4) === 1),
          names.event,
        ),
    'no-event-header-on-even-sites: Pushes about sites with an even number have no X-Webhook-Event.': () =>
      dropHeaders(both(isFirstCustom, isOfEvenSite), names.event),
    'no-signature-at-urls-with-query: Pushes to a receiving URL with a query are not signed.': () =>
      dropHeaders(both(isFirstCustom, hasQuery), names.signature),
    'no-signature-on-long-pushes: Pushes of more than 4096 bytes are not signed.': () =>
      dropHeaders(both(isFirstCustom, isLong), names.signature),
    'long-secret-left-unused: Where a secret is longer than 64 bytes, pushes are not signed.': () =>
      changeRecording(({ subscription: { secret = '', ...unsigned } }) =>
        unsigned.channel === 'custom' && Buffer.byteLength(secret) > 64 ? { subscription: unsigned } : {},
      ),
    'no-headers-for-subscriptions-by-key: Pushes to subscriptions that an API key has made have none of the three headers.':
      () =>
        trackSubscriptionsByKey((isByKey) =>
          dropHeaders(
            both(isFirstCustom, ({ subscriptionId: id }) => isByKey({ id })),
            ...allHeaders,
          ),
        ),
  },
  'SIG-2': {
    'event-header-first-chosen: X-Webhook-Event names the event that the subscription chose first.': (
      { memory },
      first = memory.map<string>('first'),
    ) =>
      combineWraps(
        watchPushes(({ id, event, channel }, { subscription: { events } }) => {
          if (channel === 'custom') first.set(id, events[0] ?? event);
        }),
        changeHeader(isCustom, names.event, (event, { id }) => first.get(id) ?? event),
      ),
    'event-header-without-family: X-Webhook-Event of the events of content names what comes after the dot.':
      () =>
        changeHeader(
          both(isCustom, ({ event }) => event.startsWith('content.')),
          names.event,
          (event) => event.slice('content.'.length),
        ),
    'event-header-in-capitals-on-chat: X-Webhook-Event is in capitals on the chat channels.': () =>
      changeHeader(isChatEvent, names.event, (event) => event.toUpperCase()),
    'event-header-stands-still-on-chat: X-Webhook-Event is content.publish on the chat channels, whatever the event.':
      () => changeHeader(isChatEvent, names.event, () => 'content.publish'),
    'event-header-says-retry: X-Webhook-Event of a retry is the event with ".retry" behind it.': () =>
      changeHeader(isRetry, names.event, (event) => `${event}.retry`),
  },
  'SIG-3': {
    'timestamp-header-local: X-Webhook-Timestamp is eight hours ahead: a local time was taken for UTC.': () =>
      changeHeader(isCustom, names.timestamp, later(28_800)),
    'timestamp-header-with-fraction: X-Webhook-Timestamp has a fraction of a second on events.': remarked(
      'unusual-timestamp',
      () => changeHeader(isCustomEvent, names.timestamp, (text) => `${text}.125`),
    ),
    'timestamp-header-of-subscription: X-Webhook-Timestamp is when the subscription was made, not when the push is.':
      ({ memory }, createdAt = memory.map<number>('created-at')) =>
        combineWraps(
          watchPushes(({ id }, { subscription }) => createdAt.set(id, subscription.createdAt)),
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
    'timestamp-header-as-date-on-chat: X-Webhook-Timestamp is a date-time of ISO 8601 on the chat channels.':
      () =>
        changeHeader(isFirstChat, names.timestamp, (_text, _delivery, now) => new Date(now).toISOString()),
    'timestamp-header-zero-on-retries: X-Webhook-Timestamp of a retry is 0.': () =>
      changeHeader(isRetry, names.timestamp, () => '0'),
    'timestamp-header-of-next-retry: X-Webhook-Timestamp of a retry is when the next one is due.': () =>
      changeHeader(isRetry, names.timestamp, later(1_800)),
    'timestamp-header-in-microseconds-on-failures: X-Webhook-Timestamp of publish.failed is in microseconds.':
      () =>
        changeHeader(both(isCustomEvent, isEvent('publish.failed')), names.timestamp, (text) =>
          text.padEnd(16, '0'),
        ),
  },
});

/** Adds seconds to a timestamp in seconds or milliseconds. */
function later(seconds: number): (timestamp: string) => string {
  return (timestamp) => String(Number(timestamp) + seconds * (timestamp.length > 11 ? 1_000 : 1));
}
