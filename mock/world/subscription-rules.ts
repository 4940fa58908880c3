import type { Profile } from '../../openapi/profile.ts';
import type { Site, Subscription } from './entries.ts';
import { longIdBase } from './long-ids.ts';
import { drawText, drawUuid } from './random.ts';
import type { World } from './world.ts';

export interface SubscriptionIds {
  type: Profile['values']['subscription.id-type'];
  scope: Profile['values']['subscription.id-scope'];
}

export function subscriptionIdsOf({ values }: Profile): SubscriptionIds {
  return { type: values['subscription.id-type'], scope: values['subscription.id-scope'] };
}

export function newSubscriptionId(
  world: World,
  { id }: Site,
  { type, scope }: SubscriptionIds,
): number | string {
  const number = ++world.counters.subscription;
  if (type === 'uuid') return drawUuid(world);
  if (type === 'string') return `wh_${drawText(world, 10)}`;
  if (scope === 'global') return number;
  const site = world.sites.edit(id);
  site.lastSubscription = (site.lastSubscription ?? (number > longIdBase ? longIdBase : 0)) + 1;
  return site.lastSubscription;
}

/** Integers counted per site are unique only within their site. */
export function subscriptionKey(
  { siteId, id }: { siteId: number; id: Subscription['id'] },
  { type, scope }: SubscriptionIds,
): string {
  return scope === 'per-site' && type === 'integer' ? `${siteId}:${id}` : String(id);
}

/** `URL` would parse "http:///x" and "http:x" as URLs of a host "x". */
export function isReceivingUrl(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text);
}
