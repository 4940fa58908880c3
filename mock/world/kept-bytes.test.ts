import { expect, test } from 'vitest';
import { keepNewest } from './bounds.ts';
import { bytesOf, measureOnce } from './bytes.ts';
import { byteBounds, keepBytes, keptBytes, shrinkWorld } from './kept-bytes.ts';
import {
  createEmptyWorld,
  type Delivery,
  type Inbox,
  type Site,
  type Subscription,
  type World,
} from './world.ts';

/** As large as one of a hundred that fill the part. */
function filling(part: keyof typeof byteBounds): string {
  return 'x'.repeat(byteBounds[part] / 100);
}

function emptyWorld(): World {
  return createEmptyWorld(1, { mode: 'manual', time: 0 });
}

function addComment(world: World, { at, text = filling('content') }: { at: number; text?: string }): void {
  const id = ++world.counters.comment;
  const comment = { id, siteId: 1, author: '', text, at };
  world.comments.set(id, comment);
  keepBytes(world, 'content', comment);
}

test('over the bound the oldest go, down to nine tenths of it', () => {
  const world = emptyWorld();
  for (let at = 1; at <= 99; at++) addComment(world, { at });
  expect([...world.comments.keys()]).toHaveLength(99);
  addComment(world, { at: 100 });
  expect([...world.comments.keys()]).toEqual(Array.from({ length: 89 }, (_, index) => index + 12));
});

test('contents, submissions and comments are bounded together, by their age', () => {
  const world = emptyWorld();
  const text = filling('content').repeat(60);
  world.contents.set(1, { id: 1, siteId: 1, title: '', text, state: 'draft', updatedAt: 3 });
  world.submissions.set(1, {
    id: 1,
    siteId: 1,
    form: '',
    fields: { text: filling('content').repeat(30) },
    at: 1,
  });
  addComment(world, { at: 2, text: filling('content').repeat(20) });
  expect([world.contents.size, world.submissions.size, world.comments.size]).toEqual([1, 0, 1]);
});

test('what was just added stays, however old it says it is', () => {
  const world = emptyWorld();
  addComment(world, { at: 5, text: filling('content').repeat(60) });
  addComment(world, { at: 4, text: filling('content').repeat(60) });
  expect([...world.comments.values()].map(({ at }) => at)).toEqual([4]);
});

test('what was removed or changed meanwhile is measured anew', () => {
  const world = emptyWorld();
  for (let round = 0; round < 10; round++) {
    for (let at = 1; at <= 50; at++) addComment(world, { at });
    expect(world.comments.size).toBe(50);
    world.comments.clear();
  }
  expect(keptBytes(world, 'content')).toBe(0);
});

test('sites stay longer than what belongs to them, however old they are', () => {
  const world = emptyWorld();
  const site: Site = { id: 1, tenantId: 1, name: '', version: 0, lastVersion: 0, createdAt: 1 };
  world.sites.set(1, site);
  for (let at = 2; at <= 120; at++) {
    const id = `subscription-${at}`;
    const url = filling('records');
    const subscription: Subscription = { id, siteId: 1, url, events: [], channel: 'custom', createdAt: at };
    world.subscriptions.set(id, subscription);
    keepBytes(world, 'records', subscription);
  }
  expect([world.sites.size, world.subscriptions.size < 119]).toEqual([1, true]);
  shrinkWorld(world, 0.5);
  expect([...world.sites.keys()]).toEqual([1]);
});

test('of all inboxes, the messages that came first go', () => {
  const world = emptyWorld();
  const inbox = (): Inbox => ({
    kind: 'plain',
    respond: [],
    robot: {},
    robotState: { times: [] },
    messages: [],
    received: 0,
  });
  for (const name of ['a', 'b']) world.inboxes.set(name, inbox());
  for (let at = 1; at <= 120; at++) {
    const target = world.inboxes.get(at % 3 === 0 ? 'a' : 'b') ?? inbox();
    const message = {
      id: ++target.received,
      at,
      method: 'POST',
      path: '',
      headers: {},
      body: filling('inboxes'),
      answer: { status: 200, body: '' },
    };
    target.messages.push(message);
    keepBytes(world, 'inboxes', message);
  }
  const times = [...world.inboxes.values()].flatMap(({ messages }) => messages.map(({ at }) => at));
  const oldest = Math.min(...times);
  expect(times.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: times.length }, (_, index) => oldest + index),
  );
  expect([Math.max(...times), times.length > 85]).toEqual([120, true]);
  expect(keptBytes(world, 'inboxes')).toBeLessThanOrEqual(byteBounds.inboxes);
});

