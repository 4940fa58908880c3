// The state of the mock: its health, and its world as a whole.

import { statedValues } from '../../openapi/profile.ts';
import { version } from '../../openapi/version.ts';
import { basePath } from '../http/paths.ts';
import { type Snapshot, toSnapshot } from '../world/snapshot.ts';
import { checkBody } from './check-body.ts';
import { ControlError } from './control-error.ts';
import type { HealthView, WorldSummary } from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { keepSessions, putSessionsBack } from './keep-sessions.ts';
import { resetTenant } from './reset-tenant.ts';
import { worldOf } from './saved-world.ts';
import { showClock, showKept, showStore, summarize } from './show-world.ts';
import { findTenant } from './tenants.ts';

export function stateControl(mock: ControlledMock) {
  return {
    health(): HealthView {
      const { profile, operations, store } = mock;
      return {
        ready: true,
        version,
        base_path: basePath,
        base_url: mock.addresses().baseUrl,
        profile: { name: profile.name, values: { ...statedValues(profile) } },
        operations,
        clock: showClock(mock.world),
        kept: showKept(mock.world, mock.journal),
        ...(store && { store: showStore(store, mock.world) }),
      };
    },

    /** Ends a mock that `sitepub mock` has started; one within a program ends by its `close`. */
    stop(): { stopping: true } {
      if (!mock.stop)
        throw new ControlError(
          409,
          'POST /_mock/stop: this mock runs within a program, such as `sitepub exec`, and ends with that',
        );
      mock.stop();
      return { stopping: true };
    },

    /** Takes a snapshot when nothing is in progress. */
    async world(): Promise<Snapshot> {
      await mock.scheduler.settle();
      return await mock.turn(() => toSnapshot(mock.world));
    },

    /** Replaces the whole world, including its clock, by a snapshot. */
    async restore(snapshot: Snapshot): Promise<WorldSummary> {
      checkBody('putWorld', snapshot);
      const world = worldOf(snapshot);
      await turnWhenIdle(mock, () => mock.replaceWorld(world));
      return summarize(mock.world);
    },

    /** Resets the world to its seed, or only one tenant, given by id or name. */
    async reset(tenant?: string | number, { keepsSessions = false } = {}): Promise<WorldSummary> {
      await turnWhenIdle(mock, () => {
        const { world } = mock;
        const tenantId = tenant === undefined ? undefined : findTenant(world, tenant).id;
        const kept = keepsSessions ? keepSessions(world) : undefined;
        const seed = mock.createWorld();
        if (tenantId === undefined) mock.replaceWorld(seed);
        else resetTenant(world, seed, tenantId);
        if (kept) putSessionsBack(tenantId === undefined ? seed : world, kept);
        mock.journal.clear(tenantId);
      });
      return summarize(mock.world);
    },
  };
}

/** Changes the world as a whole when nothing is under way: no push of the old world is logged in the new one. */
function turnWhenIdle(mock: ControlledMock, work: () => void): Promise<void> {
  return mock.inOrder(async () => {
    mock.dispatcher.abortWaiting();
    await mock.scheduler.settle();
    await mock.turn(work);
    mock.scheduler.wake();
    mock.events.emit('replaced');
    mock.events.emit('clock');
  });
}
