import type { Claim } from '../clock/scheduler.ts';
import type { Rest } from '../clock/work.ts';
import { endPublication } from '../operations/publishing.ts';
import type { Mock } from '../service.ts';
import { StoreError } from '../store/engine.ts';
import type { Job } from '../world/entries.ts';

/** Does what the job changes at once, and returns what it goes on with, if anything. Does not throw. */
export function beginJob(mock: Mock, { task }: Job, claim?: Claim): Rest | undefined {
  try {
    if (task.kind === 'attempt') return mock.dispatcher.begin(task.deliveryId, task.cause, claim);
    endPublication(mock, task.publicationId, task.outcome);
  } catch (error) {
    reportFailure(mock, error, task.kind);
  }
  return undefined;
}

/** Only attempts may fail later. */
export function reportFailure(
  { log }: Pick<Mock, 'log'>,
  error: unknown,
  kind: Job['task']['kind'] = 'attempt',
): void {
  // The store itself says what it could not persist.
  if (error instanceof StoreError) return;
  log(`${kind} failed: ${error instanceof Error ? error.stack : String(error)}`);
}
