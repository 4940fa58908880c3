import type { AnyCall } from '../service.ts';

/** The tenant that a call is on account of: that of the caller or, where none has to say who they are, of the user or site it names. */
export function tenantOfCall({ caller, world, input }: AnyCall): number | undefined {
  if (caller) return caller.tenantId;
  const { username, siteID } = input;
  if (typeof username === 'string') return world.users.get(username)?.tenantId;
  return world.sites.get(Number(siteID))?.tenantId;
}
