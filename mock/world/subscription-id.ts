import type { Profile } from '../../openapi/profile.ts';
import { drawText, drawUuid } from './random.ts';
import type { World } from './world.ts';

export type SubscriptionIdType = Profile['values']['subscription.id-type'];

/** The id of a new subscription, in the form of the deployment. */
export function newSubscriptionId(world: World, type: SubscriptionIdType): number | string {
  const number = ++world.counters.subscription;
  if (type === 'uuid') return drawUuid(world);
  return type === 'string' ? `wh_${drawText(world, 10)}` : number;
}
