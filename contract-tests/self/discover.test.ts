// What a discovery finds out of deployments whose profile is known equals that profile.
import { describe, expect, test } from 'vitest';
import { discoverMock } from './discover-mock.ts';
import {
  expectAgreement,
  expectPackaged,
  expectUnaided,
  expectWholeProfile,
  guessablePopulation,
  packagedProfiles,
} from './population/discoveries.ts';
import { jsonOf } from './tampering.ts';
import type { Tamper } from './tampering-proxy.ts';

// Concurrent, since they mostly wait.

test.concurrent.for(packagedProfiles.slice(0, 1))(
  'finds out the whole profile $name, with which the suite agrees',
  expectPackaged,
);

test.concurrent('asks for pushes only to addresses that bear its identifier', async () => {
  const addresses = new Set<unknown>();
  const tamper: Tamper = (message, forward) => {
    const { url } = jsonOf(message.body);
    if (message.path.endsWith('/webhooks') && url !== undefined) addresses.add(url);
    return forward(message);
  };
  await discoverMock({ tamper });
  expect(addresses.size).toBeGreaterThan(5);
  expect([...addresses].filter((url) => !/\/sitepub\/[0-9a-f]{8}\//.test(String(url)))).toEqual([]);
});

test.concurrent('creates nothing where it may not', async () => {
  const { missed, leftovers, profile } = await discoverMock({
    knows: 'paths',
    options: { mayCreate: async () => false },
    afterwards: async (mock) => {
      expect(mock.control.requests({ operation: 'createSubscription' }).total).toBe(0);
    },
  });
  expect(leftovers).toEqual([]);
  expect(missed).toContain('subscription.request.url');
  expect(profile).toMatch(/# subscription.request.url: url {2}# not found: .*--create/);
});

test.for(packagedProfiles.slice(1))(
  'finds out the whole profile $name, with which the suite agrees',
  { tags: ['ci'] },
  expectPackaged,
);

describe('of the population', { tags: ['nightly'] }, () => {
  test('there are many', () => {
    expect(guessablePopulation.length).toBeGreaterThanOrEqual(25);
  });

  test.for(guessablePopulation)(
    'finds out the whole profile $name, with which the suite agrees',
    async (spoken) => void (await expectWholeProfile(spoken)),
  );

  // Concurrent, since they mostly wait.
  test.concurrent.for([
    ...packagedProfiles.filter(({ name }) => name === 'documented-only'),
    ...guessablePopulation,
  ])(
    'finds out of $name alone what needs neither paths nor a clock, with which the suite agrees',
    expectUnaided,
  );

  // In real time each takes 20 s; the others showed nothing new.
  test.concurrent.for([...packagedProfiles, ...guessablePopulation.filter((_, index) => index % 3 === 0)])(
    'finds out of $name in real time what the suite agrees with',
    expectAgreement,
  );
});

describe('of one deployment', { tags: ['ci'] }, () => {
  test('keeps what is given, and says where something else was seen', async () => {
    const given = { 'hook-test.status': 204, 'webhook.body-style': 'spaced' };
    const { profile } = await discoverMock({ options: { given } });
    expect(profile).toContain('hook-test.status: 204  # given; observed: 200');
    expect(profile).toContain('webhook.body-style: spaced  # given\n');
  });
});
