import type { WorldSummary } from '../../mock/control/control-views.ts';

/** How much a world holds, in a line. */
export function describeWorld({
  clock,
  tenants,
  users,
  sites,
  subscriptions,
  deliveries,
}: WorldSummary): string {
  const counts = Object.entries({ tenants, users, sites, subscriptions, deliveries });
  return `${counts.map(([what, count]) => `${what} ${count}`).join(', ')}; the clock is at ${clock.now}`;
}
