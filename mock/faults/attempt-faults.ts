import { createHmac } from 'node:crypto';
import { writeJson } from '../webhooks/render.ts';
import type { Delivery } from '../world/entries.ts';
import { drawBetween } from '../world/random.ts';
import { after, always, both, combineWraps, faultsOf, not, type Wrap, withMemory } from './fault.ts';
import { eventsOf, isChat, onChannel, trackSubscriptionsByKey } from './subscription-faults.ts';
import { changeList, watchResult } from './wrap-calls.ts';
import {
  changeHeader,
  changeRecorded,
  changeSent,
  type DeliveryTest,
  hasQuery,
  hexOf,
  isAscii,
  isCustom,
  isEvent,
  isLong,
  isLongBeforeCut,
  isNthRetry,
  isOfEvenSite,
  isRetry,
  isTest,
  isUnsigned,
  type RecordedPush,
  type RecordedTest,
  recordAnother,
} from './wrap-pushes.ts';

const isFirstCustom = both(isCustom, not(isRetry));
const isCustomEvent = both(isFirstCustom, not(isTest));
const isFirstChat: DeliveryTest = both(not(isRetry), isChat);
const isChatEvent = both(isFirstChat, not(isTest));
const isInMs = (timestamp: string) => timestamp.length > 11;
const inMicroseconds = (timestamp: string) => timestamp.padEnd(16, '0');

const wasAnswered: DeliveryTest = (delivery) => lastOutcome(delivery).status !== undefined;
const wasUnreachable = not(wasAnswered);
const wasRefused: DeliveryTest = (delivery) => /ECONNREFUSED/.test(lastOutcome(delivery).error ?? '');
const minuteMs = 60_000;
/** How long a target may take for an answer that is believed. */
const longMs = 60;

