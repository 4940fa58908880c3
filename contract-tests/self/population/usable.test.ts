// @module-tag nightly
import { test } from 'vitest';
import { populationProfiles } from './profiles.ts';
import { expectUsable } from './usable-operations.ts';

const population = [populationProfiles(60, 1), populationProfiles(14, 2)].flatMap((profiles) =>
  profiles.map((profile, index) => ({ profile, name: profile.name, isVaried: index % 2 === 1 })),
);

test.for(population)('every operation of $name can be used', ({ profile, isVaried }) =>
  expectUsable(profile, isVaried),
);
