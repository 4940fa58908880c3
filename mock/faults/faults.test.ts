// scripts/prove/kill-matrix.test.ts tests the effect of each fault.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaultSteps } from '../server/create-core.ts';
import { openControl } from '../testing/open-control.ts';
import { openMock } from '../testing/open-mock.ts';
import { openSubscribed } from '../webhooks/testing.ts';
import { collections } from '../world/collections.ts';
import type { Snapshot } from '../world/entries.ts';
import { toSnapshot } from '../world/snapshot.ts';
import { emptyWorld } from '../world/testing.ts';
import { faults } from './faults.ts';
import { createMemory } from './memory.ts';

test('every fault has a unique id of words and hyphens, and a unique title: a verb and at most 14 more words', () => {
  for (const part of ['id', 'title'] as const)
    expect(new Set(faults.map((fault) => fault[part])).size).toBe(faults.length);
  expect(faults.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(id))).toEqual([]);
  expect(faults.filter(({ title }) => !/^[a-z]+s( \S+){1,14}$/.test(title) || title.endsWith('.'))).toEqual(
    [],
  );
});

test('turns a fault on and off while the mock runs', async () => {
  const { service, perform, harbourKey } = openMock();
  const traceOf404 = async () => (await perform('getSite', { siteID: 999 }, harbourKey)).envelope.trace_id;
  expect([service.steps, service.faults.on()]).toEqual([defaultSteps, []]);
  await service.faults.set(['no-trace-id-on-404']);
  expect(await traceOf404()).toBeUndefined();
  expect(service.journal.entries().at(-1)?.exchange.answer?.body).not.toContain('trace_id');
  await service.faults.set([]);
  expect(await traceOf404()).toMatch(/^[0-9a-f]{16}$/);
  expect(service.steps).toBe(defaultSteps);
});

test('combines several faults in the order of the table, with variations', async () => {
  const ids = ['data-null-after-test', 'no-trace-id-on-404', 'total-one-short'];
  const options = { faults: ids, variations: ['extra-fields'] };
  const { service, perform, harbourKey } = openMock(undefined, options);
  const { envelope } = await perform('getSite', { siteID: 999 }, harbourKey);
  expect(envelope.trace_id).toBeUndefined();
  expect(Object.keys(envelope).length).toBeGreaterThan(2);
  expect(service.faults.on()).toEqual(['no-trace-id-on-404', 'data-null-after-test', 'total-one-short']);
  expect((await perform('listSites', {}, harbourKey)).envelope.data).toMatchObject({ total: 1 });
});

test('random choices depend only on the seed', async () => {
  const namedBy = async (seed: number) => {
    const options = { seed, faults: ['some-pushes-without-event-header'] };
    const values = { secret: 's' };
    const { update, control, deliveries } = await openSubscribed(undefined, { options, values });
    update(24);
    await control.drain();
    return deliveries().map(({ attempts }) => 'X-Webhook-Event' in (attempts[0]?.requestHeaders ?? {}));
  };
  const [one, again, other] = [await namedBy(1), await namedBy(1), await namedBy(2)];
  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
  expect(one.filter((isNamed) => !isNamed).length).toSatisfy((count: number) => count > 0 && count < 16);
});

test('refuses an unknown fault, and suggests the nearest known one', async () => {
  const { faults } = openMock(undefined, { faults: ['no-trace-id-on-404'] }).service;
  await expect(faults.set(['fourth-retry', 'third-retry-mising'])).rejects.toThrow(
    'there is no fault "third-retry-mising"; did you mean "third-retry-missing"? (`sitepub list faults` shows all)',
  );
  expect(faults.on()).toEqual(['no-trace-id-on-404']);
});

function openMemory() {
  const state = { world: emptyWorld(5) };
  return { state, memory: createMemory(state, 'a-fault') };
}

test('a memory returns its entries in the order of insertion, and each fault has its own', () => {
  const { state, memory } = openMemory();
  const [ages, seen, last] = [memory.map<number>('ages'), memory.set('seen'), memory.value('last', 'none')];
  ages.set('tom', 1);
  ages.set(7, 2);
  ages.set('tom', 3);
  expect([ages.get('tom'), ages.get(7), ages.get('mei')]).toEqual([3, 2, undefined]);
  expect(ages.entries().flat()).toEqual(['tom', 3, '7', 2]);
  expect([seen.has('x'), seen.add('x'), seen.add('x'), seen.has('x')]).toEqual([false, true, false, true]);
  expect(last.get()).toBe('none');
  last.set('y');
  expect(last.get()).toBe('y');
  const others = [memory.set('heard'), createMemory(state, 'another').set('seen')];
  expect(others.map((set) => set.has('x'))).toEqual([false, false]);
  expect(createMemory(state, 'a-fault').set('seen').has('x')).toBe(true);
});

test('a memory stores copies, and does not write an equal value again', () => {
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

test('a full memory evicts its own oldest entry', () => {
  const { state, memory } = openMemory();
  const { mostOfGroup: most = 0 } = collections.faultMemory;
  memory.value('other', 0).set(1);
  const seen = memory.set('seen');
  for (let count = 0; count <= most; count++) seen.add(count);
  expect([seen.has(0), seen.has(1), seen.has(most)]).toEqual([false, true, true]);
  expect(state.world.faultMemory.size).toBe(most + 1);
  expect(memory.value('other', 0).get()).toBe(1);
});

const counting = 'trace-id-after-a-hundred-answers-again';

test('restoring a world restores the memory of faults; a reset or a new choice of faults clears it', async () => {
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

test('a mock without faults has no fault memory', async () => {
  const { service, perform, mei } = openMock();
  await perform('login', mei);
  expect(service.world.faultMemory.size).toBe(0);
  expect(toSnapshot(service.world)).not.toHaveProperty('faultMemory');
});

/** Created for each call, so not state of one process. */
const withinCall = /\w+ = new Weak(Map|Set)<|\[\.\.\.new Set\(/;

test('no fault stores state outside the world', () => {
  const own = readdirSync(import.meta.dirname)
    .filter((name) => !name.endsWith('.test.ts') && name !== 'fault-switch.ts')
    .flatMap((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8').split('\n'))
    .filter((line) => /\bnew (Weak)?(Map|Set)\b|^\s*(let|var) /.test(line) && !withinCall.test(line));
  expect(own).toEqual([]);
});
