// Who calls, with which token, and how long tokens live.
import type { AnyCall, Caller } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { World } from '../world/world.ts';
import { combineWraps, type Wrap, withMemory } from './fault.ts';
import { changeResult, watchResult } from './wrap-calls.ts';

/** Whether a tenant is the first one: that of the demo world's first users. */
export function isFirstTenant({ tenants }: World, tenantId: number | undefined): boolean {
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

/** Whether a call comes with an API key. */
export function isByKey({ caller }: Pick<AnyCall, 'caller'>): boolean {
  return !caller?.session;
}

/** How long a session token lives, in milliseconds. */
export function tokenLifetimeMs({ profile }: Pick<AnyCall, 'profile'>): number {
  return profile.values['token.lifetime'] * 1000;
}

/** A fault that distinguishes the tokens of renewals from those of logins. */
export function trackRenewals(wrapOf: (isRenewed: (caller: Caller | undefined) => boolean) => Wrap): Wrap {
  return withMemory((memory, renewed = memory.set('renewed')) =>
    combineWraps(
      watchResult(['refresh'], ({ token }) => renewed.add(digest(String(token)))),
      wrapOf((caller) => renewed.has(caller?.session?.key ?? '')),
    ),
  );
}

/** Returns tokens without their last character. */
export function truncateToken(id: 'login' | 'refresh', when: (call: AnyCall) => boolean = () => true): Wrap {
  return changeResult(id, (values, call) =>
    when(call) ? { ...values, token: String(values.token).slice(0, -1) } : values,
  );
}
