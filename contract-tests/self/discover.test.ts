// What a discovery finds out of deployments whose profile is known equals that profile.
import { describe, expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
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

const defaults = loadProfile('default');
const camelCase = loadProfile('always-200-camel-case');

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
  await discoverMock({ spoken: defaults, knows: 'nothing', controls: false, tamper });
  expect(addresses.size).toBeGreaterThan(5);
  expect([...addresses].filter((url) => !/\/sitepub\/[0-9a-f]{8}\//.test(String(url)))).toEqual([]);
});

test.concurrent('creates nothing where it may not', async () => {
  const { missed, leftovers, profile } = await discoverMock({
    spoken: defaults,
    knows: 'paths',
    controls: false,
    options: { mayCreate: async () => false },
    afterwards: async (mock) => {
      expect(mock.control.requests({ operation: 'createSubscription' }).total).toBe(0);
    },
  });
  expect(leftovers).toEqual([]);
  expect(missed).toContain('subscription.request.url');
  expect(profile).toMatch(/# subscription.request.url: url {2}# not found out: .*--create/);
});

test.concurrent('keeps secrets out of the profile', async () => {
  const { profile } = await discoverMock({ spoken: camelCase, knows: 'paths', controls: true });
  expect(profile).not.toMatch(/demo-password|st_[0-9a-f]{8}|sp_\w{8}|s3cr3t/);
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
  test('takes away what it created, and lists what it can’t', async () => {
    const all = await discoverMock({ spoken: defaults, knows: 'paths', controls: true });
    const none = await discoverMock({
      spoken: loadProfile('documented-only'),
      knows: 'paths',
      controls: true,
    });
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
});
