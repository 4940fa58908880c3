// @module-tag nightly
// No false alarm over a whole population, with as many generated cases as a run makes: deployments as unlike as the gaps allow, of which each keeps every promise.
import { test } from 'vitest';
import { profileNames } from '../../mock/testing/open-mock.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { expectWhole } from './expect-verified.ts';
import { membersOf, runFully, wildProfiles } from './population/false-alarms.ts';
import { populationProfiles } from './population/profiles.ts';

/** A variation may let the deployment drift from what it states. */
const packaged = profileNames
  .map(loadProfile)
  .map((spoken) => ({ name: spoken.name, spoken, variations: [] }));

/** Some deployments take a minute to judge, and several are judged side by side. */
const longestMs = 300_000;

test.concurrent.for([
  ...membersOf([
    ...populationProfiles(60, 1),
    ...populationProfiles(14, 2),
    ...wildProfiles([1, 2, 3, 4, 5, 0]),
  ]),
  ...packaged,
])(
  'nothing fails of $name with variations: $variations',
  { timeout: longestMs },
  async (member, { expect }) => {
    const { alarms, verified, report } = await runFully(member);
    expect(alarms).toEqual([]);
    expect(verified).toBeGreaterThan(40);
    if (packaged.some(({ name }) => name === member.name)) expectWhole(report, member.spoken);
  },
);