/** Faults in the headers of pushes, in retries and in the push log. */
export const attemptFaults = faultsOf({
  'SIG-1 no-timestamp-header-on-events: Only test messages have X-Webhook-Timestamp.': () =>
    dropHeaders(/timestamp/i, isCustomEvent),
  'SIG-1 seventh-push-unsigned: Every seventh push on the custom channel is not signed.': () =>
    dropFromFirst(/signature/i, ({ id }) => id % 7 === 0),
  'SIG-1 some-pushes-without-event-header: One push in four on the custom channel, drawn by lot, has no X-Webhook-Event.':
    ({ draw }) => dropFromFirst(/event/i, ({ id }) => drawBetween(draw(`push ${id}`), 1, 4) === 1),
  'SIG-1 no-event-header-on-even-sites: Pushes about sites with an even number have no X-Webhook-Event.':
    () => dropFromFirst(/event/i, isOfEvenSite),
  'SIG-1 no-signature-at-urls-with-query: Pushes to a receiving URL with a query are not signed.': () =>
    dropFromFirst(/signature/i, hasQuery),
  'SIG-1 no-signature-on-long-pushes: Pushes of more than 4096 bytes are not signed.': () =>
    dropFromFirst(/signature/i, isLong),
  'SIG-1 long-secret-left-unused: Where a secret is longer than 64 bytes, pushes are not signed.': () =>
    recordAnother(({ subscription: { secret = '', ...unsigned } }) =>
      unsigned.channel === 'custom' && Buffer.byteLength(secret) > 64 ? { subscription: unsigned } : {},
    ),
  'SIG-1 no-headers-for-subscriptions-by-key: Pushes to subscriptions that an API key has made have none of the three headers.':
    () =>
      trackSubscriptionsByKey((isByKey) =>
        dropFromFirst(/^X-Webhook/, ({ subscriptionId }) => isByKey(subscriptionId)),
      ),
  'SIG-2 event-header-first-chosen: X-Webhook-Event names the event that the subscription chose first.': (
    { memory },
    first = memory.map<string>('first'),
  ) =>
    combineWraps(
      watchResult('createSubscription', (values) =>
        first.set(String(values.id), String(eventsOf(values)[0])),
      ),
      changeHeader(isCustom, 'event', (event, { subscriptionId }) => first.get(subscriptionId) ?? event),
    ),
  'SIG-2 event-header-without-family: X-Webhook-Event of the events of content names what comes after the dot.':
    () => changeHeader(isCustom, 'event', (event) => event.replace(/^content\./, '')),
  'SIG-2 event-header-in-capitals-on-chat: X-Webhook-Event is in capitals on the chat channels.': () =>
    changeHeader(isChatEvent, 'event', (event) => event.toUpperCase()),
  'SIG-2 event-header-stands-still-on-chat: X-Webhook-Event is content.publish on the chat channels, whatever the event.':
    () => changeHeader(isChatEvent, 'event', () => 'content.publish'),
  'SIG-2 event-header-says-retry: X-Webhook-Event of a retry is the event with ".retry" behind it.': () =>
    changeHeader(isRetry, 'event', (event) => `${event}.retry`),
  'SIG-3 timestamp-header-local: X-Webhook-Timestamp is eight hours ahead: a local time was taken for UTC.':
    () => changeHeader(isCustom, 'timestamp', later(28_800)),
  'SIG-3 timestamp-header-with-fraction (remark unusual-timestamp): X-Webhook-Timestamp has a fraction of a second on events.':
    () => changeHeader(isCustomEvent, 'timestamp', (text) => `${text}.125`),
  'SIG-3 timestamp-header-of-subscription: X-Webhook-Timestamp is when the subscription was made, not when the push is.':
    ({ memory }, createdAt = memory.map<number>('created-at')) =>
      combineWraps(
        watchResult('createSubscription', ({ id }, { now }) => createdAt.set(String(id), now)),
        changeHeader(not(isRetry), 'timestamp', (text, { subscriptionId }) => {
          const at = createdAt.get(subscriptionId) ?? 0;
          return String(isInMs(text) ? at : Math.floor(at / 1_000));
        }),
      ),
  'SIG-3 timestamp-header-as-date-on-chat: X-Webhook-Timestamp is a date-time of ISO 8601 on the chat channels.':
    () => changeHeader(isFirstChat, 'timestamp', (_text, _delivery, now) => new Date(now).toISOString()),
  'SIG-3 timestamp-header-zero-on-retries: X-Webhook-Timestamp of a retry is 0.': () =>
    changeHeader(isRetry, 'timestamp', () => '0'),
  'SIG-3 timestamp-header-of-next-retry: X-Webhook-Timestamp of a retry is when the next one is due.': () =>
    changeHeader(isRetry, 'timestamp', later(1_800)),
  'SIG-3 timestamp-header-in-microseconds-on-failures: X-Webhook-Timestamp of publish.failed is in microseconds.':
    () => changeHeader(both(isCustomEvent, isEvent('publish.failed')), 'timestamp', inMicroseconds),
  'SIG-4 signature-over-escaped-text: Non-ASCII characters are escaped in the signed text, but not in the body.':
    () => sign({ over: ({ body }) => writeJson(JSON.parse(body), 'escaped') }),
  'SIG-4 signature-over-latin-1: A body that is not ASCII is signed by the bytes it would have in another encoding.':
    () => sign({ over: ({ body }) => (isAscii(body) ? body : Buffer.from(body, 'latin1')) }),
  'SIG-4 signature-without-prefix-on-comments: The signature of comment.created lacks its prefix.': () =>
    changeSignature(both(isCustom, isEvent('comment.created')), ({ signature }) =>
      String(signature).slice(7),
    ),
  'SIG-4 secret-cut-for-signature: Pushes are signed with the first 16 characters of the secret.': () =>
    sign({ by: (secret) => secret.slice(0, 16) }),
  'SIG-4 secret-cut-to-block-size: Pushes are signed with the first 64 bytes of a longer secret, the size of a block.':
    () => sign({ by: (secret) => Buffer.from(secret).subarray(0, 64).toString() }),
  'SIG-4 secret-in-ascii: Pushes are signed with the secret without its non-ASCII characters.': () =>
    sign({ by: (secret) => secret.replace(/[^\0-\x7f]/g, '') }),
  'SIG-4 secret-in-lower-case: Pushes are signed with the secret in lower case.': () =>
    sign({ by: (secret) => secret.toLowerCase() }),
  'SIG-4 secret-escaped-as-html: Pushes are signed with the secret escaped as in HTML.': () =>
    sign({
      by: (secret) => secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    }),
  'SIG-4 signature-over-first-kilobyte: Of a long body only the first 1024 bytes are signed.': () =>
    sign({ over: ({ body }) => Buffer.from(body).subarray(0, 1_024) }),
  'SIG-4 signature-over-first-64-kib: Of a body of more than 64 KiB only that much is signed.': () =>
    sign({ over: ({ body }) => Buffer.from(body).subarray(0, 65_536) }),
  'SIG-4 secret-composed: Pushes are signed with the secret in the composed form of Unicode (NFC).': () =>
    sign({ by: (secret) => secret.normalize('NFC') }),
  'SIG-4 secret-decomposed: Pushes are signed with the secret in the decomposed form of Unicode (NFD).': () =>
    sign({ by: (secret) => secret.normalize('NFD') }),
  'SIG-4 secret-trimmed: Pushes are signed with the secret without the blanks at its ends.': () =>
    sign({ by: (secret) => secret.trim() }),
  'SIG-4 secret-decoded-from-hex: A secret of hexadecimal digits is decoded before it signs.': () =>
    sign({ by: (secret) => (/^([0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex') : secret) }),
  'SIG-4 secret-decoded-from-base64: A secret that looks like base64 is decoded before it signs.': () =>
    sign({ by: (secret) => (/^[\w+/-]{16,}={1,2}$/.test(secret) ? Buffer.from(secret, 'base64') : secret) }),
  'SIG-4 secret-decoded-as-url: Pushes are signed with the secret decoded as in a form.': () =>
    sign({ by: (secret) => new URLSearchParams(`s=${secret}`).get('s') ?? secret }),
  'SIG-4 signature-by-length-in-characters: As many bytes of the body are signed as it has characters.': () =>
    sign({ over: ({ body }) => Buffer.from(body).subarray(0, body.length) }),
  'SIG-4 signature-over-compact-text: The signature is over the JSON written again without blanks.': () =>
    sign({ over: ({ body }) => JSON.stringify(JSON.parse(body)) }),
  'SIG-4 signature-with-secret-of-latest: Events are signed with the secret of the subscription on the site that was made last.':
    () =>
      recordAnother(({ subscription, push, world }) => {
        const { siteId, channel, secret } = subscription;
        const secrets = [...world.subscriptions.of(siteId).values()].flatMap((one) => one.secret ?? []);
        const latest = channel === 'custom' && secret && !push.test ? secrets.at(-1) : undefined;
        return latest ? { subscription: { ...subscription, secret: latest } } : {};
      }),
  'SIG-5 feishu-unsigned: Pushes on the channel feishu are not signed.': () =>
    dropHeaders(/signature/i, onChannel('feishu')),
  'SIG-5 dingtalk-events-unsigned: On the channel dingtalk only test messages are signed.': () =>
    dropHeaders(/^X-Webhook/, both(not(isTest), onChannel('dingtalk'))),
  'SIG-5 wecom-signed-before-rendering: On the channel wecom the data of the event is signed, not the message.':
    () => sign({ over: ({ data }) => JSON.stringify(data), when: onChannel('wecom') }),
  'SIG-5 wecom-test-unsigned: Test messages on the channel wecom are not signed.': () =>
    dropHeaders(/signature/i, both(isTest, onChannel('wecom'))),
  'SIG-5 feishu-signed-before-it-is-cut: A long message on the channel feishu is signed before it is cut.':
    () => sign({ over: ({ body }) => `${body}…`, when: both(isLongBeforeCut, onChannel('feishu')) }),
  'SIG-5 dingtalk-failures-without-timestamp-header: publish.failed has no X-Webhook-Timestamp on the channel dingtalk.':
    () => dropHeaders(/timestamp/i, both(not(isTest), onChannel('dingtalk'), isEvent('publish.failed'))),
  'SIG-6 retries-unsigned: Retries are not signed.': () => dropHeaders(/signature/i, isRetry),
  'SIG-6 third-retry-unsigned: The third retry is not signed.': () =>
    dropHeaders(/signature/i, isNthRetry(3)),
  'SIG-6 chat-retries-without-headers: Retries on the chat channels have none of the three headers.': () =>
    dropHeaders(/^X-Webhook/, both(isRetry, isChat)),
  'SIG-6 second-retry-unsigned: The second retry is not signed.': () =>
    dropHeaders(/signature/i, isNthRetry(2)),
  'SIG-6 feishu-retries-unsigned: Retries on the channel feishu are not signed.': () =>
    dropHeaders(/signature/i, both(isRetry, onChannel('feishu'))),
  'SIG-6 retries-unsigned-after-unreachable: A retry is not signed where the target could not be reached before.':
    () => dropHeaders(/signature/i, both(isRetry, wasUnreachable)),
  'SIG-6 retries-unsigned-after-404: A retry after an answer of 404 is not signed.': () =>
    dropHeaders(/signature/i, both(isRetry, wasStatus(404))),
  'SIG-6 retries-of-long-pushes-unsigned: The retry of a push of more than 4096 bytes is not signed.': () =>
    dropHeaders(/signature/i, both(isRetry, isLong)),
  'SIG-6 retries-sent-in-other-bytes: The body of a retry is written in other bytes, with the signature of the first attempt.':
    () =>
      changeSent(isRetry, ({ body }) => ({
        body: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse())),
      })),
  'RETRY-1 404-not-retried: A push that is answered with 404 is not retried.': () => stopRetriesAfter(404),
  'RETRY-1 redirect-taken-for-delivered: A push that is answered with a redirect counts as delivered.': () =>
    acceptOutcome(wasBetween(0, 399)),
  'RETRY-1 500-not-retried: A push that is answered with 500 is not retried.': () => stopRetriesAfter(500),
  'RETRY-1 400-not-retried: A push that is answered with 400 is not retried.': () => stopRetriesAfter(400),
  'RETRY-1 410-not-retried: A push that is answered with 410 is not retried, as if the target were gone for good.':
    () => stopRetriesAfter(410),
  'RETRY-1 429-not-retried: A push that is answered with 429 is not retried.': () => stopRetriesAfter(429),
  'RETRY-1 503-not-retried: A push that is answered with 503 is not retried.': () => stopRetriesAfter(503),
  'RETRY-1 401-not-retried: A push that is answered with 401 is not retried.': () => stopRetriesAfter(401),
  'RETRY-1 rare-refusals-not-retried: A push is retried after the usual statuses of refusals alone: 400, 401, 404, 410 and 429.':
    () => stopRetries(both(wasBetween(400, 499), not(wasStatus(400, 401, 404, 410, 429)))),
  'RETRY-1 gateway-errors-taken-for-delivered: A push that is answered with 501 or more counts as delivered, but for 503.':
    () => acceptOutcome(both(wasBetween(501, 999), not(wasStatus(503)))),
  'RETRY-1 307-taken-for-delivered: A push that is answered with 307 counts as delivered.': () =>
    acceptOutcome(wasStatus(307)),
  'RETRY-1 feishu-not-retried: Pushes on the channel feishu are not retried.': () =>
    stopRetries(both(wasAnswered, onChannel('feishu'))),
  'RETRY-1 unsigned-not-retried: Pushes to subscriptions without a secret are not retried.': () =>
    stopRetries(both(isUnsigned, wasAnswered)),
  'RETRY-1 comments-not-retried: Pushes of comment.created are not retried.': () =>
    stopRetries(both(wasAnswered, isEvent('comment.created'))),
  'RETRY-1 long-pushes-not-retried: Pushes of more than 4096 bytes are not retried where they are refused with a redirect or 404.':
    () => stopRetries(both(isLong, wasStatus(302, 404))),
  'RETRY-1 slow-refusal-taken-for-delivered: A push whose target refuses it only after a while counts as delivered.':
    () => acceptSlowOutcome(wasAnswered),
  'RETRY-2 silence-taken-for-delivered: A push whose target takes it and gives no answer counts as delivered.':
    () => acceptSlowOutcome(wasUnreachable),
  'RETRY-2 refused-connection-not-retried: A push whose connection is refused is not retried.': () =>
    stopRetries(wasRefused),
  'RETRY-2 unreachable-taken-for-delivered: A push whose target could not be reached counts as delivered.':
    () => acceptOutcome(wasUnreachable),
  'RETRY-2 broken-connection-taken-for-delivered: A push whose connection is broken off without an answer counts as delivered.':
    () => acceptOutcome(both(wasUnreachable, not(wasRefused))),
  'RETRY-2 unreachable-retried-once: A push whose target could not be reached is retried once.': () =>
    stopRetries(both(wasUnreachable, isNthRetry(1))),
  'RETRY-3 retry-after-two-minutes: The first retry comes after two minutes.': () => delayRetry(1, 1),
  'RETRY-3 first-retry-twenty-seconds-early: The first retry comes after forty seconds.': () =>
    delayRetry(1, -1 / 3),
  'RETRY-3 retry-after-six-minutes: The second retry comes after six minutes.': () => delayRetry(2, 1),
  'RETRY-3 third-retry-a-minute-early: The third retry comes after 29 minutes.': () => delayRetry(3, -1),
  'RETRY-3 chat-retried-after-three-minutes: The first retry on the chat channels comes after three minutes.':
    () => delayRetry(1, 2, isChat),
  'RETRY-3 404-retried-after-five-minutes: The first retry after an answer of 404 comes after five minutes.':
    () => delayRetry(1, 4, wasStatus(404)),
  'RETRY-3 unreachable-retried-after-two-minutes: The first retry after the target could not be reached comes after two minutes.':
    () => delayRetry(1, 1, wasUnreachable),
  'RETRY-3 second-retry-a-minute-early: The second retry comes after four minutes.': () => delayRetry(2, -1),
  'RETRY-3 second-retry-on-chat-late: The second retry on the chat channels comes after fifteen minutes.':
    () => delayRetry(2, 10, isChat),
  'RETRY-4 third-retry-missing: There are two retries.': () => stopRetries(isNthRetry(2)),
  'RETRY-4 fourth-retry: There is a fourth retry, 30 minutes after the third.': () => addFourthRetry(always),
  'RETRY-4 chat-retried-twice: There are two retries on the chat channels.': () =>
    stopRetries(both(isNthRetry(2), isChat)),
  'RETRY-4 fourth-retry-without-secret: There is a fourth retry, 30 minutes after the third, where a subscription has no secret.':
    () => addFourthRetry(isUnsigned),
  'RETRY-5 retried-although-taken-late: A push that was accepted at its first retry is retried all the same.':
    () => retryDelivered(isNthRetry(1)),
  'RETRY-5 204-retried: A push that is answered with 204 is retried, as if only 200 were a success.': () =>
    retryDelivered(wasStatus(204)),
  'RETRY-5 201-retried: A push that is answered with 201 is retried.': () => retryDelivered(wasStatus(201)),
  'RETRY-5 202-retried: A push that is answered with 202 is retried.': () => retryDelivered(wasStatus(202)),
  'RETRY-5 206-retried: A push that is answered with 206 is retried.': () => retryDelivered(wasStatus(206)),
  'RETRY-5 retried-although-taken-at-second-retry: A push that was accepted at its second retry is retried all the same.':
    () => retryDelivered(isNthRetry(2)),
  'RETRY-5 chat-retried-although-taken: A push on a chat channel that was accepted at a retry is retried all the same.':
    () => retryDelivered(both(isRetry, isChat)),
  'LOG-1 log-shows-failures-only: The push log shows the deliveries that failed, and no others.': () =>
    filterLog(({ state }) => state === 'given-up'),
  'LOG-1 log-forgets-after-a-second: The push log shows the deliveries of the last second.': () =>
    filterLog(({ createdAt }, now) => createdAt > now - 1_000),
  'LOG-1 log-shows-tests-only: The push log shows the deliveries that were tried more than once.': () =>
    filterLog(({ attempts }) => attempts.length > 1),
  'LOG-1 log-shows-successes-only: The push log does not show the deliveries that failed.': () =>
    filterLog(({ state }) => state === 'delivered'),
  'LOG-1 log-without-chat: The push log shows no deliveries on the chat channels.': () =>
    filterLog(onChannel('custom')),
  'LOG-1 log-without-secret-is-empty: The push log of a subscription without a secret is empty.': () =>
    filterLog(not(isUnsigned)),
  'LOG-1 log-shows-first-of-each-event: The push log of a subscription shows the first delivery of each event alone.':
    () =>
      changeList('listDeliveries', (list) =>
        list.filter(({ event }, index) => !list.slice(index + 1).some((older) => older.event === event)),
      ),
  'LOG-1 log-without-failed-publishes: The push log does not show publish.failed.': () =>
    filterLog(not(isEvent('publish.failed'))),
});

/** Leaves headers out of the first attempts of custom pushes. */
function dropFromFirst(...[dropped, when]: Parameters<typeof dropHeaders>): Wrap {
  return dropHeaders(dropped, both(isFirstCustom, when));
}

/** Adds seconds to a timestamp in seconds or milliseconds. */
function later(seconds: number): (timestamp: string) => string {
  return (timestamp) => String(Number(timestamp) + seconds * (isInMs(timestamp) ? 1_000 : 1));
}

interface Signing {
  by?: (secret: string) => string | Buffer;
  over?: (recorded: RecordedPush) => string | Buffer;
  when?: RecordedTest;
}

/** Signs with another secret, or over other bytes than those of the body. */
function sign({ by = (secret) => secret, over = ({ body }) => body, when = isCustom }: Signing): Wrap {
  return changeSignature(when, (recorded) => {
    const hex = createHmac('sha256', by(recorded.subscription.secret ?? ''))
      .update(over(recorded))
      .digest('hex');
    return `sha256=${hexOf(recorded) === 'upper' ? hex.toUpperCase() : hex}`;
  });
}

function dropHeaders(names: RegExp, when: DeliveryTest): Wrap {
  return changeSent(when, ({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name))),
  }));
}

