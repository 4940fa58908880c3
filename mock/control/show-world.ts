import { isoTime, timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';
import type { ClockView, WorldSummary } from './control-views.ts';

export function showClock({ clock }: World): ClockView {
  return { mode: clock.mode, now: isoTime(timeOf(clock)) };
}

export function summarize(world: World): WorldSummary {
  return {
    clock: showClock(world),
    tenants: world.tenants.size,
    users: world.users.size,
    sites: world.sites.size,
    subscriptions: world.subscriptions.size,
    deliveries: world.deliveries.size,
    jobs: world.jobs.length,
  };
}
