// The state of the mock: its health, and its world as a whole.
import { statedValues } from '../../openapi/profile.ts';
import { version } from '../../openapi/version.ts';
import { basePath } from '../http/paths.ts';
import { type Snapshot, toSnapshot } from '../world/snapshot.ts';
import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';
import type { HealthView, WorldSummary } from './control-views.ts';
import { keepSessions, putSessionsBack } from './keep-sessions.ts';
import { resetTenant } from './reset-tenant.ts';
import { worldOf } from './saved-world.ts';
import { showClock, showKept, showStore, summarize } from './show-world.ts';
import { findTenant } from './tenants.ts';

export function stateControl({
  service,
  addresses,
  stop,
  check,
  read,
  changeLater,
  changeWhenIdle,
}: ControlContext) {
  return {
    health(): HealthView {
      const { profile, operations, store } = service;
      return {
        ready: true,
        version,
        base_path: basePath,
        base_url: addresses().baseUrl,
        profile: { name: profile.name, values: { ...statedValues(profile) } },
        operations,
        clock: read(showClock),
        kept: read((world) => showKept(world, service.journal)),
        ...(store && { store: read((world) => showStore(store, world)) }),
      };
    },

    /** Ends a mock that `sitepub mock` has started; one within a program ends by its `close`. */
    stop(): { stopping: true } {
      if (!stop)
        throw new ControlError(
          409,
          'POST /_mock/stop: this mock runs within a program, such as `sitepub exec`, and ends with that',
        );
      stop();
      return { stopping: true };
    },

    /** Takes a snapshot when nothing is in progress. */
    async world(): Promise<Snapshot> {
      await service.scheduler.settle();
      return await changeLater(toSnapshot);
    },

    /** Replaces the whole world, including its clock, by a snapshot. */
    async restore(snapshot: Snapshot): Promise<WorldSummary> {
      check('putWorld', snapshot);
      const world = worldOf(snapshot);
      await changeWhenIdle(() => service.replaceWorld(world));
      return read(summarize);
    },

    /** Resets the world to its seed, or only one tenant, given by id or name. */
    async reset(tenant?: string | number, { keepsSessions = false } = {}): Promise<WorldSummary> {
      await changeWhenIdle((world) => {
        const tenantId = tenant === undefined ? undefined : findTenant(world, tenant).id;
        const kept = keepsSessions ? keepSessions(world) : undefined;
        const seed = service.createWorld();
        if (tenantId === undefined) service.replaceWorld(seed);
        else resetTenant(world, seed, tenantId);
        if (kept) putSessionsBack(tenantId === undefined ? seed : world, kept);
        service.journal.clear(tenantId);
      });
      return read(summarize);
    },
  };
}
