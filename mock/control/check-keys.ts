import type { Snapshot } from '../world/snapshot.ts';
import { ControlError } from './control-error.ts';

const byId = [
  'tenants',
  'sites',
  'contents',
  'submissions',
  'comments',
  'publications',
  'subscriptions',
  'deliveries',
] as const;

/** Rejects a snapshot with an entry under another key than its id, which no schema can express. */
export function checkKeys(snapshot: Snapshot): void {
  for (const name of byId) {
    for (const [key, { id }] of Object.entries(snapshot[name]))
      if (String(id) !== key)
        throw new ControlError(
          400,
          `PUT /_mock/world: /${name}/${key}: its id is ${id}; both must be the same`,
        );
  }
}
