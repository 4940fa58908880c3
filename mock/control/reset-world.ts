// Resets one tenant, so that concurrent tests can share a mock; and sessions that outlast a reset, for browsers that tests have logged in once.
import { scheduleJob } from '../clock/jobs.ts';
import { collectionNames, collectionOf, planOf } from '../world/collections.ts';
import type { Job, Session } from '../world/entries.ts';
import { timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { sitesOf } from './named.ts';

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

/** The sessions of a world, each with the time that it has left. */
interface KeptSessions {
  random: World['random'];
  sessions: readonly (readonly [key: string, session: Session, leftMs: number])[];
}

export function keepSessions({ random, sessions, clock }: World): KeptSessions {
  const now = timeOf(clock);
  return { random, sessions: [...sessions].map(([key, session]) => [key, session, session.expiresAt - now]) };
}

/** Puts back those of users that there still are. */
export function putSessionsBack(world: World, { random, sessions }: KeptSessions): void {
  const now = timeOf(world.clock);
  // The random numbers of the beginning would draw the tokens of these sessions again, for others.
  world.random = random;
  world.sessions.clear();
  for (const [key, session, leftMs] of sessions)
    if (world.users.get(session.username)?.tenantId === session.tenantId)
      world.sessions.set(key, { ...session, expiresAt: now + leftMs });
}
