import { digest } from '../world/digests.ts';
import { timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { checkBody } from './check-body.ts';
import { ControlError } from './control-error.ts';
import type { ExpireRequest } from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';

export function tokenControl(mock: ControlledMock) {
  return {
    /** Expires session tokens now: one, those of a user, or all. They can still be renewed. */
    expireTokens(which: ExpireRequest = {}): { expired: number } {
      checkBody('expireTokens', which);
      return { expired: expireSessions(mock.world, keysOf(mock.world, which)) };
    },
  };
}

/** Returns how many had not expired. */
function expireSessions({ sessions, clock }: World, keys: readonly string[]): number {
  const now = timeOf(clock);
  let expired = 0;
  for (const key of keys) {
    const session = sessions.get(key);
    // Those that have expired are left alone, so that they do not stay renewable for longer.
    if (!session || session.expiresAt <= now) continue;
    sessions.edit(key).expiresAt = now;
    expired++;
  }
  return expired;
}

function keysOf({ sessions, users }: World, { token, username }: ExpireRequest): string[] {
  if (token !== undefined) {
    const key = digest(token);
    if (sessions.has(key)) return [key];
    throw new ControlError(
      404,
      'POST /_mock/tokens/expire: there is no such session token; it may have been renewed',
    );
  }
  if (username !== undefined && !users.has(username))
    throw new ControlError(404, 'POST /_mock/tokens/expire: there is no user of that name');
  return [...sessions]
    .filter(([, session]) => username === undefined || session.username === username)
    .map(([key]) => key);
}