function changeSignature(when: RecordedTest, change: (recorded: RecordedPush) => string): Wrap {
  return changeRecorded(both(when, not(isUnsigned)), (recorded) => ({ signature: change(recorded) }));
}

function lastOutcome({ attempts }: Delivery): { status?: number; error?: string } {
  return attempts.at(-1)?.outcome ?? {};
}

function wasStatus(...statuses: readonly number[]): DeliveryTest {
  return (delivery) => statuses.includes(lastOutcome(delivery).status ?? 0);
}

function wasBetween(least: number, most: number): DeliveryTest {
  return (delivery) => {
    const { status = -1 } = lastOutcome(delivery);
    return status >= least && status <= most;
  };
}

/** Counts failed attempts as delivered. */
function acceptOutcome(when: DeliveryTest): Wrap {
  return after('isDelivered', (isDelivered, delivery) => isDelivered || when(delivery));
}

/** Counts failed attempts as delivered where the target took long; in real time, for a moved clock stands still meanwhile. */
function acceptSlowOutcome(when: DeliveryTest): Wrap {
  return withMemory((memory, begun = memory.map<number>('begun')) =>
    combineWraps(
      changeSent(always, (_message, { id }) => {
        begun.set(id, Date.now());
        return {};
      }),
      acceptOutcome(both(when, ({ id }) => Date.now() - (begun.get(id) ?? Date.now()) > longMs)),
    ),
  );
}

