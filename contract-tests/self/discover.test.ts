// What a discovery finds out of deployments whose profile is known equals that profile.
import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { discoverMock } from './discover-mock.ts';
import { expectPackaged, packagedProfiles } from './population/discoveries.ts';
import { jsonOf } from './tampering.ts';
import type { Tamper } from './tampering-proxy.ts';

const defaults = loadProfile('default');
const camelCase = loadProfile('always-200-camel-case');

// Concurrent, since they mostly wait. The other packaged profiles, the population, and what takes longer, are in discover.slow.test.ts and discover-names.slow.test.ts.

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
  expect(addresses.size).toBeGreaterThan(10);
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
