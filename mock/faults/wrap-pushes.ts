// Faults of pushes: of what they say, of what they are signed with, and of what is sent.
import type { Channel } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { Push } from '../webhooks/push-message.ts';
import type { Message } from '../webhooks/send.ts';
import { signBody } from '../webhooks/sign.ts';
import { writeJson } from '../webhooks/write-json.ts';
import type { Delivery, Subscription } from '../world/world.ts';
import type { Wrap } from './fault.ts';

export const headerNames = {
  event: 'X-Webhook-Event',
  timestamp: 'X-Webhook-Timestamp',
  signature: 'X-Webhook-Signature',
} as const;

/** A push that has been recorded, before its first attempt. */
export interface Recorded {
  push: Push;
  subscription: Subscription;
  delivery: Delivery;
  profile: Profile;
}

/** Changes what is recorded of pushes. */
export function changeRecordedDelivery(
  when: (recorded: Recorded) => boolean,
  change: (recorded: Recorded) => Partial<Delivery>,
): Wrap {
  return (steps) => ({
    recordDelivery(context, push, subscription) {
      const { profile } = context;
      const delivery = steps.recordDelivery(context, push, subscription);
      const recorded = { push, subscription, delivery, profile };
      return when(recorded) ? Object.assign(delivery, change(recorded)) : delivery;
    },
  });
}

/** Changes the bodies of section 6.3, and signs them as they are then. */
export function changeEventBody(when: (recorded: Recorded) => boolean, change: (body: Json) => Json): Wrap {
  return changeRecordedDelivery(
    (recorded) => bearsEvent(recorded) && when(recorded),
    (recorded) => {
      const style = recorded.profile.values['webhook.body-style'];
      return withBody(recorded, writeJson(change(JSON.parse(recorded.delivery.body)), style));
    },
  );
}

/** Changes the bodies of section 6.3 when they are sent again, and signs them as they are then. */
export function changeRetriedEventBody(change: (body: Json) => Json): Wrap {
  return changeRetriedBody(
    ({ channel }, again) => again && channel === 'custom',
    (body, { profile }) => writeJson(change(JSON.parse(body)), profile.values['webhook.body-style']),
  );
}

/** Changes the bytes of some retries, and signs them as they are then. */
export function changeRetriedBody(
  when: (delivery: Delivery, isAgain: boolean) => boolean,
  change: (body: string, recorded: Recorded) => string,
): Wrap {
  return (steps) => {
    const all = new Map<number, Recorded>();
    return {
      recordDelivery(context, push, subscription) {
        const delivery = steps.recordDelivery(context, push, subscription);
        all.set(delivery.id, { push, subscription, delivery, profile: context.profile });
        return delivery;
      },
      message(delivery, now, profile) {
        const message = steps.message(delivery, now, profile);
        const recorded = all.get(delivery.id);
        if (!recorded || !when(delivery, isRetry(delivery))) return message;
        const { body, signature } = withBody(recorded, change(message.body, recorded));
        const signed = withHeader(message, 'X-Webhook-Signature', () => signature ?? '');
        return { ...message, ...signed, body: body ?? message.body };
      },
    };
  };
}

/** Says of each push whether its event has happened on its site before; the pushes of one event share their data. */
export function createRepeatDetector(): (push: Push) => boolean {
  const first = new Map<string, Push['data']>();
  return ({ event, site, data, test }) => {
    const key = `${site.id} ${event}`;
    if (test) return false;
    if (!first.has(key)) first.set(key, data);
    return first.get(key) !== data;
  };
}

/** Makes a fault of the events that have happened before. */
export function whenEventRepeats(make: (isRepeated: (recorded: Recorded) => boolean) => Wrap): Wrap {
  return (steps, aids) => {
    const isRepeated = createRepeatDetector();
    return make(({ push }) => isRepeated(push))(steps, aids);
  };
}

/** Changes the messages of a chat channel, and signs them as they are then. */
export function changeChatMessage(
  channel: Channel,
  when: (recorded: Recorded) => boolean,
  change: (body: Json, recorded: Recorded) => Json,
): Wrap {
  return changeRecordedDelivery(
    (recorded) => recorded.subscription.channel === channel && when(recorded),
    (recorded) => withBody(recorded, JSON.stringify(change(JSON.parse(recorded.delivery.body), recorded))),
  );
}

/** Changes what attempts send. */
export function changeSentMessage(
  when: (delivery: Delivery, now: number) => boolean,
  change: (message: Message, delivery: Delivery, now: number) => Partial<Message>,
): Wrap {
  return (steps) => ({
    message(delivery, now, profile) {
      const message = steps.message(delivery, now, profile);
      return when(delivery, now) ? { ...message, ...change(message, delivery, now) } : message;
    },
  });
}

/** Signs other bytes, or with another secret, than it should. */
export function changeSignature(
  when: (recorded: Recorded) => boolean,
  sign: (secret: string, body: string, recorded: Recorded) => string,
): Wrap {
  return changeRecordedDelivery(
    (recorded) => recorded.subscription.secret !== undefined && when(recorded),
    (recorded) => ({ signature: sign(recorded.subscription.secret ?? '', recorded.delivery.body, recorded) }),
  );
}

/** A message without some of its headers. */
export function withoutHeaders({ headers }: Message, ...names: readonly string[]): Pick<Message, 'headers'> {
  return { headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))) };
}

/** A message with other values for headers that it has. */
export function withHeader(
  { headers }: Message,
  name: string,
  change: (value: string) => string,
): Pick<Message, 'headers'> {
  const value = headers[name];
  return { headers: value === undefined ? headers : { ...headers, [name]: change(value) } };
}

export function isUnsigned({ subscription }: Recorded): boolean {
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

function bearsEvent({ push, subscription }: Recorded): boolean {
  return subscription.channel === 'custom' && !push.test?.ownBody;
}

function withBody({ subscription: { secret }, profile }: Recorded, body: string): Partial<Delivery> {
  const hex = profile.values['webhook.signature-hex'];
  return { body, ...(secret !== undefined && { signature: signBody(secret, body, hex) }) };
}
