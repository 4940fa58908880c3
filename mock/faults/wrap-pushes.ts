// Faults in pushes: in their bodies, their signatures, and what is sent.
import type { Channel } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { Message } from '../webhooks/post.ts';
import { type PushMessage, signBody, writeJson } from '../webhooks/render.ts';
import type { Delivery, Subscription } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import { after, always, around, combineWraps, type Wrap, withMemory } from './fault.ts';
import { changeAt } from './values.ts';

export const headerNames = {
  event: 'X-Webhook-Event',
  timestamp: 'X-Webhook-Timestamp',
  signature: 'X-Webhook-Signature',
} as const;

export const allHeaders = Object.values(headerNames);

type HeaderName = (typeof allHeaders)[number] | 'Content-Type';

/** A push that has been recorded, before its first attempt. */
interface RecordedPush {
  push: PushMessage;
  subscription: Subscription;
  profile: Profile;
}

export type DeliveryTest = (delivery: Delivery) => boolean;
export type RecordedTest = (delivery: Delivery, recorded: RecordedPush) => boolean;

interface Recording {
  push: PushMessage;
  subscription: Subscription;
}

/** Records another push, or for another subscription. */
export function recordAnother(change: (given: Recording & { world: World }) => Partial<Recording>): Wrap {
  return around('recordDelivery', (next, context, push, subscription) => {
    const given = { push, subscription };
    const recording = { ...given, ...change({ ...given, world: context.world }) };
    return next(context, recording.push, recording.subscription);
  });
}

/** Changes what is recorded of pushes. */
function changeRecorded(
  when: RecordedTest,
  change: (delivery: Delivery, recorded: RecordedPush) => Partial<Delivery>,
): Wrap {
  return after('recordDelivery', (delivery, { profile }, push, subscription) => {
    const recorded = { push, subscription, profile };
    return when(delivery, recorded) ? Object.assign(delivery, change(delivery, recorded)) : delivery;
  });
}

/** Sends another body or signature when a push is retried. */
export const changeRetries: typeof changeRecorded = (when, change) =>
  withMemory((memory, changed = memory.map<Partial<Delivery>>('changed')) =>
    combineWraps(
      watchPushes((delivery, recorded) => {
        if (when(delivery, recorded)) changed.set(delivery.id, change(delivery, recorded));
      }),
      after('message', (message, delivery) => {
        const { body = message.body, signature = '' } = (isRetry(delivery) && changed.get(delivery.id)) || {};
        return { body, ...withHeader(message, headerNames.signature, (signed) => signature || signed) };
      }),
    ),
  );

/** Changes a member of bodies of section 6.3 before they are signed, by its path: `data.pages`. */
export function changeBody(
  when: RecordedTest,
  path: string,
  change: (value: unknown) => unknown,
  apply = changeRecorded,
): Wrap {
  return changeEventText(
    when,
    (text, { profile }) =>
      writeJson(changeAt(JSON.parse(text), path, change), profile.values['webhook.body-style']),
    apply,
  );
}

/** Changes the text of bodies of section 6.3 before it is signed. */
export function changeEventText(
  when: RecordedTest,
  change: (text: string, recorded: RecordedPush) => string,
  apply = changeRecorded,
): Wrap {
  return apply(
    (delivery, recorded) => isCustom(delivery) && !recorded.push.test?.ownBody && when(delivery, recorded),
    ({ body }, recorded) => withBody(recorded, change(body, recorded)),
  );
}

/** Changes messages of a chat channel before they are signed. */
export function changeChatMessage(
  channel: Channel,
  when: RecordedTest,
  change: (body: Json, recorded: Pick<RecordedPush, 'push'>) => Json,
  apply = changeRecorded,
): Wrap {
  return apply(
    (delivery, recorded) => delivery.channel === channel && when(delivery, recorded),
    ({ body }, recorded) => withBody(recorded, JSON.stringify(change(JSON.parse(body), recorded))),
  );
}

