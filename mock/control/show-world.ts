import type { Schemas } from '../../openapi/generated/control-types.ts';
import { oldestDueMs } from '../clock/jobs.ts';
import { type Journal, journalBound } from '../http/journal.ts';
import type { Store } from '../store/store.ts';
import { limitsOf, type WorldPart } from '../world/collections.ts';
import { isoTime, timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';

export function showClock({ clock }: Pick<World, 'clock'>): Schemas['Clock'] {
  return { mode: clock.mode, now: isoTime(timeOf(clock)) };
}

/** How many bytes it keeps of what came, and how many at most. */
export function showKept(world: World, journal: Journal): Schemas['Health']['kept'] {
  const limits = limitsOf(world);
  const part = (name: WorldPart) => ({ bytes: limits[name].bytes, bound: limits[name].most });
  return {
    inboxes: part('inboxes'),
    journal: { bytes: journal.bytes(), bound: journalBound },
    content: part('content'),
    deliveries: part('deliveries'),
    records: part('records'),
  };
}

export function showStore(store: Store, world: World): NonNullable<Schemas['Health']['store']> {
  const { engine, problem, replicas, worlds } = store.status();
  return {
    engine,
    ...(problem !== undefined && { problem }),
    ...(replicas !== undefined && { replicas }),
    ...(worlds !== undefined && { worlds }),
    oldest_due_seconds: oldestDueMs(world) / 1000,
  };
}

export function summarize(world: World): Schemas['WorldSummary'] {
  return {
    clock: showClock(world),
    tenants: world.tenants.size,
    users: world.users.size,
    sites: world.sites.size,
    subscriptions: world.subscriptions.size,
    deliveries: world.deliveries.size,
    jobs: world.jobs.size,
  };
}
