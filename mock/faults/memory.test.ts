import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openControl } from '../testing/open-control.ts';
import { openMock } from '../testing/open-mock.ts';
import { collections } from '../world/collections.ts';
import type { Snapshot } from '../world/entries.ts';
import { fromSnapshot, toSnapshot } from '../world/snapshot.ts';
import { createEmptyWorld } from '../world/world.ts';
import { createMemory } from './memory.ts';

function openMemory(fault = 'a-fault') {
  const state = { world: createEmptyWorld(1, { mode: 'manual', time: 5 }) };
  return { state, memory: createMemory(state, fault) };
}

test('a memory has what was put into it, in the order in which it came', () => {
  const { memory } = openMemory();
  const [ages, seen, last] = [memory.map<number>('ages'), memory.set('seen'), memory.value('last', 'none')];
  for (const [key, age] of [
    ['tom', 1],
    [7, 2],
    ['tom', 3],
  ] as const)
    ages.set(key, age);
  expect([ages.get('tom'), ages.get(7), ages.get('mei')]).toEqual([3, 2, undefined]);
  expect(ages.entries().flat()).toEqual(['tom', 3, '7', 2]);
  expect([seen.has('x'), seen.add('x'), seen.add('x'), seen.has('x')]).toEqual([false, true, false, true]);
  expect(last.get()).toBe('none');
  last.set('y');
  expect(last.get()).toBe('y');
});

test('each fault has memories of its own, by their names', () => {
  const { state, memory } = openMemory();
  memory.set('seen').add('x');
  const others = [memory.set('heard'), createMemory(state, 'another').set('seen')];
  expect(others.map((set) => set.has('x'))).toEqual([false, false]);
  expect(createMemory(state, 'a-fault').set('seen').has('x')).toBe(true);
});

test('what is remembered is a copy, and what is the same is not written again', () => {
  const { state, memory } = openMemory();
  const lists = memory.map<number[]>('lists');
  const first = () => [...state.world.faultMemory.values()][0];
  const list = [1];
  lists.set('a', list);
  list.push(2);
  const written = first();
  expect(lists.get('a')).toEqual([1]);
  lists.set('a', [1]);
  expect(first()).toBe(written);
  lists.set('a', list);
  expect(first()).not.toBe(written);
});

test('the oldest of a memory is forgotten when it is full, and nothing of others', () => {
  const { state, memory } = openMemory();
  const { mostOfGroup: most = 0 } = collections.faultMemory;
  memory.value('kept', 0).set(1);
  const seen = memory.set('seen');
  for (let count = 0; count <= most; count++) seen.add(count);
  expect([seen.has(0), seen.has(1), seen.has(most)]).toEqual([false, true, true]);
  expect(state.world.faultMemory.size).toBe(most + 1);
  expect(memory.value('kept', 0).get()).toBe(1);
});

test('a saved world has it, and one that was saved without it is read', () => {
  const { state, memory } = openMemory();
  expect(toSnapshot(state.world)).not.toHaveProperty('faultMemory');
  memory.map<number>('ages').set('tom', 1);
  const saved = JSON.parse(JSON.stringify(toSnapshot(state.world))) as Snapshot;
  state.world = createEmptyWorld(1, { mode: 'manual', time: 5 });
  expect(memory.map('ages').get('tom')).toBeUndefined();
  state.world = fromSnapshot(saved);
  expect(memory.map('ages').entries()).toEqual([['tom', 1]]);
});

const counting = 'trace-id-after-a-hundred-answers-again';

test('what a fault remembers goes back with a saved world, ends with a reset, and when the faults are chosen anew', async () => {
  const { perform, call, control } = openControl(undefined, { faults: [counting] });
  const next = async () => (await perform('listSites')).envelope.trace_id;
  expect([await next(), await next()]).toEqual(['trace-1', 'trace-2']);
  const { body: saved } = await call<Snapshot>('GET /world');
  expect([await next(), await next()]).toEqual(['trace-3', 'trace-4']);
  expect((await call('PUT /world', saved)).status).toBe(200);
  expect(await next()).toBe('trace-3');
  await control.reset();
  expect([(await control.faults()).on, await next()]).toEqual([[counting], 'trace-1']);
  await control.setFaults([counting]);
  expect(await next()).toBe('trace-1');
});

test('a mock without faults remembers nothing', async () => {
  const { service, perform, mei } = openMock();
  await perform('login', mei);
  expect(service.world.faultMemory.size).toBe(0);
});

/** Made where the wrap is, for each call; all else would be known to one process alone. */
const withinCall = /\w+ = new Weak(Map|Set)<|\[\.\.\.new Set\(/;

test('no fault has a memory of its own', () => {
  const own = readdirSync(import.meta.dirname)
    .filter((name) => !name.endsWith('.test.ts') && name !== 'fault-switch.ts')
    .flatMap((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8').split('\n'))
    .filter((line) => /\bnew (Weak)?(Map|Set)\b|^\s*(let|var) /.test(line) && !withinCall.test(line));
  expect(own).toEqual([]);
});
