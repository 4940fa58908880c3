import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { scheduleJob } from '../clock/jobs.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { pathOfTest, persistWith, watchEngine } from '../testing/test-store.ts';
import { clockOf } from '../world/time.ts';
import { createEmptyWorld, type World } from '../world/world.ts';
import type { Engine } from './engine.ts';
import { readKey, type StoredRows, toWorld, writeKey } from './rows.ts';
import { createSharedAgenda, measureAhead } from './shared/agenda.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { StoreError } from './store-error.ts';
import { createTurnLoop, type Participant } from './turn-loop.ts';

const time = 1_767_225_600_000;

/** A stored world whose file can fail on demand. */
async function open() {
  const sqlite = openSqlite(pathOfTest());
  onTestFinished(sqlite.close);
  const state = { writes: 0, failsToWrite: false, failsToLoad: false };
  const watched = watchEngine(sqlite, ({ batch }) => {
    if (batch && state.failsToWrite) throw new StoreError('store here can not be written');
    if (batch) state.writes++;
  });
  const engine: Engine = {
    ...watched,
    name: 'test',
    place: 'here',
    load(worldId) {
      if (state.failsToLoad) throw new StoreError('store here can not be read');
      return sqlite.load(worldId);
    },
  };
  const logged: string[] = [];
  const world = createEmptyWorld(1, { mode: 'manual', time });
  const { store } = persistWith(engine, world, (line) => void logged.push(line));
  await store.turn(() => {});
  state.writes = 0;
  const stored = async () => toWorld((await sqlite.load(1)) as StoredRows);
  return { store, world, state, logged, stored };
}

function addUser(world: World, name: string, tenantId = 1): number {
  world.users.set(name, { tenantId, salt: '', passwordDigest: '' });
  return world.users.size;
}

test('persists up to 256 waiting calls together, and writes nothing without changes', async () => {
  const { store, world, state } = await open();
  await Promise.all(
    Array.from({ length: 257 }, (_, index) => store.turn(() => addUser(world, `user-${index}`))),
  );
  expect(state.writes).toBe(2);
  await store.turn(() => world.users.get('ada'));
  expect(state.writes).toBe(2);
});

test('a call that throws rejects, and its changes are persisted', async () => {
  const { store, world, stored } = await open();
  const call = store.turn(() => {
    addUser(world, 'ada');
    throw new Error('it is broken');
  });
  await expect(call).rejects.toThrow('it is broken');
  expect([...(await stored()).users.keys()]).toEqual(['ada']);
});

test('undoes a call that cannot be persisted, in the same world object', async () => {
  const { store, world, state, stored, logged } = await open();
  await store.turn(() => addUser(world, 'ada'));
  const { users } = world;
  state.failsToWrite = true;
  const calls = [
    store.turn(() => addUser(world, 'bo')),
    store.turn(() => {
      world.users.edit('ada').tenantId = 2;
      world.counters.apiKey++;
      world.random = 7;
    }),
  ];
  for (const call of calls) await expect(call).rejects.toThrow('store here can not be written');
  expect([...world.users]).toEqual([['ada', { tenantId: 1, salt: '', passwordDigest: '' }]]);
  expect(world.counters.apiKey).toBe(0);
  // The answer needs another trace id.
  expect(world.random).toBe(7);
  expect(store.status()).toEqual({ engine: 'test', problem: 'store here can not be written' });
  state.failsToWrite = false;
  await store.turn(() => addUser(world, 'cy'));
  expect([...(await stored()).users.keys()]).toEqual(['ada', 'cy']);
  expect(store.status().problem).toBeUndefined();
  expect(logged).toEqual([
    'store here can not be written',
    'store here: it is available again, and no data was lost',
  ]);
  expect(world.users).not.toBe(users);
});

test('repeats a turn with `isSure` until it is persisted or the store ends', async () => {
  const { store, world, state, stored } = await open();
  state.failsToWrite = true;
  const sure = store.turn(() => addUser(world, 'ada'), { isSure: true });
  await expect(store.turn(() => addUser(world, 'bo'))).rejects.toThrow('can not be written');
  state.failsToWrite = false;
  expect(await sure).toBe(1);
  expect([...(await stored()).users.keys()]).toEqual(['ada']);
  state.failsToWrite = true;
  const late = store.turn(() => addUser(world, 'cy'), { isSure: true });
  const refused = expect(late).rejects.toThrow('the mock is shutting down');
  await store.close();
  await refused;
});

test('persists changes that are made outside of calls', async () => {
  const { world, stored } = await open();
  addUser(world, 'ada');
  await expect.poll(async () => (await stored()).users.size).toBe(1);
});

