import type { Json } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { Message } from '../webhooks/post.ts';
import { type PushMessage, signBody, writeJson } from '../webhooks/render.ts';
import type { Delivery, Subscription } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import { after, around, both, combineWraps, not, type Wrap, withMemory } from './fault.ts';

const headerNames = {
  event: 'X-Webhook-Event',
  timestamp: 'X-Webhook-Timestamp',
  signature: 'X-Webhook-Signature',
  type: 'Content-Type',
} as const;

/** A push that has been recorded, before its first attempt. */
export type RecordedPush = Delivery & PushMessage & { subscription: Subscription; profile: Profile };

export type DeliveryTest = (delivery: Delivery) => boolean;
export type RecordedTest = (recorded: RecordedPush) => boolean;

interface Recording {
  push: PushMessage;
  subscription: Subscription;
}

/** Replaces the push or its subscription before the delivery is recorded. */
export function recordAnother(change: (given: Recording & { world: World }) => Partial<Recording>): Wrap {
  return around('recordDelivery', (next, context, push, subscription) => {
    const changed = change({ push, subscription, world: context.world });
    return next(context, changed.push ?? push, changed.subscription ?? subscription);
  });
}

export function changeRecorded(
  when: RecordedTest,
  change: (recorded: RecordedPush) => Partial<Delivery>,
): Wrap {
  return after('recordDelivery', (delivery, { profile }, push, subscription) => {
    const recorded = { ...push, ...delivery, subscription, profile };
    return when(recorded) ? Object.assign(delivery, change(recorded)) : delivery;
  });
}

/** Applies a wrap's changes of body and signature to retries only. */
export function onRetries(wrap: Wrap): Wrap {
  return (steps, tools) => {
    const changed = tools.memory.map<Pick<Delivery, 'body' | 'signature'>>('changed');
    return combineWraps(
      after('recordDelivery', (delivery, ...given) => {
        const recordDelivery = () => ({ ...delivery });
        const inner = { recordDelivery, ...wrap({ ...steps, recordDelivery }, tools) };
        const { body, signature } = inner.recordDelivery(...given);
        changed.set(delivery.id, { body, ...(signature !== undefined && { signature }) });
        return delivery;
      }),
      changeSent(isRetry, ({ body }, { id }) => ({ body: changed.get(id)?.body ?? body })),
      changeHeader(isRetry, 'signature', (signature, { id }) => changed.get(id)?.signature ?? signature),
    )(steps, tools);
  };
}

/** Finds events that have happened on their site before. All pushes of one event share `data`, so they get the same result. */
export function trackEvents(wrapOf: (isRepeated: (push: PushMessage) => boolean) => Wrap): Wrap {
  return withMemory((memory, happened = memory.set('happened'), answers = new WeakMap<Json, boolean>()) =>
    wrapOf(({ event, site, data, test }) => {
      const key = `${site.id} ${event}`;
      if (test) return false;
      const isRepeated = answers.get(data) ?? !happened.add(key);
      answers.set(data, isRepeated);
      return isRepeated;
    }),
  );
}

export function changeSent(
  when: DeliveryTest,
  change: (message: Message, delivery: Delivery, now: number) => Partial<Message>,
): Wrap {
  return after('message', (message, delivery, now) =>
    when(delivery) ? { ...message, ...change(message, delivery, now) } : message,
  );
}

export function changeHeader(
  when: DeliveryTest,
  name: keyof typeof headerNames,
  change: (value: string, delivery: Delivery, now: number) => string,
): Wrap {
  return changeSent(when, ({ headers }, delivery, now) => {
    const value = headers[headerNames[name]];
    if (value === undefined) return {};
    return { headers: { ...headers, [headerNames[name]]: change(value, delivery, now) } };
  });
}

export function hexOf({ profile }: Pick<RecordedPush, 'profile'>): 'lower' | 'upper' {
  return profile.values['webhook.signature-hex'];
}

export const isTest: DeliveryTest = (delivery) => delivery.isTest;
export const isCustom: DeliveryTest = ({ channel }) => channel === 'custom';
export const isOfEvenSite: DeliveryTest = ({ siteId }) => siteId % 2 === 0;
export const isRetry: DeliveryTest = ({ retries }) => retries > 0;
export const isUnsigned: DeliveryTest = ({ signature }) => signature === undefined;
export const isLong: DeliveryTest = ({ body }) => Buffer.byteLength(body) > 4_096;
export const isLongBeforeCut: RecordedTest = hasDataOver(4_096);

export function isEvent(name: string): (push: { event: string }) => boolean {
  return ({ event }) => event === name;
}

export function isNthRetry(retry: number): DeliveryTest {
  return ({ retries }) => retries === retry;
}

export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

export function hasQuery({ url }: { url: string }): boolean {
  return url.includes('?');
}

export function hasDataOver(bytes: number): (push: Pick<PushMessage, 'data'>) => boolean {
  return ({ data }) => Buffer.byteLength(JSON.stringify(data)) > bytes;
}

export const wasAnswered: DeliveryTest = (delivery) => lastOutcome(delivery).status !== undefined;

export const wasUnreachable = not(wasAnswered);

export function lastOutcome({ attempts }: Delivery): { status?: number; error?: string } {
  return attempts.at(-1)?.outcome ?? {};
}

export function wasStatus(...statuses: readonly number[]): DeliveryTest {
  return (delivery) => statuses.includes(lastOutcome(delivery).status ?? 0);
}

export const about = (event: string) => both(not(isTest), isEvent(event));

/** Changes bodies before they are signed. */
export function changeText(
  when: RecordedTest,
  change: (text: string, recorded: RecordedPush) => string,
): Wrap {
  return changeRecorded(when, (recorded) => {
    const { secret } = recorded.subscription;
    const body = change(recorded.body, recorded);
    return { body, ...(secret !== undefined && { signature: signBody(secret, body, hexOf(recorded)) }) };
  });
}

export type JsonChange = (body: Json, recorded: RecordedPush) => Json;

export function changeJson(when: RecordedTest, change: JsonChange): Wrap {
  return changeText(when, (text, recorded) =>
    writeJson(change(JSON.parse(text), recorded), recorded.profile.values['webhook.body-style']),
  );
}
