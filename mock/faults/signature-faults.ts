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
  'SIG-1 no-timestamp-header-on-events: sends X-Webhook-Timestamp only with test messages': () =>
    dropHeaders(/timestamp/i, isCustomEvent),
  'SIG-1 seventh-push-unsigned: omits the signature from every seventh push on the custom channel': () =>
    dropFromFirst(/signature/i, ({ id }) => id % 7 === 0),
  'SIG-1 some-pushes-without-event-header: omits X-Webhook-Event from a random quarter of the custom pushes':
    ({ draw }) => dropFromFirst(/event/i, ({ id }) => drawBetween(draw(`push ${id}`), 1, 4) === 1),
  'SIG-1 no-event-header-on-even-sites: omits X-Webhook-Event from pushes of sites with an even id': () =>
    dropFromFirst(/event/i, isOfEvenSite),
  'SIG-1 no-signature-at-urls-with-query: omits the signature from pushes to receiving URLs with a query':
    () => dropFromFirst(/signature/i, hasQuery),
  'SIG-1 no-signature-on-long-pushes: omits the signature from pushes of more than 4096 bytes': () =>
    dropFromFirst(/signature/i, isLong),
  'SIG-1 long-secret-left-unused: omits the signature if the secret is longer than 64 bytes': () =>
    recordAnother(({ subscription: { secret = '', ...unsigned } }) =>
      unsigned.channel === 'custom' && Buffer.byteLength(secret) > 64 ? { subscription: unsigned } : {},
    ),
  'SIG-1 no-headers-for-subscriptions-by-key: omits the webhook headers for subscriptions created with an API key':
    () =>
      trackSubscriptionsByKey((isByKey) =>
        dropFromFirst(/^X-Webhook/, ({ subscriptionId }) => isByKey(subscriptionId)),
      ),
  'SIG-2 event-header-first-chosen: sends the first chosen event as X-Webhook-Event': (
    { memory },
    first = memory.map<string>('first'),
  ) =>
    combineWraps(
      watchResult('createSubscription', (values) =>
        first.set(String(values.id), String(eventsOf(values)[0])),
      ),
      changeHeader(isCustom, 'event', (event, { subscriptionId }) => first.get(subscriptionId) ?? event),
    ),
  'SIG-2 event-header-without-family: sends X-Webhook-Event of content events without the part before the dot':
    () => changeHeader(isCustom, 'event', (event) => event.replace(/^content\./, '')),
  'SIG-2 event-header-in-capitals-on-chat: sends X-Webhook-Event in capitals on the chat channels': () =>
    changeHeader(isChatEvent, 'event', (event) => event.toUpperCase()),
  'SIG-2 event-header-stands-still-on-chat: sends content.publish as X-Webhook-Event of all chat pushes':
    () => changeHeader(isChatEvent, 'event', () => 'content.publish'),
  'SIG-2 event-header-says-retry: appends ".retry" to X-Webhook-Event of retries': () =>
    changeHeader(isRetry, 'event', (event) => `${event}.retry`),
  'SIG-3 timestamp-header-local: sends X-Webhook-Timestamp eight hours ahead, because it treats local time as UTC':
    () => changeHeader(isCustom, 'timestamp', later(28_800)),
  'SIG-3 timestamp-header-with-fraction (remark unusual-timestamp): sends events with a fraction of a second in X-Webhook-Timestamp':
    () => changeHeader(isCustomEvent, 'timestamp', (text) => `${text}.125`),
  'SIG-3 timestamp-header-of-subscription: sends the creation time of the subscription as X-Webhook-Timestamp':
    ({ memory }, createdAt = memory.map<number>('created-at')) =>
      combineWraps(
        watchResult('createSubscription', ({ id }, { now }) => createdAt.set(String(id), now)),
        changeHeader(not(isRetry), 'timestamp', (text, { subscriptionId }) => {
          const at = createdAt.get(subscriptionId) ?? 0;
          return String(isInMs(text) ? at : Math.floor(at / 1_000));
        }),
      ),
  'SIG-3 timestamp-header-as-date-on-chat: sends X-Webhook-Timestamp as an ISO 8601 date-time on the chat channels':
    () => changeHeader(isFirstChat, 'timestamp', (_text, _delivery, now) => new Date(now).toISOString()),
  'SIG-3 timestamp-header-zero-on-retries: sends 0 as X-Webhook-Timestamp of retries': () =>
    changeHeader(isRetry, 'timestamp', () => '0'),
  'SIG-3 timestamp-header-of-next-retry: sends the time of the next retry as X-Webhook-Timestamp of retries':
    () => changeHeader(isRetry, 'timestamp', later(1_800)),
  'SIG-3 timestamp-header-in-microseconds-on-failures: sends X-Webhook-Timestamp of publish.failed in microseconds':
    () => changeHeader(both(isCustomEvent, isEvent('publish.failed')), 'timestamp', inMicroseconds),
  'SIG-4 signature-over-escaped-text: signs the body with non-ASCII characters escaped, but sends them unescaped':
    () => sign({ over: ({ body }) => writeJson(JSON.parse(body), 'escaped') }),
  'SIG-4 signature-over-latin-1: signs non-ASCII bodies as Latin-1 bytes': () =>
    sign({ over: ({ body }) => (isAscii(body) ? body : Buffer.from(body, 'latin1')) }),
  'SIG-4 signature-without-prefix-on-comments: omits the prefix from the signature of comment.created': () =>
    changeSignature(both(isCustom, isEvent('comment.created')), ({ signature }) =>
      String(signature).slice(7),
    ),
  'SIG-4 secret-cut-for-signature: signs with the first 16 characters of the secret': () =>
    sign({ by: (secret) => secret.slice(0, 16) }),
  'SIG-4 secret-cut-to-block-size: signs with only the first 64 bytes of the secret, one block': () =>
    sign({ by: (secret) => Buffer.from(secret).subarray(0, 64).toString() }),
  'SIG-4 secret-in-ascii: signs with the secret without its non-ASCII characters': () =>
    sign({ by: (secret) => secret.replace(/[^\0-\x7f]/g, '') }),
  'SIG-4 secret-in-lower-case: signs with the secret in lower case': () =>
    sign({ by: (secret) => secret.toLowerCase() }),
  'SIG-4 secret-escaped-as-html: signs with the HTML-escaped secret': () =>
    sign({
      by: (secret) => secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    }),
  'SIG-4 signature-over-first-kilobyte: signs only the first 1024 bytes of a long body': () =>
    sign({ over: ({ body }) => Buffer.from(body).subarray(0, 1_024) }),
  'SIG-4 signature-over-first-64-kib: signs only the first 64 KiB of a body': () =>
    sign({ over: ({ body }) => Buffer.from(body).subarray(0, 65_536) }),
  'SIG-4 secret-composed: signs with the secret in Unicode form NFC': () =>
    sign({ by: (secret) => secret.normalize('NFC') }),
  'SIG-4 secret-decomposed: signs with the secret in Unicode form NFD': () =>
    sign({ by: (secret) => secret.normalize('NFD') }),
  'SIG-4 secret-trimmed: signs with the secret without leading and trailing white space': () =>
    sign({ by: (secret) => secret.trim() }),
  'SIG-4 secret-decoded-from-hex: decodes a secret of hexadecimal digits before it signs': () =>
    sign({ by: (secret) => (/^([0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex') : secret) }),
  'SIG-4 secret-decoded-from-base64: decodes a secret that looks like Base64 before it signs': () =>
    sign({ by: (secret) => (/^[\w+/-]{16,}={1,2}$/.test(secret) ? Buffer.from(secret, 'base64') : secret) }),
  'SIG-4 secret-decoded-as-url: decodes the secret as form data before it signs': () =>
    sign({ by: (secret) => new URLSearchParams(`s=${secret}`).get('s') ?? secret }),
  'SIG-4 signature-by-length-in-characters: signs as many bytes as the body has characters': () =>
    sign({ over: ({ body }) => Buffer.from(body).subarray(0, body.length) }),
  'SIG-4 signature-over-compact-text: signs the body reserialized without white space': () =>
    sign({ over: ({ body }) => JSON.stringify(JSON.parse(body)) }),
  'SIG-4 signature-with-secret-of-latest: signs events with the secret of the newest subscription on the site':
    () =>
      recordAnother(({ subscription, push, world }) => {
        const { siteId, channel, secret } = subscription;
        const secrets = [...world.subscriptions.of(siteId).values()].flatMap((one) => one.secret ?? []);
        const latest = channel === 'custom' && secret && !push.test ? secrets.at(-1) : undefined;
        return latest ? { subscription: { ...subscription, secret: latest } } : {};
      }),
  'SIG-5 feishu-unsigned: omits the signature on the channel feishu': () =>
    dropHeaders(/signature/i, onChannel('feishu')),
  'SIG-5 dingtalk-events-unsigned: signs only test messages on the channel dingtalk': () =>
    dropHeaders(/^X-Webhook/, both(not(isTest), onChannel('dingtalk'))),
  'SIG-5 wecom-signed-before-rendering: signs the data of the event instead of the wecom message': () =>
    sign({ over: ({ data }) => JSON.stringify(data), when: onChannel('wecom') }),
  'SIG-5 wecom-test-unsigned: omits the signature from test messages on the channel wecom': () =>
    dropHeaders(/signature/i, both(isTest, onChannel('wecom'))),
  'SIG-5 feishu-signed-before-it-is-cut: signs long feishu messages before it truncates them': () =>
    sign({ over: ({ body }) => `${body}…`, when: both(isLongBeforeCut, onChannel('feishu')) }),
  'SIG-5 dingtalk-failures-without-timestamp-header: omits X-Webhook-Timestamp from publish.failed on the channel dingtalk':
    () => dropHeaders(/timestamp/i, both(not(isTest), onChannel('dingtalk'), isEvent('publish.failed'))),
  'SIG-6 retries-unsigned: omits the signature from retries': () => dropHeaders(/signature/i, isRetry),
  'SIG-6 third-retry-unsigned: omits the signature from the third retry': () =>
    dropHeaders(/signature/i, isNthRetry(3)),
  'SIG-6 chat-retries-without-headers: omits the webhook headers from retries on the chat channels': () =>
    dropHeaders(/^X-Webhook/, both(isRetry, isChat)),
  'SIG-6 second-retry-unsigned: omits the signature from the second retry': () =>
    dropHeaders(/signature/i, isNthRetry(2)),
  'SIG-6 feishu-retries-unsigned: omits the signature from retries on the channel feishu': () =>
    dropHeaders(/signature/i, both(isRetry, onChannel('feishu'))),
  'SIG-6 retries-unsigned-after-unreachable: omits the signature from retries after a failed connection':
    () => dropHeaders(/signature/i, both(isRetry, wasUnreachable)),
  'SIG-6 retries-unsigned-after-404: omits the signature from retries after status 404': () =>
    dropHeaders(/signature/i, both(isRetry, wasStatus(404))),
  'SIG-6 retries-of-long-pushes-unsigned: omits the signature from retries of more than 4096 bytes': () =>
    dropHeaders(/signature/i, both(isRetry, isLong)),
  'SIG-6 retries-sent-in-other-bytes: sends retries in different bytes with the signature of the first attempt':
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
