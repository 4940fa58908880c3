import { endPublication } from '../operations/publishing.ts';
import type { Service } from '../service.ts';
import type { Job } from '../world/world.ts';

/** Never fails. */
export async function performJob(service: Service, { task }: Job): Promise<void> {
  try {
    if (task.kind === 'attempt') await service.dispatcher.attempt(task.deliveryId, task.cause);
    else endPublication(service, task.publicationId, task.outcome);
  } catch (error) {
    service.log(`${task.kind} failed: ${error instanceof Error ? error.stack : String(error)}`);
  }
}
