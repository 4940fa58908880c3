// Equal seeds must create equal worlds, API keys included.
import { collectionOf } from './collections.ts';
import { digest, digestPassword } from './digests.ts';
import { countFromBase, longIdBase } from './long-ids.ts';
import { drawHex, drawText } from './random.ts';
import { newSubscriptionId, type SubscriptionIds, subscriptionKey } from './subscription-rules.ts';
import { timeOf } from './time.ts';
import { type ClockState, type Counters, createEmptyWorld, type World } from './world.ts';
import type { SiteSeed, TenantSeed, WorldSeed } from './world-seed.ts';

/** The credentials of a tenant in plain text; the world stores only digests of passwords and keys. */
export interface TenantAccess<Id = number> {
  id: number;
  name: string;
  users: { username: string; password: string }[];
  /** The first of `apiKeys`. */
  apiKey: string | undefined;
  apiKeys: string[];
  sites: { id: Id; name: string }[];
}

export interface SeedOptions {
  seed: number;
  clock: ClockState;
  subscriptionIds: SubscriptionIds;
  hasLongIds?: boolean;
}

/** Later sites are numbered from 1001, which distinguishes them from sites of the seed. */
const lastSeededSiteId = 1000;

/** Larger ids of a seed don't raise the counters, so that assigned ids fit in 32 bits. */
const mostCounted = 1_000_000_000;

export function createWorldFromSeed(
  seed: WorldSeed,
  { seed: random, clock, subscriptionIds, hasLongIds = false }: SeedOptions,
): { world: World; tenants: TenantAccess[] } {
  if (hasLongIds) countFromBase();
  const world = createEmptyWorld(random, { ...clock });
  const ids = createIds(world.counters, seed, hasLongIds ? longIdBase : 0);
  const now = timeOf(clock);

  function createTenant({ name, users = [], api_keys: keys = [], sites = [] }: TenantSeed): TenantAccess {
    const id = ++world.counters.tenant;
    world.tenants.set(id, { id, name });
    for (const { username, password } of users) {
      const salt = drawHex(world, 16);
      world.users.set(username, { tenantId: id, salt, passwordDigest: digestPassword(salt, password) });
    }
    const username = users[0]?.username;
    const owner = { tenantId: id, createdAt: now, ...(username !== undefined && { username }) };
    const apiKeys = keys.map(({ name: keyName = '', key = `sp_${drawText(world, 32)}` }) => {
      world.apiKeys.set(digest(key), { id: ++world.counters.apiKey, name: keyName, ...owner });
      return key;
    });
    return {
      id,
      name,
      users: users.map(({ username, password }) => ({ username, password })),
      apiKey: apiKeys[0],
      apiKeys,
      sites: sites.map((site) => createSite(site, id)),
    };
  }

  function createSite(site: SiteSeed, tenantId: number): { id: number; name: string } {
    const { name, version = 0, contents = [], submissions = [], comments = [], subscriptions = [] } = site;
    const siteId = ids.of('site', site);
    const created = { id: siteId, tenantId, name, version, lastVersion: version, createdAt: now };
    world.sites.adopt(siteId, created);
    for (const content of contents) {
      const { title, text = '', published } = content;
      const id = ids.of('content', content);
      const state = published ? 'published' : 'draft';
      world.contents.adopt(id, { id, siteId, title, text, state, updatedAt: now });
    }
    for (const submission of submissions) {
      const { form, fields = {} } = submission;
      const id = ids.of('submission', submission);
      world.submissions.adopt(id, { id, siteId, form, fields: structuredClone(fields), at: now });
    }
    for (const comment of comments) {
      const { author, text } = comment;
      const id = ids.of('comment', comment);
      world.comments.adopt(id, { id, siteId, author, text, at: now });
    }
    for (const { url, events, channel, secret } of subscriptions) {
      const identity = { id: newSubscriptionId(world, created, subscriptionIds), siteId, createdAt: now };
      const chosen = { url, events: [...new Set(events)], channel, ...(secret !== undefined && { secret }) };
      world.subscriptions.adopt(subscriptionKey(identity, subscriptionIds), { ...identity, ...chosen });
    }
    return { id: siteId, name };
  }

  const tenants = seed.tenants.map(createTenant);
  ids.raise('site', lastSeededSiteId);
  sortById(world);
  return { world, tenants };
}

/** A snapshot in JSON sorts integer keys, and the restored world must behave like this one. */
function sortById(world: World): void {
  for (const name of ['sites', 'contents', 'submissions', 'comments'] as const) {
    const entries = collectionOf(world, name);
    const inOrder = [...entries].sort(([one], [other]) => Number(one) - Number(other));
    entries.clear();
    for (const [id, entry] of inOrder) entries.adopt(id, entry);
  }
}

/** Counters that start at 0 even with long identifiers. */
const neverLong: readonly string[] = ['tenant', 'publication', 'job'];

/** Assigns ids, counted from `base`, that don't collide with ids of the seed. */
function createIds(counters: Counters, { tenants }: WorldSeed, base: number) {
  for (const kind of Object.keys(counters) as (keyof Counters)[])
    counters[kind] = neverLong.includes(kind) ? 0 : base;
  const fromBase = (id: number) => (id > base ? id - base : id);
  const isCounted = (id: number) => fromBase(id) <= mostCounted;
  const raise = (kind: keyof Counters, id = 0): void => {
    if (isCounted(id)) counters[kind] = Math.max(counters[kind], base + fromBase(id));
  };
  for (const site of tenants.flatMap(({ sites = [] }) => sites)) {
    raise('site', site.id);
    for (const { id } of site.contents ?? []) raise('content', id);
    for (const { id } of site.submissions ?? []) raise('submission', id);
    for (const { id } of site.comments ?? []) raise('comment', id);
  }
  return {
    raise,
    of: (kind: keyof Counters, { id = ++counters[kind] }: { id?: number }): number =>
      isCounted(id) ? base + fromBase(id) : id,
  };
}
