import { expect, test } from 'vitest';
import { openSubscribed } from '../webhooks/testing.ts';
import { bytesOf } from './bytes.ts';
import { Collection } from './collection.ts';
import { mostBytes } from './collections.ts';
import type { Delivery, Site } from './entries.ts';
import { emptyWorld } from './testing.ts';
import type { World } from './world.ts';

/** A hundred of these texts fill the part. */
function filling(part: keyof typeof mostBytes): string {
  return 'x'.repeat(mostBytes[part] / 100);
}

function siteOf(id: number): Site {
  return { id, tenantId: 1, name: '', version: 0, lastVersion: 0, createdAt: 1 };
}

function addComment(world: World, { at, text = filling('content') }: { at: number; text?: string }): void {
  const id = ++world.counters.comment;
  world.comments.set(id, { id, siteId: 1, author: '', text, at });
}

test('over the limit, evicts the oldest entries down to nine tenths', () => {
  const world = emptyWorld();
  for (let at = 1; at <= 99; at++) addComment(world, { at });
  expect(world.comments.size).toBe(99);
  addComment(world, { at: 100 });
  expect([...world.comments.keys()]).toEqual(Array.from({ length: 89 }, (_, index) => index + 12));
});

test('limits contents, submissions and comments together, by age', () => {
  const world = emptyWorld();
  const text = filling('content').repeat(60);
  world.contents.set(1, { id: 1, siteId: 1, title: '', text, state: 'draft', updatedAt: 3 });
  const fields = { text: filling('content').repeat(30) };
  world.submissions.set(1, { id: 1, siteId: 1, form: '', fields, at: 1 });
  addComment(world, { at: 2, text: filling('content').repeat(20) });
  expect([world.contents.size, world.submissions.size, world.comments.size]).toEqual([1, 0, 1]);
});

test('does not evict a just added entry, even if it is old', () => {
  const world = emptyWorld();
  addComment(world, { at: 5, text: filling('content').repeat(60) });
  addComment(world, { at: 4, text: filling('content').repeat(60) });
  expect([...world.comments.values()].map(({ at }) => at)).toEqual([4]);
});

test('an edited entry counts with its new size', () => {
  const world = emptyWorld();
  for (let id = 1; id <= 3; id++)
    world.contents.set(id, { id, siteId: 1, title: '', text: '', state: 'draft', updatedAt: id });
  const text = filling('content').repeat(60);
  world.contents.edit(1).text = text;
  expect(world.byteLimits.content.bytes).toBeGreaterThan(text.length);
  world.contents.edit(2).text = text;
  world.contents.edit(3);
  expect([...world.contents.keys()]).toEqual([2, 3]);
});

test('evicts sites last', () => {
  const world = emptyWorld();
  world.sites.set(1, siteOf(1));
  for (let at = 2; at <= 120; at++) {
    const id = `subscription-${at}`;
    const url = filling('records');
    world.subscriptions.set(id, { id, siteId: 1, url, events: [], channel: 'custom', createdAt: at });
  }
  expect([world.sites.size, world.subscriptions.size < 119]).toEqual([1, true]);
  world.byteLimits.records.shrink(0.5);
  expect([...world.sites.keys()]).toEqual([1]);
});

test('evicts pending deliveries last', () => {
  const world = emptyWorld();
  for (let id = 1; id <= 100; id++) {
    const state = id <= 20 ? 'pending' : 'delivered';
    world.deliveries.set(id, { id, createdAt: id, state, body: filling('deliveries') } as Delivery);
  }
  const pending = [...new Array(21).keys()].slice(1);
  expect([...world.deliveries.keys()].slice(0, 22)).toEqual([...pending, 32, 33]);
});

test('estimates the size of a delivery high enough after any number of attempts', async () => {
  const answer = { status: 500, body: '漢'.repeat(1000) };
  const { update, wait, deliveries, service } = await openSubscribed(() => answer, {
    values: { secret: 's' },
  });
  update();
  for (const minutes of [0, 1, 5, 30]) {
    await wait(minutes * 60_000);
    const [counted, taken] = [service.world.byteLimits.deliveries.bytes, bytesOf(deliveries()[0])];
    expect(counted).toBeGreaterThanOrEqual(taken);
    expect(counted).toBeLessThan(1.5 * taken);
  }
});

test('only `edit` returns a writable entry', () => {
  const { sites } = emptyWorld();
  sites.set(1, siteOf(1));
  const [found, edited] = [sites.get(1), sites.edit(1)];
  const rename = (site: typeof edited) => {
    site.name = 'x';
  };
  if (found) {
    // @ts-expect-error The members are read-only.
    found.name = 'y';
    // @ts-expect-error A read-only entry is not editable.
    rename(found);
  }
  rename(edited);
  expect(sites.get(1)?.name).toBe('x');
  expect(() => sites.edit(2)).toThrow('there is no entry 2 to edit');
});

test.each([
  ['a text of one byte a character', 'x'.repeat(1_000_000), 1_000_024],
  ['a text that needs two', `${'x'.repeat(999_999)}漢`, 2_000_024],
  ['a fraction', 1.5, 24],
  ['members', { ab: 1 }, 264 + 18 + 8],
  ['items', [1, undefined, 3], 56 + 3 * 8],
])('counts %s', (_case, value, want) => {
  expect(bytesOf(value)).toBe(want);
});

test('measures values that are nested as deep as structuredClone allows', () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  let most = 1000;
  expect(() => {
    for (; ; most += 100) structuredClone(nested(most));
  }).toThrow('Maximum call stack');
  expect(bytesOf(nested(most))).toBe(most * 56);
});

test('estimates objects with unique names high enough', () => {
  const text = `[${Array.from({ length: 60_000 }, (_, index) => `{"name ${index}":1}`)}]`;
  const before = process.memoryUsage().heapUsed;
  const value: unknown = JSON.parse(text);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(bytesOf(value));
});

function filled(count: number, isNeeded?: (entry: { number: number }) => boolean) {
  const entries = new Collection<number, { number: number }>({ most: 100, ...(isNeeded && { isNeeded }) });
  for (let number = 0; number < count; number++) entries.set(number, { number });
  return entries;
}

test.each([
  [110, 110, 0],
  [111, 100, 11],
])('with a limit of 100, %i entries become %i, from number %i', (count, size, first) => {
  const entries = filled(count);
  expect([entries.size, entries.keys().next().value]).toEqual([size, first]);
});

test('evicts needed entries last, but limits them too', () => {
  const entries = filled(111, ({ number }) => number < 20);
  expect([entries.size, entries.has(0), entries.has(30), entries.has(31)]).toEqual([100, true, false, true]);
  expect(filled(2000, () => true).size).toBeLessThanOrEqual(820);
});

test('does not scan needed entries at each addition', () => {
  let looks = 0;
  filled(300, () => ++looks > 0);
  expect(looks).toBeLessThan(22 * 300);
});
