// Who is who, and how long tokens live, as faults ask for it.
import type { AnyCall, Caller } from '../service.ts';
import type { World } from '../world/world.ts';

/** The tenant that joined first: that of the demo world's first users. */
export function isOfFirstTenant({ tenants }: World, tenantId: number | undefined): boolean {
  const [first] = tenants.keys();
  return tenantId === first;
}

/** Whether somebody is a user of a tenant, but not its first. */
export function isLaterUser({ users }: World, username: string): boolean {
  const tenantId = users.get(username)?.tenantId;
  const [first] = [...users].find(([, user]) => user.tenantId === tenantId) ?? [];
  return tenantId !== undefined && username !== first;
}

/** Whether a call comes with the session of such a user. */
export function isByLaterUser(world: World, caller: Caller | undefined): boolean {
  return caller?.session !== undefined && isLaterUser(world, caller.session.username);
}

/** How long a session token lives, in milliseconds. */
export function lifetimeMs({ profile }: Pick<AnyCall, 'profile'>): number {
  return profile.values['token.lifetime'] * 1000;
}
