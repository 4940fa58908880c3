// A saved world, put in place of another one or begun with.
import { scheduleJob } from '../clock/jobs.ts';
import { type CollectionName, collectionNames, planOf } from '../world/collections.ts';
import { fromSnapshot, type Snapshot } from '../world/snapshot.ts';
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
  checkKeys(snapshot);
  const world = fromSnapshot(snapshot);
  rescheduleInterrupted(world);
  return world;
}

/** Rejects a snapshot with an entry under another key than its id, which no schema can express. */
function checkKeys(snapshot: Snapshot): void {
  const entries = snapshot as unknown as Partial<Record<CollectionName, Record<string, object>>>;
  for (const name of collectionNames.filter((one) => planOf(one).hasOwnId)) {
    for (const [key, entry] of Object.entries(entries[name] ?? {})) {
      const { id } = entry as { id?: unknown };
      if (String(id) !== key)
        refuse(400, `PUT /_mock/world: /${name}/${key}: its id is ${id}; both must be the same`);
    }
  }
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
