import { freesAt, limitNames, liveCalls, perMinute } from '../request/rate-limits.ts';
import type { Tenant } from '../world/entries.ts';
import { isoTime, timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';
import type { LimitsView, LimitView } from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { findTenant } from './tenants.ts';

export function limitControl(mock: ControlledMock) {
  function showLimits(world: World, tenant: string | number | undefined): LimitsView {
    const tenants = tenant === undefined ? [...world.tenants.values()] : [findTenant(world, tenant)];
    return { limits: tenants.flatMap((one) => limitNames.map((name) => showLimit(world, one, name))) };
  }

  function showLimit(world: World, { id, name: tenant }: Tenant, limit: LimitView['limit']): LimitView {
    const live = liveCalls(world.limits.get(`${limit}:${id}`) ?? [], timeOf(world.clock));
    const frees = live.length > 0 && { frees_at: isoTime(freesAt(live)) };
    return { limit, tenant, used: live.length, of: perMinute, ...frees };
  }

  return {
    limits: (tenant?: string | number): LimitsView => showLimits(mock.world, tenant),

    clearLimits: (tenant?: string | number): LimitsView => {
      const { world } = mock;

      const ids = tenant === undefined ? [...world.tenants.keys()] : [findTenant(world, tenant).id];
      if (tenant === undefined) world.limits.clear();
      for (const id of ids) clearLimitsOf(world, id);
      return showLimits(world, tenant);
    },
  };
}

/** The counts, and the locks after too many calls or wrong passwords. */
function clearLimitsOf({ limits, users }: World, tenantId: number): void {
  for (const key of limits.keys()) if (key.endsWith(`:${tenantId}`)) limits.delete(key);
  for (const [name, { tenantId: owner }] of users) {
    if (owner !== tenantId) continue;
    const user = users.edit(name);
    delete user.wrongPasswords;
    delete user.lockedUntil;
  }
}
