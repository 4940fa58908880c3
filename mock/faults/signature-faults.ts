import { createHmac } from 'node:crypto';
import { writeJson } from '../webhooks/render.ts';
import { signBody } from '../webhooks/sign.ts';
import type { AttemptOutcome } from '../world/entries.ts';
import type { Fault, Wrap } from './fault.ts';
import { pushHeaderFaults } from './push-header-faults.ts';
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
export const signatureFaults: readonly Fault[] = [
  ...pushHeaderFaults,
  {
    id: 'signature-over-escaped-text',
    title: 'Non-ASCII characters are escaped in the signed text, but not in the body.',
    requirement: 'SIG-4',
    wrap: signCustom(({ body }) => ({ body: writeJson(JSON.parse(body), 'escaped') })),
  },
  {
    id: 'signature-over-latin-1',
    title: 'A body that is not ASCII is signed by the bytes it would have in another encoding.',
    requirement: 'SIG-4',
    wrap: changeSignature(
      ({ delivery }) => isCustom(delivery) && !isAscii(delivery.body),
      (secret, body) =>
        `sha256=${createHmac('sha256', secret).update(Buffer.from(body, 'latin1')).digest('hex')}`,
    ),
  },
  {
    id: 'signature-without-prefix-on-comments',
    title: 'The signature of comment.created lacks its prefix.',
    requirement: 'SIG-4',
    wrap: changeSignature(
      ({ delivery }) => isCustom(delivery) && delivery.event === 'comment.created',
      (_secret, _body, { delivery }) => String(delivery.signature).slice('sha256='.length),
    ),
  },
  {
    id: 'secret-cut-for-signature',
    title: 'Pushes are signed with the first 16 characters of the secret.',
    requirement: 'SIG-4',
    wrap: signCustom(({ secret }) => ({ secret: secret.slice(0, 16) })),
  },
  {
    id: 'secret-cut-to-block-size',
    title: 'Pushes are signed with the first 64 bytes of a longer secret, the size of a block.',
    requirement: 'SIG-4',
    wrap: signCustom(({ secret }) => ({ secret: Buffer.from(secret).subarray(0, 64).toString() })),
  },
  {
    id: 'secret-in-ascii',
    title: 'Pushes are signed with the secret without its non-ASCII characters.',
    requirement: 'SIG-4',
    wrap: signCustom(({ secret }) => ({ secret: secret.replace(/[^\0-\x7f]/g, '') })),
  },
  {
    id: 'secret-in-lower-case',
    title: 'Pushes are signed with the secret in lower case.',
    requirement: 'SIG-4',
    wrap: signCustom(({ secret }) => ({ secret: secret.toLowerCase() })),
  },
  {
    id: 'secret-escaped-as-html',
    title: 'Pushes are signed with the secret escaped as in HTML.',
    requirement: 'SIG-4',
    wrap: signCustom(({ secret }) => ({
      secret: secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    })),
  },
  {
    id: 'signature-over-first-kilobyte',
    title: 'Of a long body only the first 1024 bytes are signed.',
    requirement: 'SIG-4',
    wrap: signCustom(({ body }) => ({ body: Buffer.from(body).subarray(0, 1_024) })),
  },
  {
    id: 'signature-over-first-64-kib',
    title: 'Of a body of more than 64 KiB only that much is signed.',
    requirement: 'SIG-4',
    wrap: signCustom(({ body }) => ({ body: Buffer.from(body).subarray(0, 65_536) })),
  },
  {
    id: 'secret-composed',
    title: 'Pushes are signed with the secret in the composed form of Unicode (NFC).',
    requirement: 'SIG-4',
    wrap: signCustom(({ secret }) => ({ secret: secret.normalize('NFC') })),
  },
  {
    id: 'secret-decomposed',
    title: 'Pushes are signed with the secret in the decomposed form of Unicode (NFD).',
    requirement: 'SIG-4',
    wrap: signCustom(({ secret }) => ({ secret: secret.normalize('NFD') })),
  },
  {
    id: 'secret-trimmed',
    title: 'Pushes are signed with the secret without the blanks at its ends.',
    requirement: 'SIG-4',
    wrap: signCustom(({ secret }) => ({ secret: secret.trim() })),
  },
  {
    id: 'secret-decoded-from-hex',
    title: 'A secret of hexadecimal digits is decoded before it signs.',
    requirement: 'SIG-4',
    wrap: signWithKey((secret) => (/^([0-9a-f]{2})+$/i.test(secret) ? Buffer.from(secret, 'hex') : secret)),
  },
  {
    id: 'secret-decoded-from-base64',
    title: 'A secret that looks like base64 is decoded before it signs.',
    requirement: 'SIG-4',
    wrap: signWithKey((secret) =>
      /^[\w+/-]{16,}={1,2}$/.test(secret) ? Buffer.from(secret, 'base64') : secret,
    ),
  },
  {
    id: 'secret-decoded-as-url',
    title: 'Pushes are signed with the secret decoded as in a form.',
    requirement: 'SIG-4',
    wrap: signCustom(({ secret }) => ({ secret: new URLSearchParams(`s=${secret}`).get('s') ?? secret })),
  },
  {
    id: 'signature-by-length-in-characters',
    title: 'As many bytes of the body are signed as it has characters.',
    requirement: 'SIG-4',
    wrap: signCustom(({ body }) => ({ body: Buffer.from(body).subarray(0, body.length) })),
  },
  {
    id: 'signature-over-compact-text',
    title: 'The signature is over the JSON written again without blanks.',
    requirement: 'SIG-4',
    wrap: signCustom(({ body }) => ({ body: JSON.stringify(JSON.parse(body)) })),
  },
  {
    id: 'signature-with-secret-of-latest',
    title: 'Events are signed with the secret of the subscription on the site that was made last.',
    requirement: 'SIG-4',
    wrap: (steps) => ({
      recordDelivery(context, push, subscription) {
        const delivery = steps.recordDelivery(context, push, subscription);
        const { siteId, secret, channel } = subscription;
        const latest = [...context.world.subscriptions.values()].findLast(
          (one) => one.siteId === siteId && one.secret !== undefined,
        );
        if (secret === undefined || channel !== 'custom' || push.test) return delivery;
        const hex = context.profile.values['webhook.signature-hex'];
        return Object.assign(delivery, { signature: signBody(latest?.secret ?? secret, delivery.body, hex) });
      },
    }),
  },
  {
    id: 'feishu-unsigned',
    title: 'Pushes on the channel feishu are not signed.',
    requirement: 'SIG-5',
    wrap: dropHeaders(({ channel }) => channel === 'feishu', names.signature),
  },
  {
    id: 'dingtalk-events-unsigned',
    title: 'On the channel dingtalk only test messages are signed.',
    requirement: 'SIG-5',
    wrap: dropHeaders(({ channel, isTest }) => channel === 'dingtalk' && !isTest, ...Object.values(names)),
  },
  {
    id: 'wecom-signed-before-rendering',
    title: 'On the channel wecom the data of the event is signed, not the message.',
    requirement: 'SIG-5',
    wrap: changeSignature(
      ({ subscription }) => subscription.channel === 'wecom',
      (secret, _body, recorded) => signBody(secret, JSON.stringify(recorded.push.data), hexOf(recorded)),
    ),
  },
  {
    id: 'wecom-test-unsigned',
    title: 'Test messages on the channel wecom are not signed.',
    requirement: 'SIG-5',
    wrap: dropHeaders(({ channel, isTest }) => channel === 'wecom' && isTest, names.signature),
  },
  {
    id: 'feishu-signed-before-it-is-cut',
    title: 'A long message on the channel feishu is signed before it is cut.',
    requirement: 'SIG-5',
    wrap: changeSignature(
      ({ subscription, push }) => subscription.channel === 'feishu' && hasLongData(push),
      (secret, body, recorded) => signBody(secret, `${body}…`, hexOf(recorded)),
    ),
  },
  {
    id: 'dingtalk-failures-without-timestamp-header',
    title: 'publish.failed has no X-Webhook-Timestamp on the channel dingtalk.',
    requirement: 'SIG-5',
    wrap: dropHeaders(
      ({ channel, event, isTest }) => channel === 'dingtalk' && event === 'publish.failed' && !isTest,
      names.timestamp,
    ),
  },
  {
    id: 'retries-unsigned',
    title: 'Retries are not signed.',
    requirement: 'SIG-6',
    wrap: dropHeaders(isRetry, names.signature),
  },
  {
    id: 'third-retry-unsigned',
    title: 'The third retry is not signed.',
    requirement: 'SIG-6',
    wrap: dropHeaders(({ retries }) => retries === 3, names.signature),
  },
  {
    id: 'chat-retries-without-headers',
    title: 'Retries on the chat channels have none of the three headers.',
    requirement: 'SIG-6',
    wrap: dropHeaders((delivery) => isRetry(delivery) && !isCustom(delivery), ...Object.values(names)),
  },
  {
    id: 'second-retry-unsigned',
    title: 'The second retry is not signed.',
    requirement: 'SIG-6',
    wrap: dropHeaders(({ retries }) => retries === 2, names.signature),
  },
  {
    id: 'feishu-retries-unsigned',
    title: 'Retries on the channel feishu are not signed.',
    requirement: 'SIG-6',
    wrap: dropHeaders((delivery) => isRetry(delivery) && delivery.channel === 'feishu', names.signature),
  },
  {
    id: 'retries-unsigned-after-unreachable',
    title: 'A retry is not signed where the target could not be reached before.',
    requirement: 'SIG-6',
    wrap: leaveRetriesUnsignedAfter((outcome) => 'error' in outcome),
  },
  {
    id: 'retries-unsigned-after-404',
    title: 'A retry after an answer of 404 is not signed.',
    requirement: 'SIG-6',
    wrap: leaveRetriesUnsignedAfter((outcome) => 'status' in outcome && outcome.status === 404),
  },
  {
    id: 'retries-of-long-pushes-unsigned',
    title: 'The retry of a push of more than 4096 bytes is not signed.',
    requirement: 'SIG-6',
    wrap: dropHeaders((delivery) => isRetry(delivery) && isLong(delivery), names.signature),
  },
  {
    id: 'retries-sent-in-other-bytes',
    title: 'The body of a retry is written in other bytes, with the signature of the first attempt.',
    requirement: 'SIG-6',
    wrap: changeSentMessage(isRetry, ({ body }) => ({
      body: JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).reverse())),
    })),
  },
];

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
