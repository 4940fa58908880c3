import { expect, test } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { noWorlds } from '../testing/test-store.ts';
import { createEmptyWorld, type World } from '../world/world.ts';
import { type Engine, StoreError } from './engine.ts';
import { type KeptRows, overlay, toWorld } from './rows.ts';
import { createStore } from './store.ts';
import { createTurnLoop } from './turn-loop.ts';

/** Keeps rows in memory, and fails as it is told. */
function openTestEngine() {
  let rows: KeptRows = { head: '', rows: [] };
  const state = {
    writes: 0,
    setup: undefined as string | undefined,
    failsToWrite: false,
    failsToLoad: false,
  };
  const engine: Engine = {
    name: 'test',
    place: 'here',
    worlds: noWorlds,
    async load() {
      if (state.failsToLoad) throw new StoreError('store here can not be read');
      return rows;
    },
    async turn([member]) {
      const { batch, setup } = member?.work({}) ?? {};
      if (!batch && setup === undefined) return [];
      await Promise.resolve();
      if (state.failsToWrite) throw new StoreError('store here can not be written');
      state.writes++;
      state.setup = setup ?? state.setup;
      if (batch) rows = overlay(rows, batch);
      return [];
    },
    check: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return { engine, state, kept: () => toWorld(rows) };
}

const time = 1_767_225_600_000;

async function open() {
  const test = openTestEngine();
  const logged: string[] = [];
  const world = createEmptyWorld(1, { mode: 'manual', time });
  const log = (line: string) => void logged.push(line);
  const loop = createTurnLoop({ engine: test.engine, log, metrics: createMetrics() });
  const store = createStore({ engine: test.engine, loop, worldId: 1, world, found: undefined, log });
  await store.turn(() => {});
  test.state.writes = 0;
  return { ...test, store, world, logged };
}

function addUser(world: World, name: string, tenantId = 1): number {
  world.users.set(name, { tenantId, salt: '', passwordDigest: '' });
  return world.users.size;
}

test('what a call has changed is kept when its result is there', async () => {
  const { store, world, kept } = await open();
  expect(await store.turn(() => addUser(world, 'ada'))).toBe(1);
  expect([...kept().users.keys()]).toEqual(['ada']);
});

test('calls that wait at the same time are kept together, and a call that changes nothing writes nothing', async () => {
  const { store, world, state } = await open();
  await Promise.all(['ada', 'bo', 'cy'].map((name) => store.turn(() => addUser(world, name))));
  expect(state.writes).toBe(1);
  await store.turn(() => world.users.get('ada'));
  expect(state.writes).toBe(1);
});

test('a call that throws is told so, and what it did before is kept', async () => {
  const { store, world, kept } = await open();
  const call = store.turn(() => {
    addUser(world, 'ada');
    throw new Error('it is broken');
  });
  await expect(call).rejects.toThrow('it is broken');
  expect([...kept().users.keys()]).toEqual(['ada']);
});

test('a turn has 256 calls at most', async () => {
  const { store, world, state } = await open();
  await Promise.all(
    Array.from({ length: 257 }, (_, index) => store.turn(() => addUser(world, `user-${index}`))),
  );
  expect(state.writes).toBe(2);
});

test('a call that can not be kept has not happened, also for those who hold the world', async () => {
  const { store, world, state, kept, logged } = await open();
  await store.turn(() => addUser(world, 'ada'));
  const { users } = world;
  state.failsToWrite = true;
  const calls = [
    store.turn(() => addUser(world, 'bo')),
    store.turn(() => {
      world.users.edit('ada').tenantId = 2;
      world.counters.apiKey++;
    }),
  ];
  for (const call of calls) await expect(call).rejects.toThrow('store here can not be written');
  expect([...world.users]).toEqual([['ada', { tenantId: 1, salt: '', passwordDigest: '' }]]);
  expect(world.counters.apiKey).toBe(0);
  expect(store.status()).toEqual({ engine: 'test', problem: 'store here can not be written' });
  state.failsToWrite = false;
  await store.turn(() => addUser(world, 'cy'));
  expect([...kept().users.keys()]).toEqual(['ada', 'cy']);
  expect(store.status().problem).toBeUndefined();
  expect(logged).toEqual([
    'store here can not be written',
    'store here: it can be used again, and nothing was lost',
  ]);
  expect(world.users).not.toBe(users);
});

test('a turn that is sure is taken again until it is persisted, or the store ends', async () => {
  const { store, world, state, kept } = await open();
  state.failsToWrite = true;
  const sure = store.turn(() => addUser(world, 'ada'), { isSure: true });
  await expect(store.turn(() => addUser(world, 'bo'))).rejects.toThrow('can not be written');
  state.failsToWrite = false;
  expect(await sure).toBe(1);
  expect([...kept().users.keys()]).toEqual(['ada']);
  state.failsToWrite = true;
  const late = store.turn(() => addUser(world, 'cy'), { isSure: true });
  const refused = expect(late).rejects.toThrow('the mock is ending');
  await store.close();
  await refused;
});

test('what was changed outside of calls stays, and is kept as soon as that is possible', async () => {
  const { store, world, state, kept } = await open();
  state.failsToWrite = true;
  addUser(world, 'ada');
  await expect(store.turn(() => {})).rejects.toThrow('can not be written');
  await expect(store.turn(() => addUser(world, 'bo'))).rejects.toThrow('can not be written');
  expect([...world.users.keys()]).toEqual(['ada']);
  addUser(world, 'cy');
  state.failsToWrite = false;
  await store.turn(() => {});
  expect([...kept().users.keys()]).toEqual(['ada', 'cy']);
});

test('what was changed outside of calls is kept without a call, after a while also where that failed at first', async () => {
  const { store, world, state, kept } = await open();
  state.failsToWrite = true;
  addUser(world, 'ada');
  await expect(store.turn(() => {})).rejects.toThrow('can not be written');
  expect(kept().users.size).toBe(0);
  state.failsToWrite = false;
  await expect.poll(() => kept().users.size, { timeout: 10_000 }).toBe(1);
});

test('a store that can neither be written nor read ends for good, and says what to do', async () => {
  const { store, world, state, logged } = await open();
  Object.assign(state, { failsToWrite: true, failsToLoad: true });
  const later = Array.from({ length: 300 }, () => store.turn(() => addUser(world, 'ada')));
  const outcomes = await Promise.allSettled(later);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(300);
  await expect(store.turn(() => {})).rejects.toThrow('store here can not be read; start the mock again');
  expect(logged).toContain('store here can not be read; start the mock again');
  await store.close();
});

test('another world takes the place of the first', async () => {
  const { store, world, kept } = await open();
  await store.turn(() => addUser(world, 'ada'));
  const other = createEmptyWorld(2, { mode: 'manual', time });
  addUser(other, 'bo');
  store.replace(other);
  await store.turn(() => addUser(other, 'cy'));
  // Nobody asks for the changes of the first one any more.
  addUser(world, 'dee');
  await store.turn(() => {});
  expect([...kept().users.keys()]).toEqual(['bo', 'cy']);
  expect(kept().random).toBe(2);
});

test('keeps how the world began', async () => {
  const { store, state } = await open();
  store.begin('{"seed":1}');
  await store.turn(() => {});
  expect(state.setup).toBe('{"seed":1}');
});

test('closing keeps what is left, also the order of sessions, and refuses what comes then', async () => {
  const { store, world, kept } = await open();
  const expiresAt = time;
  for (const key of ['a', 'b', 'c']) world.sessions.set(key, { tenantId: 1, username: 'ada', expiresAt });
  await store.turn(() => {});
  const first = world.sessions.get('a');
  world.sessions.delete('a');
  if (first) world.sessions.set('a', first);
  const waiting = store.turn(() => addUser(world, 'ada'));
  await store.close();
  await expect(waiting).resolves.toBe(1);
  expect([...kept().sessions.keys()]).toEqual(['b', 'c', 'a']);
  await expect(store.turn(() => {})).rejects.toThrow('the mock is ending');
  await store.close();
});
