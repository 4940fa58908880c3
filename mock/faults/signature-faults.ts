import { createHmac } from 'node:crypto';
import { writeJson } from '../webhooks/render.ts';
import { drawBetween } from '../world/random.ts';
import { both, combineWraps, faultsOf, not, type Wrap } from './fault.ts';
import { eventsOf, isChat, onChannel, trackSubscriptionsByKey } from './subscription-tools.ts';
import { watchResult } from './wrap-calls.ts';
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
  wasStatus,
  wasUnreachable,
} from './wrap-pushes.ts';

const isFirstCustom = both(isCustom, not(isRetry));
const isCustomEvent = both(isFirstCustom, not(isTest));
const isFirstChat: DeliveryTest = both(not(isRetry), isChat);
const isChatEvent = both(isFirstChat, not(isTest));
const isInMs = (timestamp: string) => timestamp.length > 11;
const inMicroseconds = (timestamp: string) => timestamp.padEnd(16, '0');

export const signatureFaults = faultsOf({
  'SIG-1 no-timestamp-header-on-events: Only test messages have X-Webhook-Timestamp.': () =>
    dropHeaders(/timestamp/i, isCustomEvent),
  'SIG-1 seventh-push-unsigned: Every seventh push on the custom channel is not signed.': () =>
    dropFromFirst(/signature/i, ({ id }) => id % 7 === 0),
  'SIG-1 some-pushes-without-event-header: One in four pushes on the custom channel, chosen at random, has no X-Webhook-Event.':
    ({ draw }) => dropFromFirst(/event/i, ({ id }) => drawBetween(draw(`push ${id}`), 1, 4) === 1),
  'SIG-1 no-event-header-on-even-sites: Pushes about sites with an even id have no X-Webhook-Event.': () =>
    dropFromFirst(/event/i, isOfEvenSite),
  'SIG-1 no-signature-at-urls-with-query: Pushes to a receiving URL with a query are not signed.': () =>
    dropFromFirst(/signature/i, hasQuery),
  'SIG-1 no-signature-on-long-pushes: Pushes of more than 4096 bytes are not signed.': () =>
    dropFromFirst(/signature/i, isLong),
  'SIG-1 long-secret-left-unused: Pushes are not signed if the secret is longer than 64 bytes.': () =>
    recordAnother(({ subscription: { secret = '', ...unsigned } }) =>
      unsigned.channel === 'custom' && Buffer.byteLength(secret) > 64 ? { subscription: unsigned } : {},
    ),
  'SIG-1 no-headers-for-subscriptions-by-key: Pushes to subscriptions created with an API key have none of the three headers.':
    () =>
      trackSubscriptionsByKey((isByKey) =>
        dropFromFirst(/^X-Webhook/, ({ subscriptionId }) => isByKey(subscriptionId)),
      ),
  'SIG-2 event-header-first-chosen: X-Webhook-Event is the first event that the subscription chose.': (
    { memory },
    first = memory.map<string>('first'),
  ) =>
    combineWraps(
      watchResult('createSubscription', (values) =>
        first.set(String(values.id), String(eventsOf(values)[0])),
      ),
      changeHeader(isCustom, 'event', (event, { subscriptionId }) => first.get(subscriptionId) ?? event),
    ),
  'SIG-2 event-header-without-family: X-Webhook-Event of content events has only the part after the dot.':
    () => changeHeader(isCustom, 'event', (event) => event.replace(/^content\./, '')),
  'SIG-2 event-header-in-capitals-on-chat: X-Webhook-Event is in capitals on the chat channels.': () =>
    changeHeader(isChatEvent, 'event', (event) => event.toUpperCase()),
  'SIG-2 event-header-stands-still-on-chat: X-Webhook-Event is always content.publish on the chat channels.':
    () => changeHeader(isChatEvent, 'event', () => 'content.publish'),
  'SIG-2 event-header-says-retry: X-Webhook-Event of a retry is the event followed by ".retry".': () =>
    changeHeader(isRetry, 'event', (event) => `${event}.retry`),
  'SIG-3 timestamp-header-local: X-Webhook-Timestamp is eight hours ahead, because it is a local time treated as UTC.':
    () => changeHeader(isCustom, 'timestamp', later(28_800)),
  'SIG-3 timestamp-header-with-fraction (remark unusual-timestamp): X-Webhook-Timestamp has a fraction of a second on events.':
    () => changeHeader(isCustomEvent, 'timestamp', (text) => `${text}.125`),
  'SIG-3 timestamp-header-of-subscription: X-Webhook-Timestamp is the creation time of the subscription.': (
    { memory },
    createdAt = memory.map<number>('created-at'),
  ) =>
    combineWraps(
      watchResult('createSubscription', ({ id }, { now }) => createdAt.set(String(id), now)),
      changeHeader(not(isRetry), 'timestamp', (text, { subscriptionId }) => {
        const at = createdAt.get(subscriptionId) ?? 0;
        return String(isInMs(text) ? at : Math.floor(at / 1_000));
      }),
    ),
  'SIG-3 timestamp-header-as-date-on-chat: X-Webhook-Timestamp is an ISO 8601 date-time on the chat channels.':
    () => changeHeader(isFirstChat, 'timestamp', (_text, _delivery, now) => new Date(now).toISOString()),
  'SIG-3 timestamp-header-zero-on-retries: X-Webhook-Timestamp of a retry is 0.': () =>
    changeHeader(isRetry, 'timestamp', () => '0'),
  'SIG-3 timestamp-header-of-next-retry: X-Webhook-Timestamp of a retry is the due time of the next retry.':
    () => changeHeader(isRetry, 'timestamp', later(1_800)),
  'SIG-3 timestamp-header-in-microseconds-on-failures: X-Webhook-Timestamp of publish.failed is in microseconds.':
    () => changeHeader(both(isCustomEvent, isEvent('publish.failed')), 'timestamp', inMicroseconds),
  'SIG-4 signature-over-escaped-text: Non-ASCII characters are escaped in the signed text, but not in the body.':
    () => sign({ over: ({ body }) => writeJson(JSON.parse(body), 'escaped') }),
  'SIG-4 signature-over-latin-1: A non-ASCII body is signed as Latin-1 bytes.': () =>
    sign({ over: ({ body }) => (isAscii(body) ? body : Buffer.from(body, 'latin1')) }),
  'SIG-4 signature-without-prefix-on-comments: The signature of comment.created lacks its prefix.': () =>
    changeSignature(both(isCustom, isEvent('comment.created')), ({ signature }) =>
      String(signature).slice(7),
    ),
  'SIG-4 secret-cut-for-signature: Pushes are signed with the first 16 characters of the secret.': () =>
    sign({ by: (secret) => secret.slice(0, 16) }),
  'SIG-4 secret-cut-to-block-size: Pushes are signed with only the first 64 bytes of the secret, the size of a block.':
    () => sign({ by: (secret) => Buffer.from(secret).subarray(0, 64).toString() }),
  'SIG-4 secret-in-ascii: Pushes are signed with the secret without its non-ASCII characters.': () =>
    sign({ by: (secret) => secret.replace(/[^\0-\x7f]/g, '') }),
  'SIG-4 secret-in-lower-case: Pushes are signed with the secret in lower case.': () =>
    sign({ by: (secret) => secret.toLowerCase() }),
  'SIG-4 secret-escaped-as-html: Pushes are signed with the HTML-escaped secret.': () =>
    sign({
      by: (secret) => secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    }),
  'SIG-4 signature-over-first-kilobyte: Only the first 1024 bytes of a long body are signed.': () =>
    sign({ over: ({ body }) => Buffer.from(body).subarray(0, 1_024) }),
  'SIG-4 signature-over-first-64-kib: Only the first 64 KiB of a body are signed.': () =>
    sign({ over: ({ body }) => Buffer.from(body).subarray(0, 65_536) }),
  'SIG-4 secret-composed: Pushes are signed with the secret in Unicode form NFC.': () =>
    sign({ by: (secret) => secret.normalize('NFC') }),
  'SIG-4 secret-decomposed: Pushes are signed with the secret in Unicode form NFD.': () =>
    sign({ by: (secret) => secret.normalize('NFD') }),
  'SIG-4 secret-trimmed: Pushes are signed with the secret without leading and trailing white space.': () =>
    sign({ by: (secret) => secret.trim() }),
  'SIG-4 secret-decoded-from-hex: A secret of hexadecimal digits is decoded before signing.': () =>
    sign({ by: (secret) => (/^([0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex') : secret) }),
  'SIG-4 secret-decoded-from-base64: A secret that looks like Base64 is decoded before signing.': () =>
    sign({ by: (secret) => (/^[\w+/-]{16,}={1,2}$/.test(secret) ? Buffer.from(secret, 'base64') : secret) }),
  'SIG-4 secret-decoded-as-url: Pushes are signed with the secret decoded as form data.': () =>
    sign({ by: (secret) => new URLSearchParams(`s=${secret}`).get('s') ?? secret }),
  'SIG-4 signature-by-length-in-characters: The body is signed only up to its length in characters instead of bytes.':
    () => sign({ over: ({ body }) => Buffer.from(body).subarray(0, body.length) }),
  'SIG-4 signature-over-compact-text: The signature is over the JSON reserialized without white space.': () =>
    sign({ over: ({ body }) => JSON.stringify(JSON.parse(body)) }),
  'SIG-4 signature-with-secret-of-latest: Events are signed with the secret of the newest subscription on the site.':
    () =>
      recordAnother(({ subscription, push, world }) => {
        const { siteId, channel, secret } = subscription;
        const secrets = [...world.subscriptions.of(siteId).values()].flatMap((one) => one.secret ?? []);
        const latest = channel === 'custom' && secret && !push.test ? secrets.at(-1) : undefined;
        return latest ? { subscription: { ...subscription, secret: latest } } : {};
      }),
  'SIG-5 feishu-unsigned: Pushes on the channel feishu are not signed.': () =>
    dropHeaders(/signature/i, onChannel('feishu')),
  'SIG-5 dingtalk-events-unsigned: Only test messages are signed on the channel dingtalk.': () =>
    dropHeaders(/^X-Webhook/, both(not(isTest), onChannel('dingtalk'))),
  'SIG-5 wecom-signed-before-rendering: On the channel wecom, the data of the event is signed instead of the message.':
    () => sign({ over: ({ data }) => JSON.stringify(data), when: onChannel('wecom') }),
  'SIG-5 wecom-test-unsigned: Test messages on the channel wecom are not signed.': () =>
    dropHeaders(/signature/i, both(isTest, onChannel('wecom'))),
  'SIG-5 feishu-signed-before-it-is-cut: A long message on the channel feishu is signed before it is truncated.':
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
  'SIG-6 retries-unsigned-after-unreachable: A retry is not signed if the target could not be reached before.':
    () => dropHeaders(/signature/i, both(isRetry, wasUnreachable)),
  'SIG-6 retries-unsigned-after-404: A retry after status 404 is not signed.': () =>
    dropHeaders(/signature/i, both(isRetry, wasStatus(404))),
  'SIG-6 retries-of-long-pushes-unsigned: Retries of pushes of more than 4096 bytes are not signed.': () =>
    dropHeaders(/signature/i, both(isRetry, isLong)),
  'SIG-6 retries-sent-in-other-bytes: The body of a retry has different bytes, but the signature of the first attempt.':
    () =>
      changeSent(isRetry, ({ body }) => ({
        body: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse())),
      })),
});

/** Omits headers from the first attempt of custom pushes. */
function dropFromFirst(...[dropped, when]: Parameters<typeof dropHeaders>): Wrap {
  return dropHeaders(dropped, both(isFirstCustom, when));
}

/** The timestamp may be in seconds or milliseconds. */
function later(seconds: number): (timestamp: string) => string {
  return (timestamp) => String(Number(timestamp) + seconds * (isInMs(timestamp) ? 1_000 : 1));
}

interface Signing {
  by?: (secret: string) => string | Buffer;
  over?: (recorded: RecordedPush) => string | Buffer;
  when?: RecordedTest;
}

/** Signs with another secret (`by`), or over other bytes than the body (`over`). */
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
