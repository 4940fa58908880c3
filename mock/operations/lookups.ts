import {
  foreignSite,
  unauthenticated,
  unknownResource,
  unknownSite,
  unknownSubscription,
} from '../http/api-errors.ts';
import type { Call } from '../service.ts';
import type { Editable } from '../world/collection.ts';
import type { Content, Site, Subscription } from '../world/entries.ts';
import { subscriptionIdsOf, subscriptionKey } from '../world/subscription-rules.ts';

type Context = Pick<Call<unknown>, 'world' | 'caller' | 'profile' | 'settings' | 'now'>;

/** A text in a path or query, perhaps a number in a body. */
export type Id = string | number;

export interface OfSite {
  siteID: Id;
}

export interface OfContent extends OfSite {
  contentID: Id;
}

/** Throws an ApiError if there is no caller: a profile may offer any operation without authentication. */
export function callingTenant({ caller }: Context): number {
  if (caller) return caller.tenantId;
  throw unauthenticated(
    'this profile offers the operation without authentication, but only a tenant can use it',
  );
}

export function siteOf(call: Context, id: Id): Site {
  const site = findById(call.world.sites, readId(call, id));
  if (!site) throw unknownSite(id);
  if (call.caller && site.tenantId !== call.caller.tenantId) throw foreignSite(id);
  return site;
}

export function editSiteOf(call: Context, id: Id): Editable<Site> {
  return call.world.sites.edit(siteOf(call, id).id);
}

export function contentOf(call: Context & { input: OfContent }): Content {
  const { siteID, contentID } = call.input;
  const site = siteOf(call, siteID);
  const content = findById(call.world.contents, readId(call, contentID));
  if (content?.siteId !== site.id) throw unknownResource('content', contentID);
  return content;
}

/** `siteId` is undefined if the profile addresses subscriptions without their sites. */
export function subscriptionOf(call: Context, siteId: Id | undefined, id: Id): Subscription {
  const { subscriptions } = call.world;
  const named = siteId === undefined ? undefined : siteOf(call, siteId);
  const ids = subscriptionIdsOf(call.profile);
  const wanted = ids.type === 'integer' ? readId(call, id) : id;
  const subscription = subscriptions.get(subscriptionKey({ siteId: named?.id ?? 0, id: wanted }, ids));
  const site = named ?? siteHolding(call, subscription);
  if (!subscription || subscription.siteId !== site?.id || !isKnown(call, subscription))
    throw unknownSubscription(id);
  return subscription;
}

export function readId({ settings }: Pick<Context, 'settings'>, id: Id): Id {
  return settings.habits.lenientIds ? (/^\d+/.exec(String(id))?.[0] ?? id) : id;
}

function isKnown({ now, settings }: Context, { createdAt }: { createdAt: number }): boolean {
  return now >= createdAt + (settings.habits.unknownAtFirstMs ?? 0);
}

/** Only the canonical form counts: "0101" and "1e2" find nothing. */
function findById<Entry>(entries: ReadonlyMap<number, Entry>, id: Id): Entry | undefined {
  const number = Number(id);
  return String(number) === String(id) ? entries.get(number) : undefined;
}

function siteHolding(call: Context, subscription: Subscription | undefined): Site | undefined {
  const site = subscription && call.world.sites.get(subscription.siteId);
  return site?.tenantId === callingTenant(call) ? site : undefined;
}
