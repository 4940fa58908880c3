// Makes a world from a seed. The same seed gives the same world, with the same keys.
import { timeOf } from './clock.ts';
import { drawHex, drawText } from './random.ts';
import { digest, digestPassword } from './secrets.ts';
import { newSubscriptionId, type SubscriptionIdType } from './subscription-id.ts';
import { type ClockState, type Counters, createWorld, type World } from './world.ts';
import type { SiteSeed, TenantSeed, WorldSeed } from './world-seed.ts';

/** What a person or a test needs to act as a tenant; the world itself holds passwords and keys only as digests. */
export interface TenantAccess {
  id: number;
  name: string;
  users: { username: string; password: string }[];
  /** The first of its keys. */
  apiKey: string | undefined;
  sites: { id: number; name: string }[];
}

export interface Planting {
  seed: number;
  clock: ClockState;
  subscriptionIdType: SubscriptionIdType;
}

/** Sites that are created later have numbers from 1001 on, which tells them from those that were planted. */
const lastPlantedSite = 1000;

/** A new world and how to get into it. */
export function plantWorld(
  { tenants }: WorldSeed,
  planting: Planting,
): { world: World; tenants: TenantAccess[] } {
  const world = createWorld(planting.seed, planting.clock);
  const now = timeOf(planting.clock);
  const sites = tenants.flatMap((tenant) => tenant.sites ?? []);
  // What is given out must not meet what was given.
  skip(world.counters, 'site', sites);
  for (const site of sites) {
    skip(world.counters, 'content', site.contents);
    skip(world.counters, 'submission', site.submissions);
    skip(world.counters, 'comment', site.comments);
  }
  const access = tenants.map((tenant) => plantTenant(world, tenant, { ...planting, now }));
  skip(world.counters, 'site', [{ id: lastPlantedSite }]);
  return { world, tenants: access };
}

interface Context extends Planting {
  now: number;
}

function plantTenant(world: World, seed: TenantSeed, context: Context): TenantAccess {
  const id = ++world.counters.tenant;
  const { name, users = [], api_keys: keys = [], sites = [] } = seed;
  world.tenants.set(id, { id, name });
  for (const { username, password } of users) {
    const salt = drawHex(world, 16);
    world.users.set(username, { tenantId: id, salt, passwordDigest: digestPassword(salt, password) });
  }
  const apiKeys = keys.map(({ name = '', key = `sp_${drawText(world, 32)}` }) => {
    const apiKey = { id: ++world.counters.apiKey, tenantId: id, name, createdAt: context.now };
    world.apiKeys.set(digest(key), apiKey);
    return key;
  });
  const planted = sites.map((site) => plantSite(world, site, { ...context, tenantId: id }));
  return { id, name, users: structuredClone(users), apiKey: apiKeys[0], sites: planted };
}

function plantSite(
  world: World,
  seed: SiteSeed,
  { tenantId, now, subscriptionIdType }: Context & { tenantId: number },
): { id: number; name: string } {
  const { name, version = 0 } = seed;
  const siteId = seed.id ?? ++world.counters.site;
  world.sites.set(siteId, { id: siteId, tenantId, name, version, lastVersion: version, createdAt: now });
  for (const { title, text = '', published, ...given } of seed.contents ?? []) {
    const id = given.id ?? ++world.counters.content;
    const state = published ? 'published' : 'draft';
    world.contents.set(id, { id, siteId, title, text, state, updatedAt: now });
  }
  for (const { form, fields = {}, ...given } of seed.submissions ?? []) {
    const id = given.id ?? ++world.counters.submission;
    world.submissions.set(id, { id, siteId, form, fields: structuredClone(fields), at: now });
  }
  for (const { author, text, ...given } of seed.comments ?? []) {
    const id = given.id ?? ++world.counters.comment;
    world.comments.set(id, { id, siteId, author, text, at: now });
  }
  for (const { url, events, channel, secret } of seed.subscriptions ?? []) {
    const id = newSubscriptionId(world, subscriptionIdType);
    const chosen = { url, events: [...new Set(events)], channel, ...(secret !== undefined && { secret }) };
    world.subscriptions.set(String(id), { id, siteId, ...chosen, createdAt: now });
  }
  return { id: siteId, name };
}

/** Lets a counter go on after the highest of the identifiers that were given. */
function skip(counters: Counters, kind: keyof Counters, given: readonly { id?: number }[] = []): void {
  for (const { id = 0 } of given) counters[kind] = Math.max(counters[kind], id);
}
