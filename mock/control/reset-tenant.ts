// Resets one tenant, so that concurrent tests can share a mock.
import type { Job, World } from '../world/world.ts';
import { sitesOf } from './tenants.ts';

interface OfTenant {
  tenantId: number;
}

interface OfSite {
  siteId: number;
}

/** Puts back all that belongs to a tenant. Other tenants, counters and random numbers stay as they are. */
export function resetTenant(world: World, seed: World, tenantId: number): void {
  const sites = sitesOf(world, tenantId).union(sitesOf(seed, tenantId));
  const isTenants = (entry: OfTenant) => entry.tenantId === tenantId;
  const isSites = ({ siteId }: OfSite) => sites.has(siteId);
  // First, since a job is found by its delivery or publication.
  putBackJobs(seed, world, isSites);
  putBack(seed.tenants, world.tenants, ({ id }) => id === tenantId);
  putBack(seed.users, world.users, isTenants);
  putBack(seed.sessions, world.sessions, isTenants);
  putBack(seed.apiKeys, world.apiKeys, isTenants);
  putBack(seed.sites, world.sites, isTenants);
  putBack(seed.contents, world.contents, isSites);
  putBack(seed.submissions, world.submissions, isSites);
  putBack(seed.comments, world.comments, isSites);
  putBack(seed.publications, world.publications, isSites);
  putBack(seed.subscriptions, world.subscriptions, isSites);
  putBack(seed.deliveries, world.deliveries, isSites);
  putBack(seed.limits, world.limits, (_, key) => key.endsWith(`:${tenantId}`));
  putBack(seed.firstAnswers, world.firstAnswers, isTenants);
}

function putBack<Key, Entry>(
  seed: ReadonlyMap<Key, Entry>,
  entries: Map<Key, Entry>,
  isOwn: (entry: Entry, key: Key) => boolean,
): void {
  for (const [key, entry] of entries) if (isOwn(entry, key)) entries.delete(key);
  // Never overwrites another tenant's entry, which a restored world may have under this key.
  for (const [key, entry] of seed) if (isOwn(entry, key) && !entries.has(key)) entries.set(key, entry);
}

function putBackJobs(seed: World, world: World, isSites: (entry: OfSite) => boolean): void {
  const others = world.jobs.filter((job) => !isAbout(world, job, isSites));
  const own = seed.jobs.filter((job) => isAbout(seed, job, isSites));
  const renumbered = own.map((job) => ({ ...job, id: ++world.counters.job }));
  world.jobs = [...others, ...renumbered].sort((one, other) => one.at - other.at);
}

function isAbout(world: World, { task }: Job, isSites: (entry: OfSite) => boolean): boolean {
  const subject =
    task.kind === 'attempt'
      ? world.deliveries.get(task.deliveryId)
      : world.publications.get(task.publicationId);
  return subject !== undefined && isSites(subject);
}
