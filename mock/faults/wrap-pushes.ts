// Faults of pushes: of what they say, of what they are signed with, and of what is sent.
import type { Channel } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { Json } from '../../openapi/registers.ts';
import type { Push } from '../webhooks/push.ts';
import type { Message } from '../webhooks/send.ts';
import { signBody } from '../webhooks/sign.ts';
import { writeJson } from '../webhooks/write-json.ts';
import type { Delivery, Subscription } from '../world.ts';
import type { Wrap } from './fault.ts';

/** A push that has been recorded, before its first attempt. */
export interface Recorded {
  push: Push;
  subscription: Subscription;
  delivery: Delivery;
  profile: Profile;
}

/** Changes what is recorded of pushes. */
export function recording(
  when: (recorded: Recorded) => boolean,
  change: (recorded: Recorded) => Partial<Delivery>,
): Wrap {
  return (parts) => ({
    recordDelivery(context, push, subscription) {
      const { profile } = context;
      const delivery = parts.recordDelivery(context, push, subscription);
      const recorded = { push, subscription, delivery, profile };
      return when(recorded) ? Object.assign(delivery, change(recorded)) : delivery;
    },
  });
}

/** Changes the bodies of section 6.3, and signs them as they are then. */
export function telling(when: (recorded: Recorded) => boolean, change: (body: Json) => Json): Wrap {
  return recording(
    (recorded) => bearsEvent(recorded) && when(recorded),
    (recorded) => {
      const style = recorded.profile.values['webhook.body-style'];
      return withBody(recorded, writeJson(change(JSON.parse(recorded.delivery.body)), style));
    },
  );
}

/** Changes the messages of a chat channel, and signs them as they are then. */
export function chatting(
  channel: Channel,
  when: (recorded: Recorded) => boolean,
  change: (body: Json) => Json,
): Wrap {
  return recording(
    (recorded) => recorded.subscription.channel === channel && when(recorded),
    (recorded) => withBody(recorded, JSON.stringify(change(JSON.parse(recorded.delivery.body)))),
  );
}

/** Changes what attempts send. */
export function sending(
  when: (delivery: Delivery, now: number) => boolean,
  change: (message: Message, delivery: Delivery) => Partial<Message>,
): Wrap {
  return (parts) => ({
    message(delivery, now, profile) {
      const message = parts.message(delivery, now, profile);
      return when(delivery, now) ? { ...message, ...change(message, delivery) } : message;
    },
  });
}

/** Signs other bytes, or with another secret, than it should. */
export function signing(
  when: (recorded: Recorded) => boolean,
  sign: (secret: string, body: string, recorded: Recorded) => string,
): Wrap {
  return recording(
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