test('a store that can be neither written nor read ends with advice', async () => {
  const { store, world, state, logged } = await open();
  Object.assign(state, { failsToWrite: true, failsToLoad: true });
  const later = Array.from({ length: 300 }, () => store.turn(() => addUser(world, 'ada')));
  const outcomes = await Promise.allSettled(later);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(300);
  await expect(store.turn(() => {})).rejects.toThrow('store here can not be read; restart the mock');
  expect(logged).toContain('store here can not be read; restart the mock');
  await store.close();
});

test('closing persists the rest and the order of sessions, and refuses later calls', async () => {
  const { store, world, stored } = await open();
  const expiresAt = time;
  for (const key of ['a', 'b', 'c']) world.sessions.set(key, { tenantId: 1, username: 'ada', expiresAt });
  await store.turn(() => {});
  world.sessions.moveToEnd('a');
  const waiting = store.turn(() => addUser(world, 'ada'));
  await store.close();
  await expect(waiting).resolves.toBe(1);
  expect([...(await stored()).sessions.keys()]).toEqual(['b', 'c', 'a']);
  await expect(store.turn(() => {})).rejects.toThrow('the mock is shutting down');
  await store.close();
});

test.each(['mei@harbour-cafe.example', 'a\0b', 'a\ud800', 'a\ud801', '"', '"a"', '海', ''])(
  'writes the key %j as a text that any database accepts',
  (key) => {
    const text = writeKey(key);
    expect(readKey('users', text)).toBe(key);
    expect(text).not.toContain('\0');
    expect(text.isWellFormed()).toBe(true);
  },
);

const together = [1, 2];

test.each<[what: string, turnMs: number | 'fails', otherAfterMs: number, want: number[][]]>([
  ['waits a little for a world of the last turn', 40, 3, [together, together]],
  ['does not wait after a short turn', 0, 3, [together, [1], [2]]],
  ['does not wait after a failed turn', 'fails', 3, [together, [1], [2]]],
  ['does not wait long for a missing world', 200, 100, [together, [1], [2]]],
])('a turn %s', async (_what, first, otherAfterMs, want) => {
  const turns: number[][] = [];
  const sqlite = openSqlite(pathOfTest());
  onTestFinished(sqlite.close);
  const engine: Engine = {
    ...sqlite,
    async turn(members) {
      if (turns.push(members.map(({ worldId }) => worldId)) > 1) return [];
      if (first === 'fails') throw new StoreError('it is gone');
      if (first > 0) await wait(first);
      return [];
    },
  };
  const loop = createTurnLoop({ engine, log: () => {}, metrics: createMetrics() });
  const work = () => ({ batch: undefined, nextDue: undefined, calls: 1 });
  const idle = { work, settle() {}, fail: async () => {}, end() {} };
  const one: Participant = { worldId: 1, ...idle };
  const other: Participant = { worldId: 2, ...idle };
  loop.wake(one);
  loop.wake(other);
  await loop.idle();
  loop.wake(one);
  await wait(otherAfterMs);
  loop.wake(other);
  await loop.idle();
  expect(turns).toEqual(want);
});

test('a returned job is free at once, and marked as begun', () => {
  const world = createEmptyWorld(1, { mode: 'manual', time: 20 });
  const mock = { world, clock: clockOf({ world }) };
  scheduleJob(world, 10, { kind: 'attempt', deliveryId: 10, cause: 'retry' });
  const options = { holdMs: 1000, targetOf: () => '', onPlace() {} };
  const agendaOf = (id: string) => createSharedAgenda(mock, { ...options, holder: { id, now: () => 500 } });
  const [first, second] = [agendaOf('first'), agendaOf('second')];
  expect(first.take(10)).toMatchObject([{ claim: { isAgain: false } }]);
  expect(second.take(10)).toEqual([]);
  // The end of the claim.
  expect(second.nextAt()).toBe(1020);
  expect([first.isBusyElsewhere(), second.isBusyElsewhere()]).toEqual([false, true]);
  first.giveBack();
  expect(second.nextAt()).toBe(10);
  expect(second.take(10)).toMatchObject([{ claim: { isAgain: true } }]);
});

test.each([
  ['the same machine, despite late answers', [-3, -200, -1, 2], [0, 0, 0, 0]],
  ['another machine, after a late first answer', [4800, 5000, 4999], [4800, 5000, 5000]],
  ['the same machine, after a late first answer', [-200, -1], [-200, 0]],
  ['an engine that was set ahead, at once', [0, 60_000], [0, 60_000]],
  [
    'an engine that was set back, once all answers agree',
    [60_000, ...Array.from({ length: 8 }, () => 10)],
    [...Array.from({ length: 8 }, () => 60_000), 0],
  ],
])('follows the clock of %s', (_what, measured, ahead) => {
  expect(measured.map(measureAhead())).toEqual(ahead);
});
