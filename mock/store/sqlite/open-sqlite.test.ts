import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pathOfTest } from '../../testing/test-store.ts';
import type { Engine } from '../engine.ts';
import type { Batch } from '../rows.ts';
import { openSqlite } from './open-sqlite.ts';

async function write(engine: Engine, batch: Batch): Promise<void> {
  await engine.turn([{ worldId: 1, work: () => ({ batch, nextDue: undefined }) }]);
}

const whole: Batch = {
  isWhole: true,
  head: '{"a":1}',
  rows: [
    { kind: 1, key: 'b', ord: 2, value: '"b"' },
    { kind: 1, key: 'a', ord: 1, value: '"é\\u0000"' },
    { kind: 2, key: 'a', ord: 3, value: '{}' },
  ],
};

test('keeps rows in their order, and what becomes of them', async () => {
  const path = pathOfTest();
  const first = openSqlite(path);
  await write(first, whole);
  await write(first, {
    isWhole: false,
    head: undefined,
    rows: [
      { kind: 1, key: 'a', ord: 4, value: '"é\\u0000"' },
      { kind: 1, key: 'b', ord: 2, value: '"c"' },
      { kind: 2, key: 'a', ord: 3, value: undefined },
      { kind: 2, key: 'c', ord: 5, value: '1' },
    ],
  });
  await first.close();
  const second = openSqlite(path);
  expect(await second.load(1)).toEqual({
    head: '{"a":1}',
    rows: [
      { kind: 1, key: 'b', ord: 2, value: '"c"' },
      { kind: 1, key: 'a', ord: 4, value: '"é\\u0000"' },
      { kind: 2, key: 'c', ord: 5, value: '1' },
    ],
  });
  await write(second, { ...whole, rows: whole.rows.slice(0, 1) });
  expect((await second.load(1))?.rows).toEqual([{ kind: 1, key: 'b', ord: 2, value: '"b"' }]);
  await second.close();
});

test('keeps all of a batch or nothing', async () => {
  const engine = openSqlite(pathOfTest());
  await write(engine, whole);
  const broken = { kind: 3, key: undefined, ord: 1, value: '1' } as never;
  await expect(write(engine, { ...whole, rows: [...whole.rows.slice(0, 1), broken] })).rejects.toThrow(
    /store .*mock\.db can't be written: /,
  );
  expect((await engine.load(1))?.rows).toHaveLength(3);
  await write(engine, { isWhole: false, head: '{"a":2}', rows: [] });
  expect((await engine.load(1))?.head).toBe('{"a":2}');
  await engine.close();
});

test('keeps how the world began, once', async () => {
  const { worlds, close } = openSqlite(pathOfTest());
  expect((await worlds.find('main'))?.setup).toBeUndefined();
  for (const seed of [1, 2]) expect(await worlds.begin(`{"seed":${seed}}`)).toBe('{"seed":1}');
  expect((await worlds.find('main'))?.setup).toBe('{"seed":1}');
  await close();
});

test('only its owner can read the file and what lies beside it', async () => {
  const path = pathOfTest();
  const engine = openSqlite(path);
  await write(engine, whole);
  for (const one of [path, `${path}-wal`]) expect(statSync(one).mode & 0o777).toBe(0o600);
  await engine.close();
});

test('a file is used by one process at a time', async () => {
  const path = pathOfTest();
  const engine = openSqlite(path);
  await write(engine, whole);
  expect(() => openSqlite(path)).toThrow(
    `store ${path} can't be opened: another process uses it; end that one, or name another file`,
  );
  await engine.close();
  await openSqlite(path).close();
});
