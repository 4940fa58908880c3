// No false alarm over a whole population, with as many generated cases as a run makes: deployments as unlike as the gaps allow, of which each keeps every promise.
import { test } from 'vitest';
import { profileNames } from '../../mock/testing/open-mock.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { membersOf, runFully, wildProfiles } from './population/false-alarms.ts';
import { populationProfiles } from './population/profiles.ts';

/** Some deployments take a minute to judge, and several are judged side by side. */
const longestMs = 300_000;

test.concurrent.for(
  membersOf([
    ...populationProfiles(60, 1),
    ...populationProfiles(14, 2),
    ...wildProfiles([1, 2, 3, 4, 5, 0]),
    ...profileNames.map(loadProfile),
  ]),
)(
  'nothing fails of $name with variations: $variations',
  { timeout: longestMs },
  async (member, { expect }) => {
    const { alarms, verified } = await runFully(member);
    expect(alarms).toEqual([]);
    expect(verified).toBeGreaterThan(40);
  },
);
