import type { Profile } from '../../openapi/profile.ts';
import { dropJobs } from '../clock/jobs.ts';
import type { Delivery, Subscription } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import { type PushMessage, renderBody } from './render.ts';
import { signBody, signForDingtalk } from './sign.ts';

/** Changes the rendered body of a push before it is signed, sent, retried and logged. */
export type VaryBody = (body: string, push: Pick<Delivery, 'id' | 'channel'>) => string;

export interface RecordingContext {
  world: World;
  profile: Profile;
  varyBody?: VaryBody | undefined;
}

/** Adds a push to the log of deliveries, with everything that is fixed before its first attempt. */
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
    nextAttemptAt: firstAttemptAt(push, profile),
    attempts: [],
  };
  makeRoom(world, () => world.deliveries.set(delivery.id, delivery));
  return delivery;
}

/** Does what may evict deliveries from the log, and removes their pending retries from the jobs. */
export function makeRoom<Result>(world: World, work: () => Result): Result {
  const { evicted } = world.deliveries;
  const result = work();
  if (world.deliveries.evicted > evicted)
    dropJobs(world, ({ task }) => task.kind === 'attempt' && !world.deliveries.has(task.deliveryId));
  return result;
}

/** DingTalk's sign goes into the query, where it replaces one of an old robot address. */
function targetOf({ channel, secret, url }: Subscription, at: number, profile: Profile): string {
  if (channel !== 'dingtalk' || secret === undefined || profile.values['webhook.robot-sign'] !== 'vendor')
    return url;
  const target = new URL(url);
  for (const [name, value] of Object.entries(signForDingtalk(secret, at)))
    target.searchParams.set(name, value);
  return target.href;
}

/** When the first attempt of a push is due. */
export function firstAttemptAt({ at }: PushMessage, { values }: Profile): number {
  return at + values['webhook.latency'] * 1000;
}
