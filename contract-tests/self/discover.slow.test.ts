// Discoveries of the population that `npm test` leaves out.
import { expect, test } from 'vitest';
import { loadProfile, makeProfile } from '../../openapi/profile.ts';
import { discoverMock } from './discover-mock.ts';
import {
  expectAgreement,
  expectPackaged,
  expectUnaided,
  expectWholeProfile,
  guessablePopulation,
  packagedProfiles,
} from './population/discoveries.ts';

const defaults = loadProfile('default');

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

test('takes away what it created, and lists what it can’t', async () => {
  const all = await discoverMock({ spoken: defaults, knows: 'paths', controls: true });
  const none = await discoverMock({ spoken: loadProfile('documented-only'), knows: 'paths', controls: true });
  const kinds = (leftovers: typeof all.leftovers) => new Set(leftovers.map(({ what }) => what));
  expect(kinds(all.leftovers)).toEqual(new Set(['form submission', 'comment', 'published version']));
  expect(kinds(none.leftovers)).toEqual(new Set(['subscription']));
});

test('keeps what is given, and says where something else was seen', async () => {
  const given = { 'hook-test.status': 204, 'webhook.body-style': 'spaced' };
  const { profile } = await discoverMock({
    spoken: defaults,
    knows: 'nothing',
    controls: false,
    options: { given },
  });
  expect(profile).toContain('hook-test.status: 204  # given; what was seen is 200');
  expect(profile).toContain('webhook.body-style: spaced  # given\n');
});
