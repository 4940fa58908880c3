// No false alarm over a population: deployments as unlike as the gaps allow, of which each keeps every promise. These are as few as show
// every choice of every gap once; `npm run test:all` has more of them (population.slow.test.ts).
import { test } from 'vitest';
import { membersOf, runFully, wildProfiles } from './population/false-alarms.ts';
import { populationProfiles } from './population/profiles.ts';

test.concurrent.for(membersOf([...populationProfiles(14, 2), ...wildProfiles([0, 1])]))(
  'nothing fails of $name with variations: $variations',
  async (member, { expect }) => {
    const { alarms, verified } = await runFully(member, { cases: 4 });
    expect(alarms).toEqual([]);
    expect(verified).toBeGreaterThan(40);
  },
);
