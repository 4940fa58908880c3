import { createWorldFromSeed, type SeedOptions } from './create-world.ts';
import { createEmptyWorld, type World } from './world.ts';
import type { WorldSeed } from './world-seed.ts';

export function emptyWorld(time = 0): World {
  return createEmptyWorld(1, { mode: 'manual', time });
}

export function createSeeded(seed: WorldSeed, options: Partial<SeedOptions> = {}) {
  const clock = { mode: 'manual', time: 0 } as const;
  const subscriptionIds = { type: 'integer', scope: 'global' } as const;
  return createWorldFromSeed(seed, { seed: 1, clock, subscriptionIds, ...options });
}
