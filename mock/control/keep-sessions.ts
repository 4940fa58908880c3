// Sessions that outlast a reset, for browsers that tests have logged in once.

import type { Session } from '../world/entries.ts';
import { timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';

/** The sessions of a world, each with the time that it has left. */
export interface KeptSessions {
  random: World['random'];
  sessions: readonly (readonly [key: string, session: Session, leftMs: number])[];
}

export function keepSessions({ random, sessions, clock }: World): KeptSessions {
  const now = timeOf(clock);
  return { random, sessions: [...sessions].map(([key, session]) => [key, session, session.expiresAt - now]) };
}

/** Puts back those of users that there still are. */
export function putSessionsBack(world: World, { random, sessions }: KeptSessions): void {
  const now = timeOf(world.clock);
  // The random numbers of the beginning would draw the tokens of these sessions again, for others.
  world.random = random;
  world.sessions.clear();
  for (const [key, session, leftMs] of sessions)
    if (world.users.get(session.username)?.tenantId === session.tenantId)
      world.sessions.set(key, { ...session, expiresAt: now + leftMs });
}