/** Counts delivered attempts as failed. */
function retryDelivered(when: DeliveryTest): Wrap {
  return after('isDelivered', (isDelivered, delivery) => isDelivered && !when(delivery));
}

/** Makes no further retry. */
function stopRetries(when: DeliveryTest): Wrap {
  return after('nextRetryAt', (due, delivery) => (when(delivery) ? undefined : due));
}

function stopRetriesAfter(status: number): Wrap {
  return stopRetries(wasStatus(status));
}

function delayRetry(retry: number, minutes: number, when: DeliveryTest = always): Wrap {
  const isDelayed = both(isNthRetry(retry - 1), when);
  return after('nextRetryAt', (due, delivery) =>
    due !== undefined && isDelayed(delivery) ? due + minutes * minuteMs : due,
  );
}

function addFourthRetry(when: DeliveryTest): Wrap {
  const isLast = both(isNthRetry(3), when);
  return after('nextRetryAt', (due, delivery, at) => (isLast(delivery) ? at + 30 * minuteMs : due));
}

function filterLog(when: (delivery: Delivery, now: number) => boolean): Wrap {
  return changeList('listDeliveries', (list, { world, now }) =>
    list.filter(({ id }) => {
      const delivery = world.deliveries.get(Number(id));
      return delivery && when(delivery, now);
    }),
  );
}
