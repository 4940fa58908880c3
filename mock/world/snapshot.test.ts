import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openControl } from '../testing/open-control.ts';
import { profileWith } from '../testing/open-mock.ts';
import { collectionNames, collectionOf } from './collections.ts';
import { createWorldFromSeed } from './create-world.ts';
import { demoSeed } from './demo-world.ts';
import type { InboxMessage, Job } from './entries.ts';
import { fromSnapshot, messageKey, toSnapshot } from './snapshot.ts';
import { createEmptyWorld, type World } from './world.ts';

const clock = { mode: 'manual', time: 0 } as const;

function createDemo(): World {
  return createWorldFromSeed(demoSeed, {
    seed: 1,
    clock,
    subscriptionIds: { type: 'integer', scope: 'global' },
  }).world;
}

const names = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '7', '-1', '1e3', '海港'),
  fc.string({ unit: 'binary' }),
);
const ids = fc.integer({ min: 1, max: 2 ** 53 - 1 });
const entry = fc.jsonValue({ maxDepth: 2 });
const byName = fc.array(fc.tuple(names, entry));
/** Of a tenant and a site: they are found by these as well. */
const owned = fc.record({ tenantId: ids, siteId: ids, value: entry });
const byId = fc.array(fc.tuple(ids, owned));
const inbox = fc.record({ received: fc.integer() });
const message = fc.record({ inbox: names, id: ids, value: entry });

/** Worlds with arbitrary entries: their meaning does not matter here. */
const worlds = fc
  .record({
    random: fc.integer(),
    jobs: fc.array(fc.record({ id: ids, at: fc.integer(), value: entry })),
    entries: fc.record({
      users: byName,
      sessions: fc.array(fc.tuple(names, fc.record({ username: names, value: entry }))),
      sites: byId,
      deliveries: byId,
      limits: byName,
      inboxes: fc.array(fc.tuple(names, inbox)),
    }),
    messages: fc.array(message),
  })
  .map(({ random, jobs, entries, messages }) => {
    const world = createEmptyWorld(random, clock);
    for (const job of jobs) world.jobs.adopt(job.id, job as unknown as Job);
    for (const name of Object.keys(entries) as (keyof typeof entries)[])
      for (const [key, value] of entries[name]) collectionOf(world, name).adopt(key, value as object);
    for (const one of messages)
      if (world.inboxes.has(one.inbox))
        world.messages.adopt(messageKey(one.inbox, one.id), one as unknown as InboxMessage);
    return world;
  });

test('a restored world is saved as the same bytes', () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const text = JSON.stringify(toSnapshot(world));
      expect(JSON.stringify(toSnapshot(fromSnapshot(JSON.parse(text))))).toBe(text);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('a created world is restored unchanged, in the same order', () => {
  const world = createDemo();
  world.users.set('__proto__', { tenantId: 1, salt: 's', passwordDigest: 'd' });
  world.submissions.set(99, { id: 99, siteId: 101, form: 'F', fields: JSON.parse('{"__proto__":1}'), at: 0 });
  const restored = fromSnapshot(JSON.parse(JSON.stringify(toSnapshot(world))));
  expect(restored).toStrictEqual(world);
  for (const name of collectionNames) expect([...restored[name].keys()]).toEqual([...world[name].keys()]);
});

test('neither a snapshot nor a world restored from it changes with the saved world', () => {
  const world = createDemo();
  const snapshot = toSnapshot(world);
  const restored = fromSnapshot(snapshot);
  for (const { sites } of [world, restored]) sites.edit(101).version = 99;
  const task = { kind: 'end-publication', publicationId: 1, outcome: 'failed' } as const;
  world.jobs.set(1, { id: 1, at: 0, task });
  expect([snapshot.sites['101']?.version, snapshot.jobs]).toEqual([7, []]);
});

test('a snapshot does not say who works on a job', () => {
  const world = createDemo();
  const task = { kind: 'attempt', deliveryId: 1, cause: 'event' } as const;
  world.jobs.set(1, { id: 1, at: 0, task, held: { by: 'a', until: 1 } });
  expect(toSnapshot(world).jobs).toEqual([{ id: 1, at: 0, task }]);
});

test('subscriptions that are counted per site can be put back', async () => {
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
