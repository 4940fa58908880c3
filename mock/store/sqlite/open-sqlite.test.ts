import { statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { pathOfTest } from '../../testing/test-store.ts';
import type { Engine } from '../engine.ts';
import type { Batch } from '../rows.ts';
import { openSqlite } from './open-sqlite.ts';

async function write(engine: Engine, batch: Batch): Promise<void> {
  await engine.turn([{ worldId: 1, work: () => ({ batch, nextDue: undefined }) }]);
}

const rows = [
  { kind: 1, key: 'b', ord: 2, value: '"b"' },
  { kind: 1, key: 'a', ord: 1, value: '"é\\u0000"' },
];
const whole: Batch = { isWhole: true, head: '{"a":1}', rows };

test('persists a batch completely or not at all', async () => {
  const engine = openSqlite(pathOfTest());
  await write(engine, whole);
  const broken = { kind: 3, key: undefined, ord: 1, value: '1' } as never;
  await expect(write(engine, { ...whole, rows: [broken] })).rejects.toThrow(
    /store .*mock\.db can't be written: /,
  );
  expect(await engine.load(1)).toEqual({ head: '{"a":1}', rows: rows.toReversed() });
  await write(engine, { isWhole: false, head: '{"a":2}', rows: [] });
  expect((await engine.load(1))?.head).toBe('{"a":2}');
  await engine.close();
});

test('only the owner can read the file and its WAL', async () => {
  const path = pathOfTest();
  const engine = openSqlite(path);
  await write(engine, whole);
  for (const one of [path, `${path}-wal`]) expect(statSync(one).mode & 0o777).toBe(0o600);
  await engine.close();
});

async function openDue(count: number) {
  const engine = openSqlite(pathOfTest());
  onTestFinished(engine.close);
  for (let index = 1; index <= count; index++) {
    const plan = { name: `w${index}`, setup: '{}', summary: '', expiresInMs: undefined };
    const { id: worldId = 0 } = (await engine.worlds.add(plan)) ?? {};
    const batch = { isWhole: true, head: '{}', rows: [] };
    await engine.turn([{ worldId, work: () => ({ batch, nextDue: index }) }]);
  }
  return engine.worlds;
}

test('finds all due worlds in turn, even if some are never loaded or a query fails', async () => {
  const worlds = await openDue(25);
  await expect(worlds.due([Number.NaN])).rejects.toThrow(/can't be read/);
  expect(await worlds.due([])).toHaveLength(25);
  const looks: string[][] = [];
  for (let look = 0; look < 4; look++) looks.push(await worlds.due([]));
  expect(looks.map(({ length }) => length)).toEqual([10, 10, 5, 10]);
  expect(new Set(looks.slice(0, 3).flat()).size).toBe(25);
  expect(looks[3]).toEqual(looks[0]);
});