/** Looks at each push that is recorded. */
export function watchPushes(look: (delivery: Delivery, recorded: RecordedPush) => unknown): Wrap {
  return changeRecorded(always, (delivery, recorded) => {
    look(delivery, recorded);
    return {};
  });
}

/** A fault that distinguishes events that have happened on their site before; the pushes of one event share their data. */
export function trackEvents(wrapOf: (isRepeated: (push: PushMessage) => boolean) => Wrap): Wrap {
  return withMemory((memory, happened = memory.set('happened'), answers = new WeakMap<Json, boolean>()) =>
    wrapOf(({ event, site, data, test }) => {
      const key = `${site.id} ${event}`;
      if (test) return false;
      const isRepeated = answers.get(data) ?? happened.has(key);
      answers.set(data, isRepeated);
      if (!isRepeated) happened.add(key);
      return isRepeated;
    }),
  );
}

/** Changes what attempts send. */
export function changeSent(
  when: DeliveryTest,
  change: (message: Message, delivery: Delivery, now: number) => Partial<Message>,
): Wrap {
  return after('message', (message, delivery, now) =>
    when(delivery) ? { ...message, ...change(message, delivery, now) } : message,
  );
}

/** Sends pushes without some of their headers. */
export function dropHeaders(names: HeaderName | readonly HeaderName[], when: DeliveryTest): Wrap {
  return changeSent(when, ({ headers }) => ({
    headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => ![names].flat().includes(name as HeaderName)),
    ),
  }));
}

/** Sends pushes with another value for a header, if they have it. */
export function changeHeader(
  when: DeliveryTest,
  name: HeaderName,
  change: (value: string, delivery: Delivery, now: number) => string,
): Wrap {
  return changeSent(when, (message, delivery, now) =>
    withHeader(message, name, (value) => change(value, delivery, now)),
  );
}

/** Signs other bytes than it should, or with another secret. */
export function changeSignature(
  when: RecordedTest,
  sign: (secret: string, delivery: Delivery, recorded: RecordedPush) => string,
): Wrap {
  return changeRecorded(
    (delivery, recorded) => recorded.subscription.secret !== undefined && when(delivery, recorded),
    (delivery, recorded) => ({ signature: sign(recorded.subscription.secret ?? '', delivery, recorded) }),
  );
}

export function hexOf({ profile }: Pick<RecordedPush, 'profile'>): 'lower' | 'upper' {
  return profile.values['webhook.signature-hex'];
}

export const isEvent =
  (name: string) =>
  ({ event }: { event: string }): boolean =>
    event === name;
export const isTest: DeliveryTest = (delivery) => delivery.isTest;
export const isCustom: DeliveryTest = ({ channel }) => channel === 'custom';
export const isOfEvenSite: DeliveryTest = ({ siteId }) => siteId % 2 === 0;
export const isRetry: DeliveryTest = ({ retries }) => retries > 0;
export const isNthRetry =
  (retry: number): DeliveryTest =>
  ({ retries }) =>
    retries === retry;
export const isUnsigned: DeliveryTest = ({ signature }) => signature === undefined;
/** Whether a body has more than 4096 bytes. */
export const isLong: DeliveryTest = ({ body }) => Buffer.byteLength(body) > 4_096;

export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Whether the data of an event have more bytes than that. */
export function hasLongData({ data }: PushMessage, bytes = 4_096): boolean {
  return Buffer.byteLength(JSON.stringify(data)) > bytes;
}

function withBody({ subscription: { secret }, profile }: RecordedPush, body: string): Partial<Delivery> {
  return { body, ...(secret !== undefined && { signature: signBody(secret, body, hexOf({ profile })) }) };
}

function withHeader(
  { headers }: Message,
  name: HeaderName,
  change: (value: string) => string,
): Pick<Message, 'headers'> {
  const value = headers[name];
  return { headers: value === undefined ? headers : { ...headers, [name]: change(value) } };
}
