// Creates a world from a seed. The same seed gives the same world, with the same keys.
import { collectionOf } from './collections.ts';
import { digest, digestPassword } from './digests.ts';
import { longIdBase } from './long-ids.ts';
import { drawHex, drawText } from './random.ts';
import { newSubscriptionId, type SubscriptionIds, subscriptionKey } from './subscription-id.ts';
import { timeOf } from './time.ts';
import { type ClockState, type Counters, createEmptyWorld, type World } from './world.ts';
import type { ApiKeySeed, SiteSeed, TenantSeed, WorldSeed } from './world-seed.ts';

/** What a person or a test needs to act as a tenant; the world stores only digests of passwords and keys. */
export interface TenantAccess<Id = number> {
  id: number;
  name: string;
  users: { username: string; password: string }[];
  /** The first of its keys. */
  apiKey: string | undefined;
  /** All of them. */
  apiKeys: string[];
  sites: { id: Id; name: string }[];
}

export interface SeedOptions {
  seed: number;
  clock: ClockState;
  subscriptionIds: SubscriptionIds;
  /** Identifiers are counted from the base of long ones. */
  hasLongIds?: boolean;
}

/** Sites created later are numbered from 1001, which distinguishes them from those of the seed. */
const lastSeededSiteId = 1000;

/** So that those assigned after it do not exceed 32 bits. */
const mostCounted = 1_000_000_000;

/** A new world, and the credentials of its tenants. */
export function createWorldFromSeed(
  seed: WorldSeed,
  options: SeedOptions,
): { world: World; tenants: TenantAccess[] } {
  const world = createEmptyWorld(options.seed, { ...options.clock });
  const context = { ...options, now: timeOf(options.clock) };
  const base = options.hasLongIds ? longIdBase : 0;
  const given = base > 0 ? countFrom(base, world.counters, seed) : seed;
  raiseCounters(world.counters, given, base);
  const tenants = given.tenants.map((tenant) => createTenant(world, tenant, context));
  raiseCounter(world.counters, 'site', { base, given: [{ id: base + lastSeededSiteId }] });
  sortById(world);
  return { world, tenants };
}

interface Context extends SeedOptions {
  now: number;
}

function createTenant(world: World, seed: TenantSeed, context: Context): TenantAccess {
  const { name, users = [], api_keys: keys = [], sites = [] } = seed;
  const id = ++world.counters.tenant;
  world.tenants.set(id, { id, name });
  for (const { username, password } of users) {
    const salt = drawHex(world, 16);
    world.users.set(username, { tenantId: id, salt, passwordDigest: digestPassword(salt, password) });
  }
  const username = users[0]?.username;
  const owner = { tenantId: id, createdAt: context.now, ...(username !== undefined && { username }) };
  const apiKeys = keys.map((key) => createKey(world, key, owner));
  return {
    id,
    name,
    users: users.map(({ username, password }) => ({ username, password })),
    apiKey: apiKeys[0],
    apiKeys,
    sites: sites.map((site) => createSite(world, site, { ...context, tenantId: id })),
  };
}

function createKey(
  world: World,
  { name = '', key = `sp_${drawText(world, 32)}` }: ApiKeySeed,
  owner: { tenantId: number; createdAt: number; username?: string },
): string {
  world.apiKeys.set(digest(key), { id: ++world.counters.apiKey, name, ...owner });
  return key;
}

function createSite(
  world: World,
  seed: SiteSeed,
  { tenantId, now, subscriptionIds }: Context & { tenantId: number },
): { id: number; name: string } {
  const { id = ++world.counters.site, name, version = 0, subscriptions = [] } = seed;
  const site = { id, tenantId, name, version, lastVersion: version, createdAt: now };
  world.sites.adopt(id, site);
  createTexts(world, seed, { siteId: id, now });
  for (const { url, events, channel, secret } of subscriptions) {
    const identity = {
      id: newSubscriptionId(world, site, subscriptionIds),
      siteId: id,
      createdAt: now,
    };
    const chosen = { url, events: [...new Set(events)], channel, ...(secret !== undefined && { secret }) };
    world.subscriptions.adopt(subscriptionKey(identity, subscriptionIds), { ...identity, ...chosen });
  }
  return { id, name };
}

/** The contents of a site, and what its visitors wrote. */
function createTexts(
  { counters, contents, submissions, comments }: World,
  seed: SiteSeed,
  { siteId, now }: { siteId: number; now: number },
): void {
  for (const { id = ++counters.content, title, text = '', published } of seed.contents ?? [])
    contents.adopt(id, { id, siteId, title, text, state: published ? 'published' : 'draft', updatedAt: now });
  for (const { id = ++counters.submission, form, fields = {} } of seed.submissions ?? [])
    submissions.adopt(id, { id, siteId, form, fields: structuredClone(fields), at: now });
  for (const { id = ++counters.comment, author, text } of seed.comments ?? [])
    comments.adopt(id, { id, siteId, author, text, at: now });
}

/** The order of a restored world, which has to behave like the world that was saved. */
function sortById(world: World): void {
  for (const name of ['sites', 'contents', 'submissions', 'comments'] as const) {
    const entries = collectionOf(world, name);
    const inOrder = [...entries].sort(([one], [other]) => Number(one) - Number(other));
    entries.clear();
    for (const [id, entry] of inOrder) entries.adopt(id, entry);
  }
}

/** The seed with identifiers above the base. */
function countFrom(base: number, counters: Counters, { tenants }: WorldSeed): WorldSeed {
  for (const kind of [
    'apiKey',
    'site',
    'content',
    'submission',
    'comment',
    'subscription',
    'delivery',
  ] as const)
    counters[kind] = base;
  const raise = <Entry extends { id?: number }>(entries: readonly Entry[] = []): Entry[] =>
    entries.map((entry) => (isCounted(entry.id, 0) ? { ...entry, id: base + entry.id } : entry));
  const raiseSite = (site: SiteSeed): SiteSeed => ({
    ...site,
    contents: raise(site.contents),
    submissions: raise(site.submissions),
    comments: raise(site.comments),
  });
  return {
    tenants: tenants.map((tenant) => ({ ...tenant, sites: raise(tenant.sites).map(raiseSite) })),
  };
}

/** Whether others are counted on from it: those beyond are not assigned by a counter. */
function isCounted(id: number | undefined, base: number): id is number {
  return id !== undefined && id > base && id - base <= mostCounted;
}

/** Ids that are assigned must not collide with those of the seed. */
function raiseCounters(counters: Counters, { tenants }: WorldSeed, base: number): void {
  for (const { sites = [] } of tenants) {
    raiseCounter(counters, 'site', { base, given: sites });
    for (const { contents, submissions, comments } of sites) {
      raiseCounter(counters, 'content', { base, given: contents });
      raiseCounter(counters, 'submission', { base, given: submissions });
      raiseCounter(counters, 'comment', { base, given: comments });
    }
  }
}

/** Raises a counter to the highest of some ids. */
function raiseCounter(
  counters: Counters,
  kind: keyof Counters,
  { base, given = [] }: { base: number; given?: readonly { id?: number }[] | undefined },
): void {
  for (const { id } of given) if (isCounted(id, base)) counters[kind] = Math.max(counters[kind], id);
}
