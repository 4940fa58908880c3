import type { Claim, Rest } from '../clock/scheduler.ts';
import { endPublication } from '../operations/publishing.ts';
import type { Service } from '../service.ts';
import type { Job } from '../world/entries.ts';

/** Does what the job changes at once, and returns what it goes on with, if anything. Neither fails. */
export function beginJob(service: Service, { task }: Job, claim?: Claim): Rest | undefined {
  const report = (error: unknown) =>
    service.log(`${task.kind} failed: ${error instanceof Error ? error.stack : String(error)}`);
  try {
    if (task.kind === 'end-publication') {
      endPublication(service, task.publicationId, task.outcome);
      return undefined;
    }
    const send = service.dispatcher.begin(task.deliveryId, task.cause, claim);
    return send && (() => send().catch(report));
  } catch (error) {
    report(error);
    return undefined;
  }
}
