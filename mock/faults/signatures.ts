import { createHmac } from 'node:crypto';
import { drawBetween } from '../random.ts';
import { signBody } from '../webhooks/sign.ts';
import { writeJson } from '../webhooks/write-json.ts';
import type { Delivery } from '../world.ts';
import type { Fault } from './fault.ts';
import {
  isAscii,
  isRetry,
  type Recorded,
  sending,
  signing,
  withHeader,
  withoutHeaders,
} from './wrap-pushes.ts';

const names = {
  event: 'X-Webhook-Event',
  timestamp: 'X-Webhook-Timestamp',
  signature: 'X-Webhook-Signature',
} as const;

/** Of the headers of signed pushes. */
export const signatureFaults: readonly Fault[] = [
  {
    id: 'no-timestamp-header-on-events',
    title: 'Only test messages have X-Webhook-Timestamp.',
    requirement: 'SIG-1',
    wrap: sending(isCustomEvent, (message) => withoutHeaders(message, names.timestamp)),
  },
  {
    id: 'seventh-push-unsigned',
    title: 'Every seventh push on the custom channel is not signed.',
    requirement: 'SIG-1',
    wrap: sending(
      (delivery) => delivery.id % 7 === 0 && isCustomFirst(delivery),
      (message) => withoutHeaders(message, names.signature),
    ),
  },
  {
    id: 'some-pushes-without-event-header',
    title: 'One push in four on the custom channel, drawn by lot, has no X-Webhook-Event.',
    requirement: 'SIG-1',
    wrap: (parts, aids) =>
      sending(
        (delivery) => isCustomFirst(delivery) && drawBetween(aids.draw(`push ${delivery.id}`), 1, 4) === 1,
        (message) => withoutHeaders(message, names.event),
      )(parts, aids),
  },
  {
    id: 'event-header-first-chosen',
    title: 'X-Webhook-Event names the event that the subscription chose first.',
    requirement: 'SIG-2',
    wrap: (parts) => {
      const first = new Map<number, string>();
      return {
        recordDelivery(context, push, subscription) {
          const delivery = parts.recordDelivery(context, push, subscription);
          if (subscription.channel === 'custom') first.set(delivery.id, subscription.events[0] ?? push.event);
          return delivery;
        },
        message(delivery, now, profile) {
          const message = parts.message(delivery, now, profile);
          return { ...message, ...withHeader(message, names.event, (own) => first.get(delivery.id) ?? own) };
        },
      };
    },
  },
  {
    id: 'event-header-without-family',
    title: 'X-Webhook-Event of the events of content names what comes after the dot.',
    requirement: 'SIG-2',
    wrap: sending(
      ({ event, channel }) => event.startsWith('content.') && channel === 'custom',
      (message) => withHeader(message, names.event, (event) => event.slice('content.'.length)),
    ),
  },
  {
    id: 'timestamp-header-local',
    title: 'X-Webhook-Timestamp is eight hours ahead: a local time was taken for UTC.',
    requirement: 'SIG-3',
    wrap: sending(isCustom, (message) =>
      withHeader(message, names.timestamp, (text) =>
        String(Number(text) + 28_800 * (text.length > 11 ? 1_000 : 1)),
      ),
    ),
  },
  {
    id: 'timestamp-header-with-fraction',
    title: 'X-Webhook-Timestamp has a fraction of a second on events.',
    requirement: 'SIG-3',
    wrap: sending(isCustomEvent, (message) => withHeader(message, names.timestamp, (text) => `${text}.125`)),
  },
  {
    id: 'signature-over-escaped-text',
    title: 'What is not ASCII is escaped in the text that is signed, and not in the body.',
    requirement: 'SIG-4',
    wrap: signing(isCustomRecord, (secret, body, recorded) =>
      signBody(secret, writeJson(JSON.parse(body), 'escaped'), hexOf(recorded)),
    ),
  },
  {
    id: 'signature-over-latin-1',
    title: 'A body that is not ASCII is signed by the bytes that it would have in another encoding.',
    requirement: 'SIG-4',
    wrap: signing(
      (recorded) => isCustomRecord(recorded) && !isAscii(recorded.delivery.body),
      (secret, body) =>
        `sha256=${createHmac('sha256', secret).update(Buffer.from(body, 'latin1')).digest('hex')}`,
    ),
  },
  {
    id: 'signature-without-prefix-on-comments',
    title: 'The signature of comment.created lacks its prefix.',
    requirement: 'SIG-4',
    wrap: signing(
      (recorded) => isCustomRecord(recorded) && recorded.push.event === 'comment.created',
      (_secret, _body, { delivery }) => String(delivery.signature).slice('sha256='.length),
    ),
  },
  {
    id: 'secret-cut-for-signature',
    title: 'Only the first 16 characters of a secret are signed with.',
    requirement: 'SIG-4',
    wrap: signing(isCustomRecord, (secret, body, recorded) =>
      signBody(secret.slice(0, 16), body, hexOf(recorded)),
    ),
  },
  {
    id: 'feishu-unsigned',
    title: 'Pushes on the channel feishu are not signed.',
    requirement: 'SIG-5',
    wrap: sending(
      ({ channel }) => channel === 'feishu',
      (message) => withoutHeaders(message, names.signature),
    ),
  },
  {
    id: 'dingtalk-events-unsigned',
    title: 'On the channel dingtalk only test messages are signed.',
    requirement: 'SIG-5',
    wrap: sending(
      ({ channel, isTest }) => channel === 'dingtalk' && !isTest,
      (message) => withoutHeaders(message, ...Object.values(names)),
    ),
  },
  {
    id: 'wecom-signed-before-rendering',
    title: 'On the channel wecom the data of the event is signed, not the message.',
    requirement: 'SIG-5',
    wrap: signing(
      ({ subscription }) => subscription.channel === 'wecom',
      (secret, _body, recorded) => signBody(secret, JSON.stringify(recorded.push.data), hexOf(recorded)),
    ),
  },
  {
    id: 'retries-unsigned',
    title: 'Retries are not signed.',
    requirement: 'SIG-6',
    wrap: sending(isRetry, (message) => withoutHeaders(message, names.signature)),
  },
  {
    id: 'third-retry-unsigned',
    title: 'The third retry is not signed.',
    requirement: 'SIG-6',
    wrap: sending(
      ({ retries }) => retries === 3,
      (message) => withoutHeaders(message, names.signature),
    ),
  },
  {
    id: 'chat-retries-without-headers',
    title: 'Retries on the chat channels have none of the three headers.',
    requirement: 'SIG-6',
    wrap: sending(
      (delivery) => isRetry(delivery) && !isCustom(delivery),
      (message) => withoutHeaders(message, ...Object.values(names)),
    ),
  },
  {
    id: 'retries-sent-in-other-bytes',
    title: 'The body of a retry is written anew, and the signature is that of the first attempt.',
    requirement: 'SIG-6',
    wrap: sending(isRetry, ({ body }) => ({ body: JSON.stringify(JSON.parse(body), null, 1) })),
  },
];

function isCustom({ channel }: Delivery): boolean {
  return channel === 'custom';
}

function isCustomFirst(delivery: Delivery): boolean {
  return isCustom(delivery) && !isRetry(delivery);
}

function isCustomEvent(delivery: Delivery): boolean {
  return isCustomFirst(delivery) && !delivery.isTest;
}

function isCustomRecord({ subscription }: Recorded): boolean {
  return subscription.channel === 'custom';
}

function hexOf({ profile }: Recorded): 'lower' | 'upper' {
  return profile.values['webhook.signature-hex'];
}
