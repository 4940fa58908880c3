import { createHmac } from 'node:crypto';
import { signBody } from '../webhooks/sign.ts';
import { writeJson } from '../webhooks/write-json.ts';
import type { AttemptOutcome } from '../world/world.ts';
import { faultsOf, type Wrap } from './fault.ts';
import {
  changeSentMessage,
  changeSignature,
  dropHeaders,
  hasLongData,
  hexOf,
  isAscii,
  isCustom,
  isLong,
  isRetry,
  headerNames as names,
} from './wrap-pushes.ts';

/** Faults in the headers of signed pushes. */
export const signatureFaults = faultsOf({
  'SIG-4': {
    'signature-over-escaped-text: Non-ASCII characters are escaped in the signed text, but not in the body.':
      () => signCustom(({ body }) => ({ body: writeJson(JSON.parse(body), 'escaped') })),
    'signature-over-latin-1: A body that is not ASCII is signed by the bytes it would have in another encoding.':
      () =>
        changeSignature(
          ({ delivery }) => isCustom(delivery) && !isAscii(delivery.body),
          (secret, body) =>
            `sha256=${createHmac('sha256', secret).update(Buffer.from(body, 'latin1')).digest('hex')}`,
        ),
    'signature-without-prefix-on-comments: The signature of comment.created lacks its prefix.': () =>
      changeSignature(
        ({ delivery }) => isCustom(delivery) && delivery.event === 'comment.created',
        (_secret, _body, { delivery }) => String(delivery.signature).slice('sha256='.length),
      ),
    'secret-cut-for-signature: Pushes are signed with the first 16 characters of the secret.': () =>
      signCustom(({ secret }) => ({ secret: secret.slice(0, 16) })),
    'secret-cut-to-block-size: Pushes are signed with the first 64 bytes of a longer secret, the size of a block.':
      () => signCustom(({ secret }) => ({ secret: Buffer.from(secret).subarray(0, 64).toString() })),
    'secret-in-ascii: Pushes are signed with the secret without its non-ASCII characters.': () =>
      signCustom(({ secret }) => ({ secret: secret.replace(/[^\0-\x7f]/g, '') })),
    'secret-in-lower-case: Pushes are signed with the secret in lower case.': () =>
      signCustom(({ secret }) => ({ secret: secret.toLowerCase() })),
    'secret-escaped-as-html: Pushes are signed with the secret escaped as in HTML.': () =>
      signCustom(({ secret }) => ({
        secret: secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
      })),
    'signature-over-first-kilobyte: Of a long body only the first 1024 bytes are signed.': () =>
      signCustom(({ body }) => ({ body: Buffer.from(body).subarray(0, 1_024) })),
    'signature-over-first-64-kib: Of a body of more than 64 KiB only that much is signed.': () =>
      signCustom(({ body }) => ({ body: Buffer.from(body).subarray(0, 65_536) })),
    'secret-composed: Pushes are signed with the secret in the composed form of Unicode (NFC).': () =>
      signCustom(({ secret }) => ({ secret: secret.normalize('NFC') })),
    'secret-decomposed: Pushes are signed with the secret in the decomposed form of Unicode (NFD).': () =>
      signCustom(({ secret }) => ({ secret: secret.normalize('NFD') })),
    'secret-trimmed: Pushes are signed with the secret without the blanks at its ends.': () =>
      signCustom(({ secret }) => ({ secret: secret.trim() })),
    'secret-decoded-from-hex: A secret of hexadecimal digits is decoded before it signs.': () =>
      signWithKey((secret) => (/^([0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex') : secret)),
    'secret-decoded-from-base64: A secret that looks like base64 is decoded before it signs.': () =>
      signWithKey((secret) => (/^[\w+/-]{16,}={1,2}$/.test(secret) ? Buffer.from(secret, 'base64') : secret)),
    'secret-decoded-as-url: Pushes are signed with the secret decoded as in a form.': () =>
      signCustom(({ secret }) => ({ secret: new URLSearchParams(`s=${secret}`).get('s') ?? secret })),
    'signature-by-length-in-characters: As many bytes of the body are signed as it has characters.': () =>
      signCustom(({ body }) => ({ body: Buffer.from(body).subarray(0, body.length) })),
    'signature-over-compact-text: The signature is over the JSON written again without blanks.': () =>
      signCustom(({ body }) => ({ body: JSON.stringify(JSON.parse(body)) })),
    'signature-with-secret-of-latest: Events are signed with the secret of the subscription on the site that was made last.':
      () => (steps) => ({
        recordDelivery(context, push, subscription) {
          const delivery = steps.recordDelivery(context, push, subscription);
          const { siteId, secret, channel } = subscription;
          const latest = [...context.world.subscriptions.values()].findLast(
            (one) => one.siteId === siteId && one.secret !== undefined,
          );
          if (secret === undefined || channel !== 'custom' || push.test) return delivery;
          const hex = context.profile.values['webhook.signature-hex'];
          return Object.assign(delivery, {
            signature: signBody(latest?.secret ?? secret, delivery.body, hex),
          });
        },
      }),
  },
  'SIG-5': {
    'feishu-unsigned: Pushes on the channel feishu are not signed.': () =>
      dropHeaders(({ channel }) => channel === 'feishu', names.signature),
    'dingtalk-events-unsigned: On the channel dingtalk only test messages are signed.': () =>
      dropHeaders(({ channel, isTest }) => channel === 'dingtalk' && !isTest, ...Object.values(names)),
    'wecom-signed-before-rendering: On the channel wecom the data of the event is signed, not the message.':
      () =>
        changeSignature(
          ({ subscription }) => subscription.channel === 'wecom',
          (secret, _body, recorded) => signBody(secret, JSON.stringify(recorded.push.data), hexOf(recorded)),
        ),
    'wecom-test-unsigned: Test messages on the channel wecom are not signed.': () =>
      dropHeaders(({ channel, isTest }) => channel === 'wecom' && isTest, names.signature),
    'feishu-signed-before-it-is-cut: A long message on the channel feishu is signed before it is cut.': () =>
      changeSignature(
        ({ subscription, push }) => subscription.channel === 'feishu' && hasLongData(push),
        (secret, body, recorded) => signBody(secret, `${body}…`, hexOf(recorded)),
      ),
    'dingtalk-failures-without-timestamp-header: publish.failed has no X-Webhook-Timestamp on the channel dingtalk.':
      () =>
        dropHeaders(
          ({ channel, event, isTest }) => channel === 'dingtalk' && event === 'publish.failed' && !isTest,
          names.timestamp,
        ),
  },
  'SIG-6': {
    'retries-unsigned: Retries are not signed.': () => dropHeaders(isRetry, names.signature),
    'third-retry-unsigned: The third retry is not signed.': () =>
      dropHeaders(({ retries }) => retries === 3, names.signature),
    'chat-retries-without-headers: Retries on the chat channels have none of the three headers.': () =>
      dropHeaders((delivery) => isRetry(delivery) && !isCustom(delivery), ...Object.values(names)),
    'second-retry-unsigned: The second retry is not signed.': () =>
      dropHeaders(({ retries }) => retries === 2, names.signature),
    'feishu-retries-unsigned: Retries on the channel feishu are not signed.': () =>
      dropHeaders((delivery) => isRetry(delivery) && delivery.channel === 'feishu', names.signature),
    'retries-unsigned-after-unreachable: A retry is not signed where the target could not be reached before.':
      () => leaveRetriesUnsignedAfter((outcome) => 'error' in outcome),
    'retries-unsigned-after-404: A retry after an answer of 404 is not signed.': () =>
      leaveRetriesUnsignedAfter((outcome) => 'status' in outcome && outcome.status === 404),
    'retries-of-long-pushes-unsigned: The retry of a push of more than 4096 bytes is not signed.': () =>
      dropHeaders((delivery) => isRetry(delivery) && isLong(delivery), names.signature),
    'retries-sent-in-other-bytes: The body of a retry is written in other bytes, with the signature of the first attempt.':
      () =>
        changeSentMessage(isRetry, ({ body }) => ({
          body: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse())),
        })),
  },
});

/** Signs custom pushes with another secret, or over other bytes. */
function signCustom(
  change: (given: { secret: string; body: string }) => { secret?: string; body?: string | Buffer },
): Wrap {
  return changeSignature(
    ({ delivery }) => isCustom(delivery),
    (secret, body, recorded) => {
      const signed = { secret, body, ...change({ secret, body }) };
      const hex = createHmac('sha256', signed.secret).update(signed.body).digest('hex');
      return `sha256=${hexOf(recorded) === 'upper' ? hex.toUpperCase() : hex}`;
    },
  );
}

/** Signs custom pushes with a key made of the secret. */
function signWithKey(keyOf: (secret: string) => string | Buffer): Wrap {
  return changeSignature(
    ({ delivery }) => isCustom(delivery),
    (secret, body) => `sha256=${createHmac('sha256', keyOf(secret)).update(body).digest('hex')}`,
  );
}

function leaveRetriesUnsignedAfter(when: (outcome: AttemptOutcome) => boolean): Wrap {
  return dropHeaders(
    (delivery) => isRetry(delivery) && delivery.attempts.some(({ outcome }) => when(outcome)),
    names.signature,
  );
}
