import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
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

test('keeps all of a batch or nothing', async () => {
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

test('only its owner can read the file and what lies beside it', async () => {
  const path = pathOfTest();
  const engine = openSqlite(path);
  await write(engine, whole);
  for (const one of [path, `${path}-wal`]) expect(statSync(one).mode & 0o777).toBe(0o600);
  await engine.close();
});
