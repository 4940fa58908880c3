import { expect, test } from 'vitest';
import { newSubscriptionId, type SubscriptionIdType } from './subscription-id.ts';
import { createEmptyWorld } from './world.ts';

test.for<[SubscriptionIdType, RegExp]>([
  ['integer', /^2$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
  ['string', /^wh_[A-Za-z\d]{10}$/],
])('%s: the second id differs, in the same form', ([type, kind]) => {
  const world = createEmptyWorld(1, { mode: 'manual', time: 0 });
  const [first, second] = [newSubscriptionId(world, type), newSubscriptionId(world, type)];
  expect(second).not.toBe(first);
  expect(String(second)).toMatch(kind);
  expect(world.counters.subscription).toBe(2);
});
