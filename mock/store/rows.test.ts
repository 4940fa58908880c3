import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { collectionNames } from '../world/collections.ts';
import { type KeptRows, readHead, readKey, toWorld, writeKey } from './rows.ts';

test('a world of the first tables is read', () => {
  const kept = JSON.parse(
    readFileSync(new URL('testing/first-world.json', import.meta.url), 'utf8'),
  ) as KeptRows;
  const world = toWorld(kept);
  expect(readHead(kept.head).clock).toEqual({ mode: 'manual', time: 1_767_225_600_000 });
  for (const name of collectionNames) expect(world[name].size, name).toBeGreaterThan(0);
  expect(world.users.get('mei@harbour-cafe.example')?.tenantId).toBe(1);
  expect(world.sites.get(101)).toMatchObject({ version: 9, isUnchanged: false });
  expect(world.deliveries.get(1)).toMatchObject({ state: 'pending', attempts: [{ cause: 'event' }] });
  expect(world.messages.of('ci').size).toBe(3);
  expect([...world.overrides.values()]).toEqual([{ operation: 'publishSite', status: 503, times: 2 }]);
  expect(world.faults).toEqual(['creation-shows-last-url']);
  expect(world.jobs.order.map(({ task }) => task.kind)).toEqual(['attempt', 'attempt', 'attempt']);
});

test.each(['mei@harbour-cafe.example', 'a\0b', 'a\ud800', 'a\ud801', '"', '"a"', '海', ''])(
  'the key %j comes back, in a text that any database takes',
  (key) => {
    const text = writeKey(key);
    expect(readKey('users', text)).toBe(key);
    expect(text).not.toContain('\0');
    expect(text.isWellFormed()).toBe(true);
  },
);
