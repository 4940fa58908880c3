import { scheduleJob } from '../clock/jobs.ts';
import { type CollectionName, collectionNames, collectionOf, planOf } from '../world/collections.ts';
import type { Job, Snapshot } from '../world/entries.ts';
import { fromSnapshot } from '../world/snapshot.ts';
import { timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { misfitOf } from './control-contract.ts';
import { refuse } from './control-error.ts';

/** Throws a ControlError that says what is wrong with the snapshot. */
export function readSavedWorld(snapshot: unknown): World {
  const reason = misfitOf('/components/schemas/World', snapshot);
  if (reason !== undefined) refuse(400, reason);
  return worldOf(snapshot as Snapshot);
}

/** The snapshot must already fit its schema. */
export function worldOf(snapshot: Snapshot): World {
  const entries = snapshot as unknown as Partial<Record<CollectionName, Record<string, { id?: unknown }>>>;
  // No schema can express that a key equals the id of its entry.
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

/** A push that was in progress when the snapshot was taken has no job. */
export function rescheduleInterrupted(world: World): void {
  const waiting = new Set(
    [...world.jobs.values()].map(({ task }) => (task.kind === 'attempt' ? task.deliveryId : 0)),
  );
  for (const { id, state, nextAttemptAt, attempts } of world.deliveries.values()) {
    if (state !== 'pending' || nextAttemptAt === undefined || waiting.has(id)) continue;
    const made = attempts.filter(({ cause }) => cause !== 'redelivery').length;
    // The interrupted attempt was counted already and will be counted again.
    world.deliveries.edit(id).retries = Math.max(0, made - 1);
    scheduleJob(world, nextAttemptAt, {
      kind: 'attempt',
      deliveryId: id,
      cause: made === 0 ? 'event' : 'retry',
    });
  }
}

/** Other tenants, counters and random numbers stay as they are, so that concurrent tests can share a mock. */
export function resetTenant(world: World, seed: World, tenantId: number): void {
  const sites = new Set([...world.sites.of(tenantId).keys(), ...seed.sites.of(tenantId).keys()]);
  const tenant = { id: tenantId, sites };
  // Jobs come first: their site is found by deliveries and publications, which are replaced below.
  for (const job of world.jobs.values()) if (sites.has(siteIdOf(world, job))) world.jobs.delete(job.id);
  for (const job of seed.jobs.order) if (sites.has(siteIdOf(seed, job))) scheduleJob(world, job.at, job.task);
  for (const name of collectionNames) {
    const { isOf } = planOf(name);
    if (!isOf) continue;
    const [from, to] = [collectionOf(seed, name), collectionOf(world, name)];
    for (const [key, entry] of to) if (isOf(entry, tenant, key)) to.delete(key);
    // A restored world may have another tenant's entry under this key, which stays.
    for (const [key, entry] of from) if (isOf(entry, tenant, key) && !to.has(key)) to.set(key, entry);
  }
}

function siteIdOf(world: World, { task }: Job): number {
  const { deliveries, publications } = world;
  const about =
    task.kind === 'attempt' ? deliveries.get(task.deliveryId) : publications.get(task.publicationId);
  return about?.siteId ?? Number.NaN;
}

/** Lets sessions outlast a reset, for browsers logged in only once. The returned function restores the sessions of existing users with their remaining time. */
export function preserveSessions({ random, sessions, clock }: World): (world: World) => void {
  const stored = [...sessions];
  const before = timeOf(clock);
  return (world) => {
    const passed = timeOf(world.clock) - before;
    // The random state of the seed would draw the tokens of these sessions again.
    world.random = random;
    world.sessions.clear();
    for (const [key, session] of stored)
      if (world.users.get(session.username)?.tenantId === session.tenantId)
        world.sessions.set(key, { ...session, expiresAt: session.expiresAt + passed });
  };
}
