// Discoveries of the population that `npm test` leaves out.
import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import {
  expectAgreement,
  expectUnaided,
  expectWholeProfile,
  guessablePopulation,
} from './population/discoveries.ts';

test('there are many', () => {
  expect(guessablePopulation.length).toBeGreaterThanOrEqual(25);
});

test.for(guessablePopulation.slice(1))(
  'finds out the whole profile $name, with which the suite agrees',
  async (spoken) => void (await expectWholeProfile(spoken)),
);

// Concurrent, since they mostly wait.
test.concurrent.for(guessablePopulation.slice(2))(
  'finds out of $name alone what needs neither paths nor a clock, with which the suite agrees',
  expectUnaided,
);

const packaged = [
  'default',
  'always-200-camel-case',
  'nested-201-uuid',
  'documented-only',
  'flags-and-cursors',
].map((name) => loadProfile(name));

// In real time each takes 20 s; the others showed nothing new.
test.concurrent.for([...packaged, ...guessablePopulation.filter((_, index) => index % 3 === 0)])(
  'finds out of $name in real time what the suite agrees with',
  expectAgreement,
);
