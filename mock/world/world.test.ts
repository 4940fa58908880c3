import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openControl } from '../testing/open-control.ts';
import { openMock, profileWith } from '../testing/open-mock.ts';
import { Collection } from './collection.ts';
import { collectionNames, collectionOf } from './collections.ts';
import { demoSeed } from './demo-world.ts';
import type { InboxMessage, Job } from './entries.ts';
import { drawHex, drawUuid } from './random.ts';
import { fromSnapshot, messageKey, toSnapshot } from './snapshot.ts';
import { isReceivingUrl } from './subscription-rules.ts';
import { createSeeded } from './testing.ts';
import { parseDuration } from './time.ts';
import { createEmptyWorld } from './world.ts';

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

test('a group has the same entries as a scan, in the same order', () => {
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

test('100,000 draws differ, and UUIDs have all four variants', () => {
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

test.each([
  ['P2W', 1_209_600_000],
  ['P1DT12H', 129_600_000],
  ['PT0.25S', 250],
])('parses %s as %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test('refuses malformed durations', () => {
  const malformed = ['', ' PT1M', ...'P PT P1DT PT1 36M P1Y P1M -PT1M PT1.5M PT1.0001S pt1m'.split(' ')];
  expect(malformed.filter((text) => parseDuration(text) !== undefined)).toEqual([]);
});

const names = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '7', '-1', '1e3', '海港'),
  fc.string({ unit: 'binary' }),
);
const ids = fc.integer({ min: 1, max: 2 ** 53 - 1 });
const values = { tenantId: ids, siteId: ids, username: names, value: fc.jsonValue({ maxDepth: 2 }) };
const entry = fc.record(values);
const byName = fc.array(fc.tuple(names, entry));
const byId = fc.array(fc.tuple(ids, entry));

const worlds = fc
  .record({
    random: fc.integer(),
    jobs: fc.array(fc.record({ ...values, id: ids, at: fc.integer() })),
    entries: fc.record({
      ...{ users: byName, sessions: byName, limits: byName, sites: byId, deliveries: byId },
      inboxes: fc.array(fc.tuple(names, fc.record({ received: fc.integer() }))),
    }),
    messages: fc.array(fc.record({ ...values, id: ids, inbox: names })),
  })
  .map(({ random, jobs, entries, messages }) => {
    const world = createEmptyWorld(random, { mode: 'manual', time: 0 });
    for (const job of jobs) world.jobs.adopt(job.id, job as unknown as Job);
    for (const name of Object.keys(entries) as (keyof typeof entries)[])
      for (const [key, value] of entries[name]) collectionOf(world, name).adopt(key, value as object);
    for (const one of messages)
      if (world.inboxes.has(one.inbox))
        world.messages.adopt(messageKey(one.inbox, one.id), one as unknown as InboxMessage);
    return world;
  });

test('saves a restored world as the same bytes', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const text = JSON.stringify(toSnapshot(world));
      expect(JSON.stringify(toSnapshot(fromSnapshot(JSON.parse(text))))).toBe(text);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('restores a created world unchanged, in the same order', () => {
  const world = createSeeded(demoSeed).world;
  world.users.set('__proto__', { tenantId: 1, salt: 's', passwordDigest: 'd' });
  world.submissions.set(99, { id: 99, siteId: 101, form: 'F', fields: JSON.parse('{"__proto__":1}'), at: 0 });
  const restored = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(world))));
  expect(restored).toStrictEqual(world);
  for (const name of collectionNames) expect([...restored[name].keys()]).toEqual([...world[name].keys()]);
});

test('a snapshot and a restored world are copies', () => {
  const world = createSeeded(demoSeed).world;
  const snapshot = toSnapshot(world);
  const restored = fromSnapshot(snapshot);
  for (const { sites } of [world, restored]) sites.edit(101).version = 99;
  const task = { kind: 'end-publication', publicationId: 1, outcome: 'failed' } as const;
  world.jobs.set(1, { id: 1, at: 0, task });
  expect([snapshot.sites['101']?.version, snapshot.jobs]).toEqual([7, []]);
});

test('a snapshot omits the claims of jobs', () => {
  const world = createSeeded(demoSeed).world;
  const task = { kind: 'attempt', deliveryId: 1, cause: 'event' } as const;
  world.jobs.set(1, { id: 1, at: 0, task, held: { by: 'a', until: 1 } });
  expect(toSnapshot(world).jobs).toEqual([{ id: 1, at: 0, task }]);
});

test('restores subscriptions that are counted per site', async () => {
  const { call, subscribe, service } = openControl(profileWith({ 'subscription.id-scope': 'per-site' }));
  for (const siteID of [101, 102]) await subscribe({ siteID });
  const saved = toSnapshot(service.world);
  expect(Object.keys(saved.subscriptions)).toEqual(['101:1', '102:1']);
  expect((await call('PUT /world', saved)).status).toBe(200);
  const other = { ...saved, subscriptions: { '101:2': saved.subscriptions['101:1'] } };
  expect((await call('PUT /world', other)).body).toEqual({
    error: 'PUT /_mock/world: /subscriptions/101:2: its id is 1; both must be the same',
  });
});
