import type { Profile } from '../../openapi/profile.ts';
import { habitsOf } from '../variations/variations.ts';
import type { SeedOptions } from '../world/create-world.ts';
import { countFromBase } from '../world/long-ids.ts';
import { subscriptionIdsOf } from '../world/subscription-id.ts';
import type { ClockState } from '../world/world.ts';

/** A manual clock starts at a fixed time, so that two runs are the same. */
const manualStart = Date.parse('2026-01-01T00:00:00.000Z');

interface Beginning {
  profile: Profile;
  seed: number;
  clock: ClockState['mode'];
  variations?: readonly string[];
}

/** How a world begins. */
export function worldSetup({ profile, seed, clock: mode, variations = [] }: Beginning): SeedOptions {
  const { clockAheadMs: ahead = 0, longIds: hasLongIds = false } = habitsOf(variations);
  if (hasLongIds) countFromBase();
  const clock: ClockState = mode === 'manual' ? { mode, time: manualStart + ahead } : { mode, offset: ahead };
  return { seed, clock, subscriptionIds: subscriptionIdsOf(profile), hasLongIds };
}
