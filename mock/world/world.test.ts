import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openMock, subscriptionRequest } from '../testing/open-mock.ts';
import { Collection } from './collection.ts';
import { drawHex, drawText, drawUuid } from './random.ts';
import { toSnapshot } from './snapshot.ts';
import {
  isReceivingUrl,
  newSubscriptionId,
  type SubscriptionIds,
  subscriptionKey,
} from './subscription-rules.ts';
import { createEmptyWorld, type World } from './world.ts';

/** Makes calls of every kind, with pushes, a retry and a new minute of the limits. */
async function runCalls() {
  const { perform, mei, harbourKey, service } = openMock();
  const { values } = await perform('login', { ...mei });
  await perform('refresh', {}, String(values.token));
  const site = (await perform('createSite', { name: 'x' }, harbourKey)).values.id;
  const target = { siteID: site, url: 'http://127.0.0.1:1/', secret: 's', events: ['publish.complete'] };
  const id = (await perform('createSubscription', subscriptionRequest(target), harbourKey)).values.id;
  await perform('testSubscription', { siteID: site, id }, harbourKey);
  await perform('publishSite', { siteID: site, note: 'first' }, harbourKey);
  await perform('createKey', { name: 'x' }, harbourKey);
  await service.scheduler.advance(service.clock.now() + 61_000);
  const last = await perform('submitForm', { siteID: 101, form: 'contact', fields: { a: 1 } });
  await service.scheduler.settle();
  service.dispatcher.close();
  return { world: JSON.stringify(toSnapshot(service.world)), harbourKey, trace: last.envelope.trace_id };
}

test('the same seed and the same calls give the same world, byte for byte', async () => {
  const [one, other] = [await runCalls(), await runCalls()];
  expect(one).toEqual(other);
  expect(JSON.parse(one.world).deliveries['2'].attempts).toHaveLength(2);
});

test('a snapshot contains no password, key or token', async () => {
  const { perform, mei, harbourKey, service } = openMock();
  const token = String((await perform('login', { ...mei })).values.token);
  const key = String((await perform('createKey', { name: 'x' }, harbourKey)).values.key);
  const text = JSON.stringify(toSnapshot(service.world));
  for (const secret of [mei.password, harbourKey, token, key]) expect(text).not.toContain(secret);
});

const step = fc.record({
  kind: fc.constantFrom(...['set', 'set', 'set', 'set', 'set', 'set', 'delete', 'delete', 'delete', 'clear']),
  key: fc.integer({ min: 1, max: 6 }),
  siteId: fc.integer({ min: 1, max: 3 }),
  name: fc.string(),
});

test('has of each group what a look through all entries finds, in the same order', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const entries = new Collection<number, { siteId: number }, number>({ group: (entry) => entry.siteId });
      for (const one of steps) {
        if (one.kind === 'set') entries.set(one.key, one);
        else if (one.kind === 'delete') entries.delete(one.key);
        else entries.clear();
        for (const site of [1, 2, 3])
          expect([...entries.of(site)]).toEqual([...entries].filter(([, entry]) => entry.siteId === site));
      }
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('the same state draws the same values, another state draws others', () => {
  const draw = (random: number) => [drawHex({ random }, 32), drawText({ random }, 32), drawUuid({ random })];
  expect(draw(1)).toEqual(draw(1));
  expect(new Set([...draw(1), ...draw(2), ...draw(-1)]).size).toBe(9);
});

test.each([1, 16, 33])('draws exactly %i digits or characters', (length) => {
  expect(drawHex({ random: 5 }, length)).toMatch(new RegExp(`^[0-9a-f]{${length}}$`));
  expect(drawText({ random: 5 }, length)).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
});

test('100,000 draws differ, and so do UUIDs of all four variants', () => {
  const source = { random: 1 };
  expect(new Set(Array.from({ length: 100_000 }, () => drawHex(source, 16))).size).toBe(100_000);
  const variants = new Set(Array.from({ length: 100 }, () => drawUuid(source).charAt(19)));
  expect([...variants].sort()).toEqual(['8', '9', 'a', 'b']);
});

test('a receiving URL has a scheme and a host', () => {
  const named = ['https://hooks.example/x?key=1', 'HTTP://127.0.0.1:9000', 'https://海港.example/'];
  const taken = [...named, 'http://[::1]/'];
  const noHost = ['http:///x', 'http:x', 'http://', 'http://?x', ''];
  const refused = [...noHost, 'http://x:99999/', 'ftp://x.example/', '//x.example/', ' https://x.example/'];
  expect(taken.filter(isReceivingUrl)).toEqual(taken);
  expect(refused.filter(isReceivingUrl)).toEqual([]);
});

const siteIn = ({ sites }: World, id: number) =>
  sites.set(id, { id, tenantId: 1, name: 'S', version: 0, lastVersion: 0, createdAt: 0 }).edit(id);
const emptyWorld = () => createEmptyWorld(1, { mode: 'manual', time: 0 });

test.for<[SubscriptionIds['type'], RegExp]>([
  ['integer', /^2$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
  ['string', /^wh_[A-Za-z\d]{10}$/],
])('%s: the second id differs, in the same form', ([type, kind]) => {
  const world = emptyWorld();
  const ids: SubscriptionIds = { type, scope: 'global' };
  const [first, second] = [101, 102].map((id) => newSubscriptionId(world, siteIn(world, id), ids));
  expect(second).not.toBe(first);
  expect(String(second)).toMatch(kind);
  expect(world.counters.subscription).toBe(2);
});

test('integers can be counted per site, and are told apart in the world by their site', () => {
  const world = emptyWorld();
  const ids: SubscriptionIds = { type: 'integer', scope: 'per-site' };
  const [one, other] = [siteIn(world, 101), siteIn(world, 102)];
  const given = [one, one, other].map((site) => newSubscriptionId(world, site, ids));
  expect(given).toEqual([1, 2, 1]);
  expect([101, 102].map((siteId) => subscriptionKey({ siteId, id: 1 }, ids))).toEqual(['101:1', '102:1']);
  // Others are unlike one another anyway.
  expect(subscriptionKey({ siteId: 101, id: 'a-b' }, { ...ids, type: 'uuid' })).toBe('a-b');
});
