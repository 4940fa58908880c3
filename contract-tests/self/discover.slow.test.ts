// Discoveries of the population that `npm test` leaves out.
import { expect, test } from 'vitest';
import { expectUnaided, expectWholeProfile, guessablePopulation } from './population/discoveries.ts';

test('there are many', () => {
  expect(guessablePopulation.length).toBeGreaterThanOrEqual(25);
});

test.for(guessablePopulation.slice(5))(
  'finds out the whole profile $name, with which the suite agrees',
  async (spoken) => void (await expectWholeProfile(spoken)),
);

test.for(guessablePopulation.slice(2, 6))(
  'finds out of $name alone what needs neither paths nor a clock',
  expectUnaided,
);
