import { expect, test } from 'vitest';
import { checkWorldSeed } from '../world-file/validate-seed.ts';
import { createWorldFromSeed } from './create-world.ts';
import { demoSeed, demoSeedOf, mostDemoTenants } from './demo-world.ts';
import type { WorldSeed } from './world-seed.ts';

const create = (seed: WorldSeed) =>
  createWorldFromSeed(seed, {
    seed: 1,
    clock: { mode: 'manual', time: 0 },
    subscriptionIds: { type: 'integer', scope: 'global' },
  });
const { world, tenants } = create(demoSeed);

test('its users, sites and versions are as documented', () => {
  const shown = tenants.map(({ name, users, sites }) => ({
    name,
    users: users.map(({ username, password }) => `${username} ${password}`),
    sites: sites.map((site) => `${site.id} ${site.name} ${world.sites.get(site.id)?.version}`),
  }));
  expect(shown).toEqual([
    {
      name: 'Harbour Café',
      users: ['mei@harbour-cafe.example demo-password-mei', 'tom@harbour-cafe.example demo-password-tom'],
      sites: ['101 海港咖啡馆 7', '102 Harbour Roastery 2'],
    },
    {
      name: 'Blumen Zoë',
      users: ['zoe@blumenladen.example demo-password-zoe'],
      sites: ['201 Zoë’s Blumenladen 0'],
    },
  ]);
});

test('each tenant has one key, with a name', () => {
  for (const { apiKey } of tenants) expect(apiKey).toMatch(/^sp_[A-Za-z\d]{32}$/);
  expect([...world.apiKeys.values()].map(({ tenantId, name }) => [tenantId, name !== ''])).toEqual([
    [1, true],
    [2, true],
  ]);
});

test('it has as many tenants as are asked for, the first as ever, each with what a test needs', () => {
  expect(demoSeedOf(1).tenants).toEqual([demoSeed.tenants[0]]);
  expect(demoSeedOf(2)).toEqual(demoSeed);
  const { tenants: four } = create(demoSeedOf(4));
  expect(four.slice(0, 2)).toEqual(tenants);
  const key = expect.stringMatching(/^sp_/);
  expect(four.at(-1)).toEqual({
    id: 4,
    name: 'Tenant 4',
    users: [
      { username: 'ada@tenant-4.example', password: 'demo-password-ada' },
      { username: 'bo@tenant-4.example', password: 'demo-password-bo' },
    ],
    apiKey: key,
    apiKeys: [key],
    sites: [{ id: 401, name: 'Site of tenant 4' }],
  });
});

test('with the most tenants it is valid, and the next site has a number of its own', () => {
  const seed = demoSeedOf(mostDemoTenants);
  expect(checkWorldSeed(seed, 'demo')).toEqual(seed);
  const { world: large } = create(seed);
  expect([large.tenants.size, large.counters.site]).toEqual([1000, 100_001]);
});

test('nothing is subscribed at the start', () => {
  expect([world.subscriptions.size, world.deliveries.size, world.jobs.size]).toEqual([0, 0, 0]);
});

test('every site has a draft, and only a published one has published contents', () => {
  for (const { id, version } of world.sites.values()) {
    const contents = [...world.contents.values()].filter(({ siteId }) => siteId === id);
    expect(contents.some(({ state }) => state === 'draft')).toBe(true);
    expect(contents.some(({ state }) => state === 'published')).toBe(version > 0);
  }
});
