import { type CollectionName, collectionNames, planOf } from '../world/collections.ts';
import type { Snapshot } from '../world/snapshot.ts';
import { ControlError } from './control-error.ts';

/** Rejects a snapshot with an entry under another key than its id, which no schema can express. */
export function checkKeys(snapshot: Snapshot): void {
  const entries = snapshot as unknown as Partial<Record<CollectionName, Record<string, object>>>;
  for (const name of collectionNames.filter((one) => planOf(one).hasOwnId)) {
    for (const [key, entry] of Object.entries(entries[name] ?? {})) {
      const { id } = entry as { id?: unknown };
      if (String(id) !== key)
        throw new ControlError(
          400,
          `PUT /_mock/world: /${name}/${key}: its id is ${id}; both must be the same`,
        );
    }
  }
}
