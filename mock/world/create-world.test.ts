import { expect, test } from 'vitest';
import { createWorldFromSeed, type SeedOptions } from './create-world.ts';
import { demoSeed } from './demo-world.ts';
import { digest, isPasswordOf } from './digests.ts';
import { createEmptyWorld } from './world.ts';
import type { SiteSeed, TenantSeed } from './world-seed.ts';

const now = Date.parse('2026-01-02T03:04:05.000Z');

function createWith(tenants: readonly TenantSeed[], options: Partial<SeedOptions> = {}) {
  const clock = { mode: 'manual', time: now } as const;
  return createWorldFromSeed(
    { tenants },
    { seed: 1, clock, subscriptionIds: { type: 'integer', scope: 'global' }, ...options },
  );
}

function createWithSites(...sites: readonly SiteSeed[]) {
  return createWith([{ name: 'A', sites }]).world;
}

test('a tenant has its users, keys and sites', () => {
  const { world, tenants } = createWith([
    { name: 'A' },
    {
      name: 'B',
      users: [{ username: '__proto__', password: 'p' }],
      api_keys: [{ name: 'CI', key: 'sp_given' }, {}],
      sites: [{ name: 'S', version: 3 }, { name: 'T' }],
    },
  ]);
  expect(tenants).toEqual([
    { id: 1, name: 'A', users: [], apiKey: undefined, apiKeys: [], sites: [] },
    {
      id: 2,
      name: 'B',
      users: [{ username: '__proto__', password: 'p' }],
      apiKey: 'sp_given',
      apiKeys: ['sp_given', 'sp_HHJMkq2hCqpCu02ytOHhp3ro8YOKEyau'],
      sites: [
        { id: 1, name: 'S' },
        { id: 2, name: 'T' },
      ],
    },
  ]);
  expect([...world.tenants.values()]).toMatchObject([{ name: 'A' }, { id: 2, name: 'B' }]);
  expect(isPasswordOf(world.users.get('__proto__'), 'p')).toBe(true);
  expect(world.users.get('__proto__')?.tenantId).toBe(2);
  expect(world.apiKeys.get(digest('sp_given'))).toEqual({
    id: 1,
    tenantId: 2,
    username: '__proto__',
    name: 'CI',
    createdAt: now,
  });
  expect([...world.apiKeys.values()][1]).toMatchObject({ id: 2, name: '' });
  expect([...world.sites.values()]).toEqual([
    { id: 1, tenantId: 2, name: 'S', version: 3, lastVersion: 3, createdAt: now },
    { id: 2, tenantId: 2, name: 'T', version: 0, lastVersion: 0, createdAt: now },
  ]);
});

test('a site has its contents, submissions, comments and subscriptions', () => {
  const first = {
    url: 'http://a.example',
    events: ['form.submit', 'form.submit'],
    channel: 'wecom',
  } as const;
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

test('assigned ids follow the highest of the seed, in whatever order the entries are', () => {
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
  const none = createEmptyWorld(1, { mode: 'manual', time: 0 }).counters;
  const assigned = { tenant: 1, site: 1000, content: 10, submission: 6, comment: 2 };
  expect(world.counters).toEqual({ ...none, ...assigned });
});

test('sites that follow those of the seed begin at 1001', () => {
  const lastOf = (id: number) => createWithSites({ id, name: 'S' }).counters.site;
  expect([1, 1000, 1001].map(lastOf)).toEqual([1000, 1000, 1001]);
});

test('the same seed gives the same world and keys, another seed other ones', () => {
  const create = (seed: number) => createWith([...demoSeed.tenants], { seed });
  const [one, other] = [create(1), create(2)];
  expect(create(1)).toEqual(one);
  expect(other.tenants[0]?.apiKey).not.toBe(one.tenants[0]?.apiKey);
  expect([...other.world.users.values()]).not.toEqual([...one.world.users.values()]);
});

test('changes of a world affect neither the seed nor a world created later', () => {
  const fields = { a: { b: 1 } };
  const clock = { mode: 'manual' as const, time: now };
  const seed = [{ name: 'A', sites: [{ name: 'S', submissions: [{ form: 'F', fields }] }] }];
  const { world } = createWith(seed, { clock });
  Object.assign(world.submissions.get(1)?.fields.a ?? {}, { b: 2 });
  Object.assign(world.clock, { time: 0 });
  expect([fields, clock.time]).toEqual([{ a: { b: 1 } }, now]);
  expect(createWith(seed, { clock }).world.submissions.get(1)?.fields).toEqual({ a: { b: 1 } });
});

test('ten thousand tenants are created within a second', () => {
  const tenants = Array.from({ length: 10_000 }, (_, index) => ({
    name: `Tenant ${index}`,
    users: [{ username: `user-${index}`, password: 'p' }],
    api_keys: [{}],
    sites: [{ name: 'S', contents: [{ title: 'C' }] }],
  }));
  // Processor time, so that other work on the machine does not count.
  const start = process.threadCpuUsage();
  expect(createWith(tenants).world.sites.size).toBe(10_000);
  const { user, system } = process.threadCpuUsage(start);
  expect((user + system) / 1000).toBeLessThan(1000);
});
