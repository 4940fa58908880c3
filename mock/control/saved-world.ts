// A saved world, put in place of another one or begun with.
import { scheduleJob } from '../clock/jobs.ts';
import { fromSnapshot, type Snapshot } from '../world/snapshot.ts';
import type { World } from '../world/world.ts';
import { checkKeys } from './check-keys.ts';
import { controlContract } from './control-contract.ts';
import { ControlError } from './control-error.ts';
import { explain } from './explain-input.ts';

/** A world of a snapshot that comes from outside. Throws a ControlError that says what is wrong with it. */
export function readSavedWorld(snapshot: unknown): World {
  const contract = controlContract();
  const reason = explain(contract.findErrors, '/components/schemas/World', snapshot);
  if (reason !== undefined) throw new ControlError(400, reason);
  return worldOf(snapshot as Snapshot);
}

/** The world of a snapshot whose shape was checked; nothing is in progress in it. */
export function worldOf(snapshot: Snapshot): World {
  checkKeys(snapshot);
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
