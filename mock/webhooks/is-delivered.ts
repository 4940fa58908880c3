import type { Profile } from '../../openapi/profile.ts';
import type { Attempt, Delivery } from '../world.ts';

/** Whether an attempt ends a delivery; otherwise it is tried again. */
export function isDelivered(_delivery: Delivery, { outcome }: Attempt, profile: Profile): boolean {
  if ('error' in outcome || outcome.status < 200 || outcome.status > 299) return false;
  return outcome.refusal === undefined || profile.values['webhook.robot-refusal'] === 'delivered';
}
