import { test } from 'vitest';
import { populationProfiles } from './profiles.ts';
import { expectUsable } from './usable-operations.ts';

// Those of population.test.ts; usable.slow.test.ts has more of them.
const population = populationProfiles(14, 2).map((profile, index) => ({
  profile,
  name: profile.name,
  isVaried: index % 2 === 1,
}));

test.for(population)('every operation of $name can be used', ({ profile, isVaried }) =>
  expectUsable(profile, isVaried),
);
