import { expect, test } from 'vitest';
import { checkWorldSeed } from '../world-file/validate-seed.ts';
import { demoSeed, demoSeedOf, mostDemoTenants } from './demo-world.ts';
import { digest, isPasswordOf } from './digests.ts';
import { createSeeded, emptyWorld } from './testing.ts';
import type { SiteSeed } from './world-seed.ts';

const now = Date.parse('2026-01-02T03:04:05.000Z');
const clock = { mode: 'manual', time: now } as const;

function createWithSites(...sites: readonly SiteSeed[]) {
  return createSeeded({ tenants: [{ name: 'A', sites }] }, { clock }).world;
}

test('creates a tenant with its users, keys and sites', () => {
  const users = [{ username: '__proto__', password: 'p' }];
  const api_keys = [{ name: 'CI', key: 'sp_given' }, {}];
  const sites = [{ name: 'S', version: 3 }, { name: 'T' }];
  const seed = { tenants: [{ name: 'A' }, { name: 'B', users, api_keys, sites }] };
  const { world, tenants } = createSeeded(seed, { clock });
  expect(tenants).toMatchObject([
    { id: 1, name: 'A', users: [], apiKey: undefined, apiKeys: [], sites: [] },
    { id: 2, users, apiKey: 'sp_given', apiKeys: ['sp_given', 'sp_HHJMkq2hCqpCu02ytOHhp3ro8YOKEyau'] },
  ]);
  expect(tenants[1]?.sites.map(({ id, name }) => `${id} ${name}`)).toEqual(['1 S', '2 T']);
  expect([...world.tenants.values()]).toMatchObject([{ name: 'A' }, { id: 2, name: 'B' }]);
  expect(isPasswordOf(world.users.get('__proto__'), 'p')).toBe(true);
  expect(world.users.get('__proto__')?.tenantId).toBe(2);
  const key = { id: 1, tenantId: 2, username: '__proto__', name: 'CI', createdAt: now };
  expect(world.apiKeys.get(digest('sp_given'))).toEqual(key);
  expect([...world.apiKeys.values()][1]).toMatchObject({ id: 2, name: '' });
  expect([...world.sites.values()]).toMatchObject([
    { tenantId: 2, name: 'S', version: 3, lastVersion: 3, createdAt: now },
    { tenantId: 2, name: 'T', version: 0, lastVersion: 0, createdAt: now },
  ]);
});

test('creates a site with its contents, submissions, comments and subscriptions', () => {
  const events = ['form.submit', 'form.submit'] as const;
  const first = { url: 'http://a.example', events, channel: 'wecom' } as const;
  const second = { url: 'http://b.example', events: [], channel: 'custom', secret: 's' } as const;
  const world = createWithSites({
    name: 'S',
    contents: [{ title: 'C', text: 'x', published: true }, { title: 'D' }],
    submissions: [{ form: 'F', fields: { a: [1] } }, { form: 'G' }],
    comments: [{ author: 'B', text: 'y' }],
    subscriptions: [first, second],
  });
  const ofSite = { siteId: 1 };
  expect([...world.contents.values()]).toEqual([
    { id: 1, ...ofSite, title: 'C', text: 'x', state: 'published', updatedAt: now },
    { id: 2, ...ofSite, title: 'D', text: '', state: 'draft', updatedAt: now },
  ]);
  expect([...world.submissions.values()]).toEqual([
    { id: 1, ...ofSite, form: 'F', fields: { a: [1] }, at: now },
    { id: 2, ...ofSite, form: 'G', fields: {}, at: now },
  ]);
  expect([...world.comments.values()]).toEqual([{ id: 1, ...ofSite, author: 'B', text: 'y', at: now }]);
  expect([...world.subscriptions]).toStrictEqual([
    ['1', { id: 1, ...ofSite, createdAt: now, ...first, events: ['form.submit'] }],
    ['2', { id: 2, ...ofSite, createdAt: now, ...second }],
  ]);
});

