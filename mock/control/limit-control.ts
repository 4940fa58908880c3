import { freesAt, liveCalls } from '../request/limit-windows.ts';
import { type LimitName, perMinute } from '../request/rate-limits.ts';
import type { Tenant } from '../world/world.ts';
import type { ControlContext } from './control-context.ts';
import type { LimitView } from './control-views.ts';
import { isoTime } from './show-world.ts';
import { findTenant } from './tenants.ts';

const names: readonly LimitName[] = ['logins', 'publishes', 'AI calls'];

export function limitControl({ service }: ControlContext) {
  function limits(tenant?: string | number): { limits: LimitView[] } {
    const { world } = service;
    const tenants = tenant === undefined ? [...world.tenants.values()] : [findTenant(world, tenant)];
    return { limits: tenants.flatMap((one) => names.map((name) => showLimit(one, name))) };
  }

  function showLimit({ id, name: tenant }: Tenant, limit: LimitName): LimitView {
    const kind = service.profile.values['limits.window'];
    const live = liveCalls(service.world.limits.get(`${limit}:${id}`) ?? [], service.clock.now(), kind);
    const frees = live.length > 0 && { frees_at: isoTime(freesAt(live, kind)) };
    return { limit, tenant, used: live.length, of: perMinute, ...frees };
  }

  return {
    limits,
    clearLimits(tenant?: string | number): { limits: LimitView[] } {
      const { world } = service;
      if (tenant === undefined) world.limits.clear();
      else for (const name of names) world.limits.delete(`${name}:${findTenant(world, tenant).id}`);
      return limits(tenant);
    },
  };
}
