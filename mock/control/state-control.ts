// What the mock is, and the whole of its world.
import { statedValues } from '../../openapi/profile.ts';
import { version } from '../../openapi/version.ts';
import { scheduleJob } from '../clock/jobs.ts';
import { basePath } from '../http/paths.ts';
import { fromSnapshot, type Snapshot, toSnapshot } from '../world/snapshot.ts';
import type { World } from '../world/world.ts';
import { checkKeys } from './check-keys.ts';
import type { ControlContext } from './control-context.ts';
import type { HealthView, WorldSummary } from './control-views.ts';
import { resetTenant } from './reset-tenant.ts';
import { showClock, summarize } from './show-world.ts';
import { findTenant } from './tenants.ts';

export function stateControl(context: ControlContext) {
  const { service, about, check } = context;
  return {
    health(): HealthView {
      const { profile, operations, world } = service;
      return {
        ready: true,
        version,
        base_path: basePath,
        base_url: about().baseUrl,
        profile: { name: profile.name, values: { ...statedValues(profile) } },
        operations,
        clock: showClock(world),
      };
    },

    /** A snapshot, taken when nothing is under way. */
    async world(): Promise<Snapshot> {
      await service.scheduler.settle();
      return toSnapshot(service.world);
    },

    /** Puts a snapshot in place of the whole world, its clock included. */
    async restore(snapshot: Snapshot): Promise<WorldSummary> {
      check('putWorld', snapshot);
      checkKeys(snapshot);
      const world = fromSnapshot(snapshot);
      world.jobs.sort((one, other) => one.at - other.at);
      sendAgain(world);
      await replace(context, () => {
        service.replaceWorld(world);
      });
      return summarize(service.world);
    },

    /** Back to the seed; with a tenant, by its id or name, that one alone. */
    async reset(tenant?: string | number): Promise<WorldSummary> {
      await replace(context, () => {
        if (tenant !== undefined) return resetTenant(service, findTenant(service.world, tenant).id);
        service.replaceWorld(service.createWorld());
        service.journal.clear();
      });
      return summarize(service.world);
    },
  };
}

/** When nothing is under way, so that no push of the old world is logged in the new one. */
async function replace({ service, inTurn }: ControlContext, change: () => void): Promise<void> {
  await inTurn(async () => {
    service.dispatcher.abortWaiting();
    await service.scheduler.settle();
    change();
    service.scheduler.wake();
    service.events.emit('clock');
  });
}

/** What was in flight when a snapshot was taken stands in no job. */
function sendAgain(world: World): void {
  const waiting = new Set(world.jobs.map(({ task }) => (task.kind === 'attempt' ? task.deliveryId : 0)));
  for (const delivery of world.deliveries.values()) {
    const { id, state, nextAttemptAt, attempts } = delivery;
    if (state !== 'pending' || nextAttemptAt === undefined || waiting.has(id)) continue;
    const made = attempts.filter(({ cause }) => cause !== 'redelivery').length;
    // The one that was in flight was counted, and will be once more.
    delivery.retries = Math.max(0, made - 1);
    scheduleJob(world, nextAttemptAt, {
      kind: 'attempt',
      deliveryId: id,
      cause: made === 0 ? 'event' : 'retry',
    });
  }
}