test('assigns ids above the highest of the seed, in any order of the entries', () => {
  const form = 'F';
  const comment = { author: 'B', text: 'x' };
  const world = createWithSites(
    { name: 'S', submissions: [{ form }], comments: [comment], contents: [{ title: 'C' }] },
    { id: 102, name: 'T', contents: ['D', 'E'].map((title, index) => ({ id: 9 - 5 * index, title })) },
    { id: 101, name: 'U', submissions: [{ id: 5, form }], comments: [{ id: 1, ...comment }] },
  );
  expect([...world.sites.values()].map(({ name }) => name)).toEqual(['U', 'T', 'S']);
  const { sites, contents, submissions, comments } = world;
  expect([sites, contents, submissions, comments].map((entries) => [...entries.keys()])).toEqual([
    [101, 102, 103],
    [4, 9, 10],
    [5, 6],
    [1, 2],
  ]);
  const assigned = { tenant: 1, site: 1000, content: 10, submission: 6, comment: 2 };
  expect(world.counters).toEqual({ ...emptyWorld().counters, ...assigned });
});

test('changes of a world affect neither the seed nor later worlds', () => {
  const fields = { a: { b: 1 } };
  const site = { name: 'S', submissions: [{ form: 'F', fields }] };
  const world = createWithSites(site);
  Object.assign(world.submissions.get(1)?.fields.a ?? {}, { b: 2 });
  Object.assign(world.clock, { time: 0 });
  expect([fields, clock.time]).toEqual([{ a: { b: 1 } }, now]);
  expect(createWithSites(site).submissions.get(1)?.fields).toEqual({ a: { b: 1 } });
});

test('creates 10,000 tenants within a second', () => {
  const tenants = Array.from({ length: 10_000 }, (_, index) => ({
    name: `Tenant ${index}`,
    users: [{ username: `user-${index}`, password: 'p' }],
    api_keys: [{}],
    sites: [{ name: 'S', contents: [{ title: 'C' }] }],
  }));
  // Processor time, since other processes may be running.
  const start = process.threadCpuUsage();
  expect(createSeeded({ tenants }).world.sites.size).toBe(10_000);
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(1000);
});

const { world, tenants } = createSeeded(demoSeed);

test('the demo world has the documented users, sites and versions', () => {
  const shown = tenants.map(({ name, users, sites }) => [
    name,
    ...users.map(({ username, password }) => `${username} ${password}`),
    ...sites.map((site) => `${site.id} ${site.name} ${world.sites.get(site.id)?.version}`),
  ]);
  expect(shown).toEqual([
    [
      ...['Harbour Café', 'mei@harbour-cafe.example demo-password-mei'],
      ...['tom@harbour-cafe.example demo-password-tom', '101 海港咖啡馆 7', '102 Harbour Roastery 2'],
    ],
    ['Blumen Zoë', 'zoe@blumenladen.example demo-password-zoe', '201 Zoë’s Blumenladen 0'],
  ]);
});

test('the demo world has the requested number of tenants', () => {
  expect(demoSeedOf(1).tenants).toEqual([demoSeed.tenants[0]]);
  expect(demoSeedOf(2)).toEqual(demoSeed);
  const { tenants: four } = createSeeded(demoSeedOf(4));
  expect(four.slice(0, 2)).toEqual(tenants);
  expect(four.at(-1)).toMatchObject({
    ...{ id: 4, name: 'Tenant 4', apiKey: expect.stringMatching(/^sp_/) },
    users: ['ada', 'bo'].map((name) => ({
      username: `${name}@tenant-4.example`,
      password: `demo-password-${name}`,
    })),
    sites: [{ id: 401, name: 'Site of tenant 4' }],
  });
});

test('the largest demo world is valid', () => {
  const seed = demoSeedOf(mostDemoTenants);
  expect(checkWorldSeed(seed, 'demo')).toEqual(seed);
  const { world: large } = createSeeded(seed);
  expect([large.tenants.size, large.counters.site]).toEqual([1000, 100_001]);
});

test('every demo site has a draft, and only published sites have published contents', () => {
  for (const { id, version } of world.sites.values()) {
    const contents = [...world.contents.values()].filter(({ siteId }) => siteId === id);
    expect(contents.some(({ state }) => state === 'draft')).toBe(true);
    expect(contents.some(({ state }) => state === 'published')).toBe(version > 0);
  }
});
