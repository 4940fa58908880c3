// Faults in pushes: in their bodies, their signatures, and what is sent.
import type { Channel } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import { type PushMessage, writeJson } from '../webhooks/render.ts';
import type { Message } from '../webhooks/send.ts';
import { signBody } from '../webhooks/sign.ts';
import type { Delivery, Subscription } from '../world/entries.ts';
import { combineWraps, type Wrap, withMemory } from './fault.ts';
import type { Memory } from './memory.ts';

export const headerNames = {
  event: 'X-Webhook-Event',
  timestamp: 'X-Webhook-Timestamp',
  signature: 'X-Webhook-Signature',
} as const;

type HeaderName = (typeof headerNames)[keyof typeof headerNames];

/** A push that has been recorded, before its first attempt. */
export interface RecordedPush {
  push: PushMessage;
  subscription: Subscription;
  delivery: Delivery;
  profile: Profile;
}

type PushTest = (recorded: RecordedPush) => boolean;
export type DeliveryTest = (delivery: Delivery) => boolean;

/** Changes what is recorded of pushes. */
function changeRecordedDelivery(change: (recorded: RecordedPush) => Partial<Delivery>): Wrap {
  return (steps) => ({
    recordDelivery(context, push, subscription) {
      const { profile } = context;
      const delivery = steps.recordDelivery(context, push, subscription);
      return Object.assign(delivery, change({ push, subscription, delivery, profile }));
    },
  });
}

/** Looks at each push that is recorded. */
export function watchPushes(look: (recorded: RecordedPush) => void): Wrap {
  return changeRecordedDelivery((recorded) => {
    look(recorded);
    return {};
  });
}

/** Changes bodies of section 6.3 before they are signed. */
export function changeEventBody(when: PushTest, change: (body: Json) => Json): Wrap {
  return changeRecordedDelivery((recorded) => {
    if (!hasEventBody(recorded) || !when(recorded)) return {};
    const style = recorded.profile.values['webhook.body-style'];
    return withBody(recorded, writeJson(change(JSON.parse(recorded.delivery.body)), style));
  });
}

/** Changes the text of bodies of section 6.3 before it is signed. */
export function changeEventText(change: (text: string) => string): Wrap {
  return changeRecordedDelivery((recorded) =>
    hasEventBody(recorded) ? withBody(recorded, change(recorded.delivery.body)) : {},
  );
}

/** Changes bodies of section 6.3 before retries are signed. */
export function changeRetriedEventBody(change: (body: Json) => Json): Wrap {
  return changeRetriedBody('custom', (body, { profile }) =>
    writeJson(change(JSON.parse(body)), profile.values['webhook.body-style']),
  );
}

/** Changes messages of a chat channel before they are signed. */
export function changeChatMessage(
  channel: Channel,
  when: PushTest,
  change: (body: Json, recorded: RecordedPush) => Json,
): Wrap {
  return changeRecordedDelivery((recorded) => {
    if (recorded.subscription.channel !== channel || !when(recorded)) return {};
    return withBody(recorded, JSON.stringify(change(JSON.parse(recorded.delivery.body), recorded)));
  });
}

/** Changes messages of a chat channel before retries are signed. */
export function changeRetriedChatMessage(
  channel: Channel,
  change: (body: Json, retried: RetriedPush) => Json,
): Wrap {
  return changeRetriedBody(channel, (body, retried) => JSON.stringify(change(JSON.parse(body), retried)));
}

/** What of a push is known when it is retried. */
export interface RetriedPush {
  push: Pick<PushMessage, 'event' | 'at' | 'site' | 'data'>;
  subscription: Pick<Subscription, 'secret'>;
  profile: Profile;
}

