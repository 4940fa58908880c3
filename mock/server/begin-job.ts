import type { Claim } from '../clock/scheduler.ts';
import type { Rest } from '../clock/work.ts';
import { endPublication } from '../operations/publishing.ts';
import type { Mock } from '../service.ts';
import { StoreError } from '../store/engine.ts';
import type { Job } from '../world/entries.ts';

/** Does what the job changes at once, and returns what it goes on with, if anything. Neither fails. */
export function beginJob(mock: Mock, { task }: Job, claim?: Claim): Rest | undefined {
  const report = (error: unknown) => {
    // The store itself says what it could not persist.
    if (error instanceof StoreError) return;
    mock.log(`${task.kind} failed: ${error instanceof Error ? error.stack : String(error)}`);
  };
  try {
    if (task.kind === 'end-publication') {
      endPublication(mock, task.publicationId, task.outcome);
      return undefined;
    }
    const send = mock.dispatcher.begin(task.deliveryId, task.cause, claim);
    if (!send) return undefined;
    return (done) =>
      send((failure) => {
        if (failure !== undefined) report(failure);
        done();
      });
  } catch (error) {
    report(error);
    return undefined;
  }
}
