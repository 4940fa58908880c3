import { expect, test } from 'vitest';
import { checkWorldSeed } from '../world-file/validate-seed.ts';
import { createWorldFromSeed } from './create-world.ts';
import { demoSeed } from './demo-world.ts';

const clock = { mode: 'manual', time: 0 } as const;
const { world, tenants } = createWorldFromSeed(demoSeed, {
  seed: 1,
  clock,
  subscriptionIds: { type: 'integer', scope: 'global' },
});

test('the demo world is valid as a world file', () => {
  expect(checkWorldSeed(demoSeed, 'demo')).toEqual(demoSeed);
});

test('its users, sites and versions are as documented', () => {
  expect(tenants.map(({ apiKey, apiKeys, ...rest }) => rest)).toEqual([
    {
      id: 1,
      name: 'Harbour Café',
      users: [
        { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' },
        { username: 'tom@harbour-cafe.example', password: 'demo-password-tom' },
      ],
      sites: [
        { id: 101, name: '海港咖啡馆' },
        { id: 102, name: 'Harbour Roastery' },
      ],
    },
    {
      id: 2,
      name: 'Blumen Zoë',
      users: [{ username: 'zoe@blumenladen.example', password: 'demo-password-zoe' }],
      sites: [{ id: 201, name: 'Zoë’s Blumenladen' }],
    },
  ]);
  expect([...world.sites.values()].map(({ id, version }) => [id, version])).toEqual([
    [101, 7],
    [102, 2],
    [201, 0],
  ]);
});

test('each tenant has one key, with a name', () => {
  for (const { apiKey } of tenants) expect(apiKey).toMatch(/^sp_[A-Za-z\d]{32}$/);
  expect([...world.apiKeys.values()].map(({ tenantId, name }) => [tenantId, name !== ''])).toEqual([
    [1, true],
    [2, true],
  ]);
});

test('nothing is subscribed at the start', () => {
  expect([world.subscriptions.size, world.deliveries.size, world.jobs]).toEqual([0, 0, []]);
});

test('every site has a draft, and only a published one has published contents', () => {
  for (const { id, version } of world.sites.values()) {
    const contents = [...world.contents.values()].filter(({ siteId }) => siteId === id);
    expect(contents.some(({ state }) => state === 'draft')).toBe(true);
    expect(contents.some(({ state }) => state === 'published')).toBe(version > 0);
  }
});
