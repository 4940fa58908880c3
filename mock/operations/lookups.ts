// Finds the entries that a call names, or throws the error for this caller.
import {
  foreignSite,
  unauthenticated,
  unknownResource,
  unknownSite,
  unknownSubscription,
} from '../http/api-errors.ts';
import type { Call } from '../service.ts';
import type { Content, Site, Subscription } from '../world/world.ts';

type Context = Pick<Call<unknown>, 'world' | 'caller'>;

type Id = string | number;

/** The caller's tenant. A profile may offer without authentication even an operation that needs a tenant. */
export function callingTenant({ caller }: Context): number {
  if (caller) return caller.tenantId;
  throw unauthenticated(
    'this profile offers the operation without authentication, but only a tenant can use it',
  );
}

export function siteOf(call: Context, id: Id): Site {
  const site = findById(call.world.sites, id);
  if (!site) throw unknownSite(id);
  if (call.caller && site.tenantId !== call.caller.tenantId) throw foreignSite(id);
  return site;
}

export function contentOf(call: Context & { input: { siteID: Id; contentID: Id } }): Content {
  const { siteID, contentID } = call.input;
  const site = siteOf(call, siteID);
  const content = findById(call.world.contents, contentID);
  if (content?.siteId !== site.id) throw unknownResource('content', contentID);
  return content;
}

/** A subscription by its site and identifier, or without its site if the deployment leaves that out. */
export function subscriptionOf(call: Context, siteId: Id | undefined, id: Id): Subscription {
  const subscription = call.world.subscriptions.get(String(id));
  const site = siteId === undefined ? siteHolding(call, subscription) : siteOf(call, siteId);
  if (!subscription || subscription.siteId !== site?.id) throw unknownSubscription(id);
  return subscription;
}

/** An entry by an identifier as a caller sent it: "0101" and "1e2" name nothing. */
function findById<Entry>(entries: ReadonlyMap<number, Entry>, id: Id): Entry | undefined {
  const number = Number(id);
  return String(number) === String(id) ? entries.get(number) : undefined;
}

/** The site of a subscription, if it belongs to the caller. */
function siteHolding(call: Context, subscription: Subscription | undefined): Site | undefined {
  const site = subscription && call.world.sites.get(subscription.siteId);
  return site?.tenantId === callingTenant(call) ? site : undefined;
}
