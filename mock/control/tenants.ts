import type { Tenant } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';
import { unknownName } from './explain-input.ts';

/** A tenant by its id or name. Throws a ControlError for an unknown one. */
export function findTenant({ tenants }: World, wanted: string | number): Tenant {
  const all = [...tenants.values()];
  const found =
    all.find(({ name }) => name === wanted) ?? all.find(({ id }) => String(id) === String(wanted));
  if (found) return found;
  throw new ControlError(
    404,
    `there is no tenant ${unknownName(
      String(wanted),
      all.map(({ name }) => name),
    )}`,
  );
}

export function nameOfTenant({ tenants }: World, id: number): string {
  return tenants.get(id)?.name ?? String(id);
}

/** The ids of a tenant's sites. */
export function sitesOf({ sites }: World, tenantId: number): Set<number> {
  return new Set(sites.of(tenantId).keys());
}
