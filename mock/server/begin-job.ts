import type { Claim, Rest } from '../clock/scheduler.ts';
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
    return send && (() => send().catch(report));
  } catch (error) {
    report(error);
    return undefined;
  }
}
