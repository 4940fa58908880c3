// Faults may replace each of these steps of a delivery.
import type { Profile } from '../../openapi/profile.ts';
import { version } from '../../openapi/version.ts';
import { dropJobs } from '../clock/jobs.ts';
import type { Attempt, Delivery, Subscription } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import type { Message } from './post.ts';
import { type PushMessage, renderBody, signBody } from './render.ts';
import { signForDingtalk } from './robot-message.ts';

export type DeliverySteps = typeof defaultDeliverySteps;

export const defaultDeliverySteps = { recipientsOf, recordDelivery, message, isDelivered, nextRetryAt };

function recipientsOf({ subscriptions }: World, { site, event }: PushMessage): Subscription[] {
  const found: Subscription[] = [];
  for (const subscription of subscriptions.of(site.id).values())
    if (subscription.events.some((chosen) => chosen === event)) found.push(subscription);
  return found;
}

function isDelivered(_delivery: Delivery, { outcome }: Attempt, profile: Profile): boolean {
  if ('error' in outcome || outcome.status < 200 || outcome.status > 299) return false;
  return outcome.refusal === undefined || profile.values['webhook.robot-refusal'] === 'delivered';
}

/** The signature does not cover the timestamp, so a retry may carry a new one. */
export function message(delivery: Delivery, now: number, profile: Profile): Message {
  const { event, signature, body } = delivery;
  const inSeconds = profile.values['webhook.timestamp-unit'] === 'seconds';
  const repeatsTime = profile.values['webhook.retry-timestamp'] === 'same';
  const at = repeatsTime ? (delivery.attempts[0]?.at ?? now) : now;
  const headers: Record<string, string> = {
    'Content-Type': profile.values['webhook.content-type'],
    'User-Agent': `sitepub-mock/${version}`,
  };
  if (signature !== undefined || profile.values['webhook.unsigned-headers'] === 'event-and-timestamp') {
    headers['X-Webhook-Event'] = event;
    headers['X-Webhook-Timestamp'] = String(inSeconds ? Math.floor(at / 1000) : at);
  }
  if (signature !== undefined) headers['X-Webhook-Signature'] = signature;
  return { headers, body };
}

/** Delays of the retries (section 6.5). */
export const retryDelaysMs = [1, 5, 30].map((minutes) => minutes * 60_000);

/** An attempt that is later than this counts from its actual time instead of its due time. */
const maxLatenessMs = 1000;

/** Returns the due time of a punctual attempt, so that small delays do not add up over the retries. */
export function countedAttemptTime({ nextAttemptAt: due = 0 }: Delivery, at: number): number {
  return at - due < maxLatenessMs ? due : at;
}

/** `attemptedAt` comes from countedAttemptTime; the result is undefined after the last attempt. */
export function nextRetryAt(delivery: Delivery, attemptedAt: number, profile: Profile): number | undefined {
  if (delivery.isGreeting) return undefined;
  if (delivery.isTest && profile.values['hook-test.retried'] === 'not-retried') return undefined;
  const delay = retryDelaysMs[delivery.retries];
  if (delay === undefined) return undefined;
  const { firstAttemptAt = attemptedAt } = delivery;
  return (profile.values['webhook.retry-anchor'] === 'first-attempt' ? firstAttemptAt : attemptedAt) + delay;
}

/** Changes a rendered body before it is signed and logged. */
export type VaryBody = (body: string, push: Pick<Delivery, 'id' | 'channel'>) => string;

interface RecordingContext {
  world: World;
  profile: Profile;
  varyBody?: VaryBody | undefined;
}

/** Fixes the URL, body and signature, which all attempts repeat. */
export function recordDelivery(
  { world, profile, varyBody }: RecordingContext,
  push: PushMessage,
  subscription: Subscription,
): Delivery {
  const { secret, channel } = subscription;
  const id = ++world.counters.delivery;
  const rendered = renderBody(push, subscription, profile);
  const body = varyBody?.(rendered, { id, channel }) ?? rendered;
  const delivery: Delivery = {
    id,
    siteId: subscription.siteId,
    subscriptionId: subscription.id,
    event: push.event,
    channel,
    isTest: push.test !== undefined,
    ...(push.greeting && { isGreeting: true }),
    createdAt: push.at,
    url: targetOf(subscription, push.at, profile),
    body,
    ...(secret !== undefined && {
      signature: signBody(secret, body, profile.values['webhook.signature-hex']),
    }),
    state: 'pending',
    retries: 0,
    nextAttemptAt: push.at + profile.values['webhook.latency'] * 1000,
    attempts: [],
  };
  makeRoom(world, () => world.deliveries.set(delivery.id, delivery));
  return delivery;
}

/** Drops the pending attempts of deliveries that `work` evicts from the log. */
export function makeRoom<Result>(world: World, work: () => Result): Result {
  const { evicted } = world.deliveries;
  const result = work();
  if (world.deliveries.evicted > evicted)
    dropJobs(world, ({ task }) => task.kind === 'attempt' && !world.deliveries.has(task.deliveryId));
  return result;
}

/** DingTalk's signature is in the query, and replaces an old one in the stored URL. */
function targetOf({ channel, secret, url }: Subscription, at: number, profile: Profile): string {
  if (channel !== 'dingtalk' || secret === undefined || profile.values['webhook.robot-sign'] !== 'vendor')
    return url;
  const target = new URL(url);
  for (const [name, value] of Object.entries(signForDingtalk(secret, at)))
    target.searchParams.set(name, value);
  return target.href;
}
