// Resets one tenant, so that concurrent tests can share a mock.

import { scheduleJob } from '../clock/jobs.ts';
import { collectionNames, collectionOf, planOf } from '../world/collections.ts';
import type { Job } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import { sitesOf } from './tenants.ts';

/** Puts back all that belongs to a tenant. Other tenants, counters and random numbers stay as they are. */
export function resetTenant(world: World, seed: World, tenantId: number): void {
  const tenant = { id: tenantId, sites: sitesOf(world, tenantId).union(sitesOf(seed, tenantId)) };
  // First, since a job is found by its delivery or publication.
  putBackJobs(seed, world, ({ siteId }) => tenant.sites.has(siteId));
  for (const name of collectionNames) {
    const { isOf } = planOf(name);
    if (isOf)
      putBack(collectionOf(seed, name), collectionOf(world, name), (entry, key) => isOf(entry, tenant, key));
  }
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

interface OfSite {
  siteId: number;
}

function putBackJobs(seed: World, world: World, isOwn: (entry: OfSite) => boolean): void {
  for (const job of world.jobs.values()) if (isAbout(world, job, isOwn)) world.jobs.delete(job.id);
  for (const job of seed.jobs.order) if (isAbout(seed, job, isOwn)) scheduleJob(world, job.at, job.task);
}

function isAbout(world: World, { task }: Job, isOwn: (entry: OfSite) => boolean): boolean {
  const subject =
    task.kind === 'attempt'
      ? world.deliveries.get(task.deliveryId)
      : world.publications.get(task.publicationId);
  return subject !== undefined && isOwn(subject);
}
