// Worlds that are put in place of another one, or begun with: saved ones, and the seed for a tenant, so that concurrent tests can share a mock.
import { scheduleJob } from '../clock/jobs.ts';
import { type CollectionName, collectionNames, collectionOf, planOf } from '../world/collections.ts';
import type { Job, Snapshot } from '../world/entries.ts';
import { fromSnapshot } from '../world/snapshot.ts';
import { timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { misfitOf } from './control-contract.ts';
import { refuse } from './control-error.ts';

/** A world of a snapshot that comes from outside. Throws a ControlError that says what is wrong with it. */
export function readSavedWorld(snapshot: unknown): World {
  const reason = misfitOf('/components/schemas/World', snapshot);
  if (reason !== undefined) refuse(400, reason);
  return worldOf(snapshot as Snapshot);
}

/** The world of a snapshot whose shape was checked; nothing is in progress in it. */
export function worldOf(snapshot: Snapshot): World {
  const entries = snapshot as unknown as Partial<Record<CollectionName, Record<string, { id?: unknown }>>>;
  // An entry under another key than its id is refused: no schema can express that.
  for (const name of collectionNames) {
    const { keysOf } = planOf(name);
    for (const [key, entry] of Object.entries(entries[name] ?? {}))
      if (keysOf && !keysOf(entry).map(String).includes(key))
        refuse(400, `PUT /_mock/world: /${name}/${key}: its id is ${entry.id}; both must be the same`);
  }
  const world = fromSnapshot(snapshot);
  rescheduleInterrupted(world);
  return world;
}

/** Pushes that were in progress when the snapshot was taken have no job any more. */
export function rescheduleInterrupted(world: World): void {
  const waiting = new Set(
    [...world.jobs.values()].map(({ task }) => (task.kind === 'attempt' ? task.deliveryId : 0)),
  );
  for (const { id, state, nextAttemptAt, attempts } of world.deliveries.values()) {
    if (state !== 'pending' || nextAttemptAt === undefined || waiting.has(id)) continue;
    const made = attempts.filter(({ cause }) => cause !== 'redelivery').length;
    // The interrupted attempt was counted, and will be counted again.
    world.deliveries.edit(id).retries = Math.max(0, made - 1);
    scheduleJob(world, nextAttemptAt, {
      kind: 'attempt',
      deliveryId: id,
      cause: made === 0 ? 'event' : 'retry',
    });
  }
}

/** Puts back all that belongs to a tenant. Other tenants, counters and random numbers stay as they are. */
export function resetTenant(world: World, seed: World, tenantId: number): void {
  const sites = new Set([...world.sites.of(tenantId).keys(), ...seed.sites.of(tenantId).keys()]);
  const tenant = { id: tenantId, sites };
  // First, since a job is found by its delivery or publication.
  for (const job of world.jobs.values()) if (sites.has(siteIdOf(world, job))) world.jobs.delete(job.id);
  for (const job of seed.jobs.order) if (sites.has(siteIdOf(seed, job))) scheduleJob(world, job.at, job.task);
  for (const name of collectionNames) {
    const { isOf } = planOf(name);
    if (!isOf) continue;
    const [from, to] = [collectionOf(seed, name), collectionOf(world, name)];
    for (const [key, entry] of to) if (isOf(entry, tenant, key)) to.delete(key);
    // Never overwrites another tenant's entry, which a restored world may have under this key.
    for (const [key, entry] of from) if (isOf(entry, tenant, key) && !to.has(key)) to.set(key, entry);
  }
}

function siteIdOf(world: World, { task }: Job): number {
  const { deliveries, publications } = world;
  const about =
    task.kind === 'attempt' ? deliveries.get(task.deliveryId) : publications.get(task.publicationId);
  return about?.siteId ?? Number.NaN;
}

/** Sessions that outlast a reset, for browsers that tests have logged in once. Returns what puts back those of users that there still are, each with the time that it has left. */
export function keepSessions({ random, sessions, clock }: World): (world: World) => void {
  const kept = [...sessions];
  const before = timeOf(clock);
  return (world) => {
    const passed = timeOf(world.clock) - before;
    // The random numbers of the beginning would draw the tokens of these sessions again, for others.
    world.random = random;
    world.sessions.clear();
    for (const [key, session] of kept)
      if (world.users.get(session.username)?.tenantId === session.tenantId)
        world.sessions.set(key, { ...session, expiresAt: session.expiresAt + passed });
  };
}
