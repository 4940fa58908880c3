// Discovers deployments with known profiles.
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

// Concurrent, because these tests mostly wait.

test.concurrent.for(packagedProfiles.slice(0, 1))(
  'finds the whole profile $name, and the suite confirms it',
  expectPackaged,
);

test.concurrent('subscribes only URLs that contain its run id', async () => {
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

test.concurrent('creates nothing without permission', async () => {
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
  'finds the whole profile $name, and the suite confirms it',
  { tags: ['ci'] },
  expectPackaged,
);

describe('of the population', { tags: ['nightly'] }, () => {
  test.for(guessablePopulation)(
    'finds the whole profile $name, and the suite confirms it',
    async (spoken) => void (await expectWholeProfile(spoken)),
  );

  // Concurrent, because these tests mostly wait.
  test.concurrent.for([
    ...packagedProfiles.filter(({ name }) => name === 'documented-only'),
    ...guessablePopulation,
  ])(
    'finds the part of $name that needs neither paths nor a clock, and the suite confirms it',
    expectUnaided,
  );

  // A third is enough, because each takes 20 s of real time.
  test.concurrent.for([...packagedProfiles, ...guessablePopulation.filter((_, index) => index % 3 === 0)])(
    'finds a profile of $name in real time that the suite confirms',
    expectAgreement,
  );
});

describe('of one deployment', { tags: ['ci'] }, () => {
  test('does not replace given values, and notes different observations', async () => {
    const given = { 'hook-test.status': 204, 'webhook.body-style': 'spaced' };
    const { profile } = await discoverMock({ options: { given } });
    expect(profile).toContain('hook-test.status: 204  # given; observed: 200');
    expect(profile).toContain('webhook.body-style: spaced  # given\n');
  });
});
