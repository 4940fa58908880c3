import type { AnyCall } from '../service.ts';

/** The tenant that a call belongs to: the caller's or, without authentication, that of the user or site in its input. */
export function tenantOfCall({ caller, world, input }: AnyCall): number | undefined {
  if (caller) return caller.tenantId;
  const { username, siteID } = input;
  if (typeof username === 'string') return world.users.get(username)?.tenantId;
  return world.sites.get(Number(siteID))?.tenantId;
}
