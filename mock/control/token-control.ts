import { digest } from '../world/digests.ts';
import type { Session, World } from '../world/world.ts';
import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';
import type { ExpireRequest } from './control-views.ts';

export function tokenControl({ service, check }: ControlContext) {
  return {
    /** Lets session tokens expire now: one, those of a user, or all. They can still be renewed. */
    expireTokens(which: ExpireRequest = {}): { expired: number } {
      check('expireTokens', which);
      const now = service.clock.now();
      // What has expired already stays renewable no longer than it would be.
      const live = sessionsOf(service.world, which).filter(({ expiresAt }) => expiresAt > now);
      for (const session of live) session.expiresAt = now;
      return { expired: live.length };
    },
  };
}

function sessionsOf({ sessions, users }: World, { token, username }: ExpireRequest): Session[] {
  if (token !== undefined) {
    const session = sessions.get(digest(token));
    if (session) return [session];
    throw new ControlError(
      404,
      'POST /_mock/tokens/expire: there is no such session token; it may have been renewed',
    );
  }
  if (username !== undefined && !users.has(username))
    throw new ControlError(404, 'POST /_mock/tokens/expire: there is no user of that name');
  return [...sessions.values()].filter((session) => username === undefined || session.username === username);
}
