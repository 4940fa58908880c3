import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { collectionNames } from '../../world/collections.ts';
import { createFormats, type FormatStep, formatSteps } from './formats.ts';
import type { KeptRows, RowChange } from './row.ts';
import { readKey, writeKey } from './row-key.ts';
import { readHead, toWorld } from './world-rows.ts';

const tripled: FormatStep = {
  raiseHead: (head) => ({ at: (head as { at: number }).at * 3 }),
  lowerHead: (head) => ({ at: (head as { at: number }).at / 3 }),
  raise: (entry, kind) => (kind === 1 ? (entry as number) * 3 : entry),
  lower: (entry, kind) => (kind === 1 ? (entry as number) / 3 : entry),
};
const increased: FormatStep = {
  raiseHead: (head) => head,
  lowerHead: (head) => head,
  raise: (entry) => (entry as number) + 1,
  lower: (entry) => (entry as number) - 1,
};

test('goes from any format to any other, in the order of the steps', () => {
  const { newest, translate } = createFormats([tripled, increased]);
  expect(newest).toBe(3);
  const row: RowChange = { kind: 1, key: 'a', ord: 1, value: '2' };
  const first = { head: '{"at":5}', rows: [row, { ...row, kind: 2 }, { ...row, value: undefined }] };
  const third = {
    head: '{"at":15}',
    rows: [
      { ...row, value: '7' },
      { ...row, kind: 2, value: '3' },
      { ...row, value: undefined },
    ],
  };
  expect(translate(first, 1, 3)).toEqual(third);
  expect(translate(third, 3, 1)).toEqual(first);
  expect(translate({ head: '', rows: [row] }, 2, 3)).toEqual({ head: '', rows: [{ ...row, value: '3' }] });
  expect(translate({ head: undefined, rows: [] }, 1, 2)).toEqual({ head: undefined, rows: [] });
});

test('a world of the first format is read', () => {
  const first = JSON.parse(
    readFileSync(new URL('testing/first-world.json', import.meta.url), 'utf8'),
  ) as KeptRows;
  const { newest, translate } = createFormats(formatSteps);
  const kept = translate(first, 1, newest);
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

test('a world that was kept before there were faults in it has none', () => {
  const head = JSON.stringify({ random: 1, clock: { mode: 'manual', time: 0 }, counters: {}, lastOrd: 0 });
  expect(toWorld({ head, rows: [] }).faults).toEqual([]);
});

test.each(['mei@harbour-cafe.example', 'a\0b', 'a\ud800', 'a\ud801', '"', '"a"', '海', ''])(
  'the key %j comes back, in a text that any database takes',
  (key) => {
    const text = writeKey(key);
    expect(readKey(text)).toBe(key);
    expect(text).not.toContain('\0');
    expect(text.isWellFormed()).toBe(true);
  },
);