function changeRetriedBody(channel: Channel, change: (body: string, retried: RetriedPush) => string): Wrap {
  return withMemory((memory, pushes = memory.map<Omit<RetriedPush, 'profile'>>('pushes')) =>
    combineWraps(
      watchPushes(({ delivery, push: { event, at, site, data }, subscription: { secret } }) => {
        const { id, name } = site;
        if (delivery.channel === channel)
          pushes.set(delivery.id, {
            push: { event, at, site: { id, name }, data },
            subscription: secret === undefined ? {} : { secret },
          });
      }),
      (steps) => ({
        message(delivery, now, profile) {
          const message = steps.message(delivery, now, profile);
          const pushed = isRetry(delivery) ? pushes.get(delivery.id) : undefined;
          if (!pushed) return message;
          const retried = { ...pushed, profile };
          const { body = message.body, signature = '' } = withBody(retried, change(message.body, retried));
          return { ...message, ...withHeader(message, headerNames.signature, () => signature), body };
        },
      }),
    ),
  );
}

/** Reports for each push whether its event has happened on its site before; the pushes of one event share their data. */
export function createRepeatDetector(
  memory: Memory,
  answers = new WeakMap<PushMessage['data'], boolean>(),
): (push: PushMessage) => boolean {
  const happened = memory.set('happened');
  return ({ event, site, data, test }) => {
    const key = `${site.id} ${event}`;
    if (test) return false;
    const isRepeated = answers.get(data) ?? happened.has(key);
    answers.set(data, isRepeated);
    if (!isRepeated) happened.add(key);
    return isRepeated;
  };
}

/** Changes what attempts send. */
export function changeSentMessage(
  when: DeliveryTest,
  change: (message: Message, delivery: Delivery, now: number) => Partial<Message>,
): Wrap {
  return (steps) => ({
    message(delivery, now, profile) {
      const message = steps.message(delivery, now, profile);
      return when(delivery) ? { ...message, ...change(message, delivery, now) } : message;
    },
  });
}

/** Sends pushes without some of their headers. */
export function dropHeaders(when: DeliveryTest, ...names: readonly HeaderName[]): Wrap {
  return changeSentMessage(when, ({ headers }) => ({
    headers: Object.fromEntries(
      Object.entries(headers).filter(([header]) => !names.some((name) => name === header)),
    ),
  }));
}

/** Sends pushes with another value for a header, if they have it. */
export function changeHeader(
  when: DeliveryTest,
  name: HeaderName,
  change: (value: string, delivery: Delivery, now: number) => string,
): Wrap {
  return changeSentMessage(when, (message, delivery, now) =>
    withHeader(message, name, (value) => change(value, delivery, now)),
  );
}

/** Signs other bytes than it should, or with another secret. */
export function changeSignature(
  when: PushTest,
  sign: (secret: string, body: string, recorded: RecordedPush) => string,
): Wrap {
  return changeRecordedDelivery((recorded) => {
    const { secret } = recorded.subscription;
    if (secret === undefined || !when(recorded)) return {};
    return { signature: sign(secret, recorded.delivery.body, recorded) };
  });
}

export function hexOf({ profile }: Pick<RecordedPush, 'profile'>): 'lower' | 'upper' {
  return profile.values['webhook.signature-hex'];
}

export function hasNoSecret({ subscription }: RecordedPush): boolean {
  return subscription.secret === undefined;
}

export function isCustom({ channel }: Delivery): boolean {
  return channel === 'custom';
}

export function isRetry({ retries }: Delivery): boolean {
  return retries > 0;
}

export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Whether a body has more than 4096 bytes. */
export function isLong({ body }: Delivery): boolean {
  return Buffer.byteLength(body) > 4_096;
}

/** Whether the data of an event have more than 4096 bytes. */
export function hasLongData({ data }: PushMessage): boolean {
  return Buffer.byteLength(JSON.stringify(data)) > 4_096;
}

function hasEventBody({ push, subscription }: RecordedPush): boolean {
  return subscription.channel === 'custom' && !push.test?.ownBody;
}

function withBody(recorded: Omit<RetriedPush, 'push'>, body: string): Partial<Delivery> {
  const { secret } = recorded.subscription;
  return { body, ...(secret !== undefined && { signature: signBody(secret, body, hexOf(recorded)) }) };
}

function withHeader(
  { headers }: Message,
  name: HeaderName,
  change: (value: string) => string,
): Pick<Message, 'headers'> {
  const value = headers[name];
  return { headers: value === undefined ? headers : { ...headers, [name]: change(value) } };
}