test('pushes that are still to be sent stay longer than those that have been', () => {
  const world = emptyWorld();
  for (let id = 1; id <= 100; id++) {
    const delivery = {
      id,
      createdAt: id,
      state: id <= 20 ? 'pending' : 'delivered',
      body: filling('deliveries'),
    } as Delivery;
    world.deliveries.set(id, delivery);
    keepBytes(world, 'deliveries', delivery);
  }
  expect([...world.deliveries.keys()].slice(0, 22)).toEqual([
    ...Array.from({ length: 20 }, (_, index) => index + 1),
    32,
    33,
  ]);
});

test('a part that was never measured is measured as a whole', () => {
  const world = emptyWorld();
  for (let at = 1; at <= 150; at++)
    world.comments.set(at, { id: at, siteId: 1, author: '', text: filling('content'), at });
  world.counters.comment = 150;
  addComment(world, { at: 151 });
  expect(world.comments.size).toBe(89);
  expect(bytesOf([...world.comments.values()])).toBeLessThan(0.91 * byteBounds.content);
});

test.each([
  ['one byte a character', 'x'.repeat(1_000_000), 1_000_024],
  ['two, where one character needs them', `${'x'.repeat(999_999)}漢`, 2_000_024],
  ['nothing', undefined, 8],
  ['a number', 7, 8],
  ['a fraction', 1.5, 24],
  ['an empty object', {}, 264],
  ['members', { ab: 1 }, 264 + 18 + 8],
  ['items', [1, 2, 3], 56 + 3 * 8],
])('%s', (_case, value, want) => {
  expect(bytesOf(value)).toBe(want);
});

test('a value may be as deep as it likes', () => {
  expect(bytesOf(JSON.parse('['.repeat(500_000) + ']'.repeat(500_000)))).toBe(500_000 * 56);
});

test('what was measured once counts the same', () => {
  const value = { a: [1, 'x', { b: {} }] };
  const before = bytesOf([value, value]);
  measureOnce(value);
  expect(bytesOf([value, value])).toBe(before);
});

test('objects that have names of their own take no more than is counted', () => {
  const text = `[${Array.from({ length: 60_000 }, (_, index) => `{"name ${index}":1}`)}]`;
  const before = process.memoryUsage().heapUsed;
  const value: unknown = JSON.parse(text);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(bytesOf(value));
});

test('a long text of an object is measured again once it is another', () => {
  const value = { text: 'x'.repeat(100_000), other: 'y'.repeat(100_000) };
  const members = 264 + 20 + 21;
  expect(bytesOf(value)).toBe(members + 200_048);
  value.text = 'x'.repeat(200_000);
  expect(bytesOf(value)).toBe(members + 300_048);
});

function filled(count: number): Map<number, number> {
  return new Map(Array.from({ length: count }, (_, index) => [index, index]));
}

test.each([
  [110, 110, 0],
  [111, 100, 11],
])('of %i entries with a bound of 100, %i are kept, from number %i on', (count, size, first) => {
  const entries = filled(count);
  keepNewest(entries, 100);
  expect([entries.size, entries.keys().next().value]).toEqual([size, first]);
});

test('needed entries stay longer, but not without limit', () => {
  const entries = filled(150);
  keepNewest(entries, 100, (entry) => entry < 20);
  expect([entries.size, entries.has(0), entries.has(20)]).toEqual([100, true, false]);
  const all = filled(850);
  keepNewest(all, 100, () => true);
  expect(all.size).toBe(800);
});

test('entries that are still needed are looked through now and then, not at each addition', () => {
  const entries = filled(200);
  let looks = 0;
  for (let index = 200; index < 300; index++) {
    entries.set(index, index);
    keepNewest(entries, 100, () => ++looks > 0);
  }
  expect(looks).toBeLessThan(12 * 300);
  for (let index = 300; index < 312; index++) entries.set(index, index);
  keepNewest(entries, 100);
  expect(entries.size).toBe(100);
});
