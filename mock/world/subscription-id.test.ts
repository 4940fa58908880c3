import { expect, test } from 'vitest';
import { newSubscriptionId, type SubscriptionIds, subscriptionKey } from './subscription-id.ts';
import { createEmptyWorld, type Site } from './world.ts';

const siteOf = (id: number): Site => ({
  id,
  tenantId: 1,
  name: 'S',
  version: 0,
  lastVersion: 0,
  createdAt: 0,
});
const emptyWorld = () => createEmptyWorld(1, { mode: 'manual', time: 0 });

test.for<[SubscriptionIds['type'], RegExp]>([
  ['integer', /^2$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
  ['string', /^wh_[A-Za-z\d]{10}$/],
])('%s: the second id differs, in the same form', ([type, kind]) => {
  const world = emptyWorld();
  const ids: SubscriptionIds = { type, scope: 'global' };
  const [first, second] = [101, 102].map((id) => newSubscriptionId(world, siteOf(id), ids));
  expect(second).not.toBe(first);
  expect(String(second)).toMatch(kind);
  expect(world.counters.subscription).toBe(2);
});

test('integers can be counted per site, and are told apart in the world by their site', () => {
  const world = emptyWorld();
  const ids: SubscriptionIds = { type: 'integer', scope: 'per-site' };
  const [one, other] = [siteOf(101), siteOf(102)];
  const given = [one, one, other].map((site) => newSubscriptionId(world, site, ids));
  expect(given).toEqual([1, 2, 1]);
  expect([101, 102].map((siteId) => subscriptionKey({ siteId, id: 1 }, ids))).toEqual(['101:1', '102:1']);
});

test('other ids are unlike one another on all sites anyway', () => {
  const uuids: SubscriptionIds = { type: 'uuid', scope: 'per-site' };
  expect(subscriptionKey({ siteId: 101, id: 'a-b' }, uuids)).toBe('a-b');
});
