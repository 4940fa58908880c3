import { createHmac } from 'node:crypto';
import { signBody } from '../webhooks/sign.ts';
import { writeJson } from '../webhooks/write-json.ts';
import { both, faultsOf, not, type Wrap } from './fault.ts';
import { isChat, onChannel } from './subscriptions.ts';
import {
  allHeaders,
  changeRecording,
  changeSent,
  changeSignature,
  type DeliveryTest,
  dropHeaders,
  hasLongData,
  hexOf,
  isAscii,
  isEvent,
  isLong,
  isRetry,
  isTest,
  headerNames as names,
} from './wrap-pushes.ts';

const isCustom: DeliveryTest = onChannel('custom');
const isNthRetry =
  (retry: number): DeliveryTest =>
  ({ retries }) =>
    retries === retry;
const wasUnreachable: DeliveryTest = ({ attempts }) => attempts.some(({ outcome }) => 'error' in outcome);
const wasAnswered404: DeliveryTest = ({ attempts }) =>
  attempts.some(({ outcome }) => 'status' in outcome && outcome.status === 404);

/** Faults in the signatures of pushes. */
export const signatureFaults = faultsOf({
  'SIG-4': {
    'signature-over-escaped-text: Non-ASCII characters are escaped in the signed text, but not in the body.':
      () => signOver((body) => writeJson(JSON.parse(body), 'escaped')),
    'signature-over-latin-1: A body that is not ASCII is signed by the bytes it would have in another encoding.':
      () => signOver((body) => (isAscii(body) ? body : Buffer.from(body, 'latin1'))),
    'signature-without-prefix-on-comments: The signature of comment.created lacks its prefix.': () =>
      changeSignature(both(isCustom, isEvent('comment.created')), (_secret, { signature }) =>
        String(signature).slice('sha256='.length),
      ),
    'secret-cut-for-signature: Pushes are signed with the first 16 characters of the secret.': () =>
      signWith((secret) => secret.slice(0, 16)),
    'secret-cut-to-block-size: Pushes are signed with the first 64 bytes of a longer secret, the size of a block.':
      () => signWith((secret) => Buffer.from(secret).subarray(0, 64).toString()),
    'secret-in-ascii: Pushes are signed with the secret without its non-ASCII characters.': () =>
      signWith((secret) => secret.replace(/[^\0-\x7f]/g, '')),
    'secret-in-lower-case: Pushes are signed with the secret in lower case.': () =>
      signWith((secret) => secret.toLowerCase()),
    'secret-escaped-as-html: Pushes are signed with the secret escaped as in HTML.': () =>
      signWith((secret) => secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')),
    'signature-over-first-kilobyte: Of a long body only the first 1024 bytes are signed.': () =>
      signOver((body) => Buffer.from(body).subarray(0, 1_024)),
    'signature-over-first-64-kib: Of a body of more than 64 KiB only that much is signed.': () =>
      signOver((body) => Buffer.from(body).subarray(0, 65_536)),
    'secret-composed: Pushes are signed with the secret in the composed form of Unicode (NFC).': () =>
      signWith((secret) => secret.normalize('NFC')),
    'secret-decomposed: Pushes are signed with the secret in the decomposed form of Unicode (NFD).': () =>
      signWith((secret) => secret.normalize('NFD')),
    'secret-trimmed: Pushes are signed with the secret without the blanks at its ends.': () =>
      signWith((secret) => secret.trim()),
    'secret-decoded-from-hex: A secret of hexadecimal digits is decoded before it signs.': () =>
      signWith((secret) => (/^([0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex') : secret)),
    'secret-decoded-from-base64: A secret that looks like base64 is decoded before it signs.': () =>
      signWith((secret) => (/^[\w+/-]{16,}={1,2}$/.test(secret) ? Buffer.from(secret, 'base64') : secret)),
    'secret-decoded-as-url: Pushes are signed with the secret decoded as in a form.': () =>
      signWith((secret) => new URLSearchParams(`s=${secret}`).get('s') ?? secret),
    'signature-by-length-in-characters: As many bytes of the body are signed as it has characters.': () =>
      signOver((body) => Buffer.from(body).subarray(0, body.length)),
    'signature-over-compact-text: The signature is over the JSON written again without blanks.': () =>
      signOver((body) => JSON.stringify(JSON.parse(body))),
    'signature-with-secret-of-latest: Events are signed with the secret of the subscription on the site that was made last.':
      () =>
        changeRecording(({ subscription, push, world }) => {
          const { siteId, channel, secret } = subscription;
          const latest = [...world.subscriptions.of(siteId).values()].findLast(
            (one) => one.secret !== undefined,
          );
          if (!latest?.secret || !secret || channel !== 'custom' || push.test) return {};
          return { subscription: { ...subscription, secret: latest.secret } };
        }),
  },
  'SIG-5': {
    'feishu-unsigned: Pushes on the channel feishu are not signed.': () =>
      dropHeaders(onChannel('feishu'), names.signature),
    'dingtalk-events-unsigned: On the channel dingtalk only test messages are signed.': () =>
      dropHeaders(both(not(isTest), onChannel('dingtalk')), ...allHeaders),
    'wecom-signed-before-rendering: On the channel wecom the data of the event is signed, not the message.':
      () =>
        changeSignature(onChannel('wecom'), (secret, _delivery, recorded) =>
          signBody(secret, JSON.stringify(recorded.push.data), hexOf(recorded)),
        ),
    'wecom-test-unsigned: Test messages on the channel wecom are not signed.': () =>
      dropHeaders(both(isTest, onChannel('wecom')), names.signature),
    'feishu-signed-before-it-is-cut: A long message on the channel feishu is signed before it is cut.': () =>
      changeSignature(
        (delivery, { push }) => delivery.channel === 'feishu' && hasLongData(push),
        (secret, { body }, recorded) => signBody(secret, `${body}…`, hexOf(recorded)),
      ),
    'dingtalk-failures-without-timestamp-header: publish.failed has no X-Webhook-Timestamp on the channel dingtalk.':
      () => dropHeaders(both(not(isTest), onChannel('dingtalk'), isEvent('publish.failed')), names.timestamp),
  },
  'SIG-6': {
    'retries-unsigned: Retries are not signed.': () => dropHeaders(isRetry, names.signature),
    'third-retry-unsigned: The third retry is not signed.': () => dropHeaders(isNthRetry(3), names.signature),
    'chat-retries-without-headers: Retries on the chat channels have none of the three headers.': () =>
      dropHeaders(both(isRetry, isChat), ...allHeaders),
    'second-retry-unsigned: The second retry is not signed.': () =>
      dropHeaders(isNthRetry(2), names.signature),
    'feishu-retries-unsigned: Retries on the channel feishu are not signed.': () =>
      dropHeaders(both(isRetry, onChannel('feishu')), names.signature),
    'retries-unsigned-after-unreachable: A retry is not signed where the target could not be reached before.':
      () => dropHeaders(both(isRetry, wasUnreachable), names.signature),
    'retries-unsigned-after-404: A retry after an answer of 404 is not signed.': () =>
      dropHeaders(both(isRetry, wasAnswered404), names.signature),
    'retries-of-long-pushes-unsigned: The retry of a push of more than 4096 bytes is not signed.': () =>
      dropHeaders(both(isRetry, isLong), names.signature),
    'retries-sent-in-other-bytes: The body of a retry is written in other bytes, with the signature of the first attempt.':
      () =>
        changeSent(isRetry, ({ body }) => ({
          body: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse())),
        })),
  },
});

/** Signs custom pushes with another secret, or over other bytes. */
function signCustom(
  change: (given: { secret: string; body: string }) => { secret?: string | Buffer; body?: string | Buffer },
): Wrap {
  return changeSignature(isCustom, (secret, { body }, recorded) => {
    const signed = { secret, body, ...change({ secret, body }) };
    const hex = createHmac('sha256', signed.secret).update(signed.body).digest('hex');
    return `sha256=${hexOf(recorded) === 'upper' ? hex.toUpperCase() : hex}`;
  });
}

/** Signs custom pushes with another secret. */
function signWith(secretOf: (secret: string) => string | Buffer): Wrap {
  return signCustom(({ secret }) => ({ secret: secretOf(secret) }));
}

/** Signs other bytes than the body of custom pushes. */
function signOver(bytesOf: (body: string) => string | Buffer): Wrap {
  return signCustom(({ body }) => ({ body: bytesOf(body) }));
}
