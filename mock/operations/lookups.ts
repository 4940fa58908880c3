// What a call is about, found in the world, or the refusal where there is no such thing for this caller.
import { foreignSite, unauthenticated, unknownSite, unknownSubscription } from '../problems.ts';
import { find, type Site, type Subscription, type World } from '../world.ts';
import type { Call } from './call.ts';

type Context = Pick<Call<unknown>, 'world' | 'caller'>;

/** The tenant that calls. A profile may offer an operation without authentication that can't do without a tenant. */
export function callingTenant({ caller }: Context): number {
  if (caller) return caller.tenantId;
  throw unauthenticated(
    'this profile offers the operation without authentication, but only a tenant can use it',
  );
}

export function siteOf(call: Context, id: string | number): Site {
  const site = find(call.world.sites, String(id));
  if (!site) throw unknownSite(id);
  if (call.caller && site.tenantId !== call.caller.tenantId) throw foreignSite(id);
  return site;
}

export function subscriptionOf(world: World, site: Site, id: string | number): Subscription {
  const subscription = find(world.subscriptions, String(id));
  if (subscription?.siteId !== site.id) throw unknownSubscription(id);
  return subscription;
}

/** A subscription that is addressed without its site. */
export function subscriptionOfTenant(call: Context, id: string | number): Subscription {
  const subscription = find(call.world.subscriptions, String(id));
  const site = subscription && find(call.world.sites, String(subscription.siteId));
  if (!subscription || site?.tenantId !== callingTenant(call)) throw unknownSubscription(id);
  return subscription;
}
