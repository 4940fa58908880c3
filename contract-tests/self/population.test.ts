// @module-tag nightly
// No false alarms for a population of conforming deployments that differ as much as the gaps allow.
import { test } from 'vitest';
import { profileNames } from '../../mock/testing/open-mock.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { expectWhole } from './expect-verified.ts';
import { membersOf, runFully, wildProfiles } from './population/false-alarms.ts';
import { populationProfiles } from './population/profiles.ts';

/** No variations, because they may cause drift. */
const packaged = profileNames
  .map(loadProfile)
  .map((spoken) => ({ name: spoken.name, spoken, variations: [] }));

/** Some runs take a minute, and several run at the same time. */
const longestMs = 300_000;

test.concurrent.for([
  ...membersOf([
    ...populationProfiles(60, 1),
    ...populationProfiles(14, 2),
    ...wildProfiles([1, 2, 3, 4, 5, 0]),
  ]),
  ...packaged,
])(
  'fails nothing of $name with variations: $variations',
  { timeout: longestMs },
  async (member, { expect }) => {
    const { alarms, verified, report } = await runFully(member);
    expect(alarms).toEqual([]);
    expect(verified).toBeGreaterThan(40);
    if (packaged.some(({ name }) => name === member.name)) expectWhole(report, member.spoken);
  },
);
