import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../engine.ts';
import type { Batch } from '../rows.ts';
import { tablesVersion } from '../sql/database.ts';
import { openSqlite } from './open-sqlite.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-sqlite-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function write(engine: Engine, batch: Batch, setup?: string): Promise<void> {
  await engine.turn([{ worldId: 1, work: () => ({ batch, setup, nextDue: undefined }) }]);
}

async function setupOf(engine: Engine): Promise<string | undefined> {
  return (await engine.worlds.find('main'))?.setup;
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
  const path = join(makeFolder(), 'mock.db');
  const first = openSqlite(path);
  expect(await setupOf(first)).toBeUndefined();
  await write(first, whole, '{"seed":1}');
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
  expect(await setupOf(second)).toBe('{"seed":1}');
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
  const engine = openSqlite(join(makeFolder(), 'mock.db'));
  await write(engine, whole, '{}');
  const broken = { kind: 3, key: undefined, ord: 1, value: '1' } as never;
  await expect(write(engine, { ...whole, rows: [...whole.rows.slice(0, 1), broken] })).rejects.toThrow(
    /store .*mock\.db can't be written: /,
  );
  expect((await engine.load(1))?.rows).toHaveLength(3);
  await write(engine, { isWhole: false, head: '{"a":2}', rows: [] });
  expect((await engine.load(1))?.head).toBe('{"a":2}');
  await engine.close();
});

test('only its owner can read the file and what lies beside it', async () => {
  const path = join(makeFolder(), 'mock.db');
  const engine = openSqlite(path);
  await write(engine, whole, '{}');
  for (const one of [path, `${path}-wal`]) expect(statSync(one).mode & 0o777).toBe(0o600);
  await engine.close();
});

test('a file is used by one process at a time', async () => {
  const path = join(makeFolder(), 'mock.db');
  const engine = openSqlite(path);
  await write(engine, whole, '{}');
  expect(() => openSqlite(path)).toThrow(
    `store ${path} can't be opened: another process uses it; end that one, or name another file`,
  );
  await engine.close();
  await openSqlite(path).close();
});

test.each<[string, (path: string) => void, string]>([
  [
    'a database of another program',
    (path) => makeDatabase(path, 'create table t (a)'),
    'it is a database of another program; name another file',
  ],
  [
    'newer tables',
    (path) =>
      makeDatabase(
        path,
        'create table t (a)',
        'pragma application_id = 1936749922',
        'pragma user_version = 9',
      ),
    `its tables are of version 9, and this version of sitepub knows those up to ${tablesVersion}; use the one that wrote it, or name another file`,
  ],
])('refuses %s, and leaves it as it is', (_what, make, problem) => {
  const path = join(makeFolder(), 'mock.db');
  make(path);
  const before = readFileSync(path);
  expect(() => openSqlite(path)).toThrow(problem);
  expect(readFileSync(path)).toEqual(before);
});

function makeDatabase(path: string, ...statements: string[]): void {
  const db = new DatabaseSync(path);
  for (const statement of statements) db.exec(statement);
  db.close();
}
