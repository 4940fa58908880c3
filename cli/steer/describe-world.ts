import type { Schemas } from '../../openapi/generated/control-types.ts';

/** How much a world holds, in a line. */
export function describeWorld({
  clock,
  tenants,
  users,
  sites,
  subscriptions,
  deliveries,
}: Schemas['WorldSummary']): string {
  const counts = Object.entries({ tenants, users, sites, subscriptions, deliveries });
  return `${counts.map(([what, count]) => `${what} ${count}`).join(', ')}; the clock is at ${clock.now}`;
}
