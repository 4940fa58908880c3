// No false alarm over a population: deployments as unlike as the gaps allow, of which each keeps every promise. This is one of them;
// `npm run test:all` has many more, which show every choice of every gap (population.slow.test.ts).
import { expect, test } from 'vitest';
import { membersOf, runFully } from './population/false-alarms.ts';
import { populationProfiles } from './population/profiles.ts';

test.for(membersOf(populationProfiles(14, 2).slice(0, 1)))(
  'nothing fails of $name with variations: $variations',
  async (member) => {
    const { alarms, verified } = await runFully(member, { cases: 4 });
    expect(alarms).toEqual([]);
    expect(verified).toBeGreaterThan(40);
  },
);
