// Discoveries of the population that `npm test` leaves out.
import { expect, test } from 'vitest';
import { makeProfile } from '../../openapi/profile.ts';
import { discoverMock } from './discover-mock.ts';
import {
  expectAgreement,
  expectPackaged,
  expectUnaided,
  expectWholeProfile,
  guessablePopulation,
  packagedProfiles,
} from './population/discoveries.ts';

/** Each takes seconds of a core: CI tries every third. */
const tried = process.env.CI
  ? guessablePopulation.filter((_, index) => index % 3 === 1)
  : guessablePopulation;

test('there are many', () => {
  expect(guessablePopulation.length).toBeGreaterThanOrEqual(25);
});

test.for(packagedProfiles.slice(1))(
  'finds out the whole profile $name, with which the suite agrees',
  expectPackaged,
);

test.for(tried)(
  'finds out the whole profile $name, with which the suite agrees',
  async (spoken) => void (await expectWholeProfile(spoken)),
);

// Concurrent, since they mostly wait.
test.concurrent.for([...packagedProfiles.filter(({ name }) => name === 'documented-only'), ...tried])(
  'finds out of $name alone what needs neither paths nor a clock, with which the suite agrees',
  expectUnaided,
);

// In real time each takes 20 s; the others showed nothing new.
test.concurrent.for([...packagedProfiles, ...tried.filter((_, index) => index % 3 === 0)])(
  'finds out of $name in real time what the suite agrees with',
  expectAgreement,
);

test.concurrent('finds out how long a deployment waits for an answer, when it is given the time', async ({
  expect,
}) => {
  const spoken = makeProfile({ 'webhook.timeout': 1 }, { name: 'hasty', source: 'hasty.yaml' });
  const options = { maxWaitMs: 5_000 };
  const { differences, found } = await discoverMock({ spoken, knows: 'nothing', controls: false, options });
  expect({ differences, isFound: found.includes('webhook.timeout') }).toEqual({
    differences: [],
    isFound: true,
  });
});
