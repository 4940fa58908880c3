import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { MockError, startMock } from '../../start.ts';
import { pathOfTest } from '../../testing/test-store.ts';
import type { Engine } from '../engine.ts';
import type { Batch } from '../rows.ts';
import { openAdmin } from '../store-admin.ts';
import { StoreError } from '../store-error.ts';
import { openSqlite } from './open-sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-damaged-'));
const whole = join(folder, 'whole.db');
const path = join(folder, 'mock.db');

beforeAll(async () => {
  const mock = await startMock({ store: `file:${whole}` });
  for (const name of ['a', 'b', 'c']) await mock.control.createWorld({ name });
  await mock.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function messageOf(work: Promise<void>, kind: typeof MockError | typeof StoreError) {
  const error = await work.catch((caught: unknown) => caught);
  if (error !== undefined) expect(error).toBeInstanceOf(kind);
  return (error as Error | undefined)?.message;
}

const messageOfStart = () => messageOf(start(), MockError);

async function start(): Promise<void> {
  const mock = await startMock({ store: `file:${path}` });
  await fetch(`${mock.controlUrl}/worlds`);
  await mock.close();
}

const messageOfReport = () => messageOf(report(), StoreError);

async function report(): Promise<void> {
  await (await openAdmin(`file:${path}`)).report();
}

function begin(): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true, recursive: true });
  copyFileSync(whole, path);
}

function change(sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

const notOurs = /read: its tables differ from those that sitepub creates; use another file, and back up/;

/** `command` creates the file. */
function replaceBy(command: string): void {
  rmSync(path);
  execFileSync(command, [path]);
}

test.for<[string, () => void, RegExp]>([
  [
    'a text',
    () => writeFileSync(path, 'hello\n'.repeat(2000)),
    /is not a SQLite database; use another file$/,
  ],
  ['zeros', () => writeFileSync(path, Buffer.alloc(8192)), /is not a SQLite database|is damaged/],
  ['a truncated file', () => truncateSync(path, statSync(whole).size - 4096), /damaged/],
  ['half a page', () => truncateSync(path, 2000), /damaged|not a SQLite database/],
  ['a file of another program', () => change('pragma application_id = 7'), /of another program; use another/],
  [
    'another version',
    () => change('pragma user_version = 9'),
    /version 9, .*only version 1; use the version .* file$/,
  ],
  ['a setup that is not JSON', () => change("update sitepub_world set setup = '{' where id = 1"), /damaged/],
  ['a head that is not JSON', () => change("update sitepub_world set head = '{' where id = 1"), /damaged/],
  ['an entry that is not JSON', () => change("update sitepub_entry set value = '{'"), /damaged/],
  ['missing tables', () => change('drop table sitepub_entry'), notOurs],
  ['a missing column', () => change('alter table sitepub_world drop column summary'), notOurs],
  ['a folder', () => replaceBy('mkdir'), /it is a folder; name a file$/],
  ['a pipe', () => replaceBy('mkfifo'), /it is a pipe, a socket or a device; name a file$/],
])('refuses %s with one sentence, and releases the file', async ([, prepare, sentence]) => {
  begin();
  prepare();
  const before = bytesThere();
  const message = await messageOfStart();
  expect(message).toMatch(sentence);
  expect(message).toMatch(/^store .*mock\.db/);
  expect(message).not.toMatch(/\n/);
  expect(await messageOfStart()).toBe(message);
  expect((await messageOfReport()) ?? sentence.source).toMatch(sentence);
  expect(bytesThere()).toEqual(before);
});

function bytesThere(): Buffer | undefined {
  return statSync(path).isFile() ? readFileSync(path) : undefined;
}

/** Whether SQLite itself finds no damage. */
function isSound(): boolean {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare('pragma quick_check(1)').get()?.quick_check === 'ok';
  } catch {
    return false;
  } finally {
    db.close();
  }
}

test.each([
  [4096, 0, 4096],
  [8, 100, 2777],
])('refuses %i zeros anywhere in the file, unless SQLite finds no damage', async (length, first, step) => {
  const bytes = readFileSync(whole);
  const messages = new Set<string | undefined>();
  for (let at = first; at < bytes.length; at += step) {
    begin();
    writeFileSync(path, Buffer.from(bytes).fill(0, at, at + length));
    const sound = isSound();
    const found = [await messageOfStart(), await messageOfReport()];
    if (!sound) expect(found).not.toContain(undefined);
    for (const one of found) messages.add(one?.replace(/^.*mock\.db/, ''));
  }
  for (const one of messages)
    expect(one ?? 'damaged').toMatch(/damaged|not a SQLite database|can't be|another program|have version/);
  expect(messages.size).toBeGreaterThan(1);
});

async function write(engine: Engine, batch: Batch): Promise<void> {
  await engine.turn([{ worldId: 1, work: () => ({ batch, nextDue: undefined }) }]);
}

const rows = [
  { kind: 1, key: 'b', ord: 2, value: '"b"' },
  { kind: 1, key: 'a', ord: 1, value: '"é\\u0000"' },
];
const firstBatch: Batch = { isWhole: true, head: '{"a":1}', rows };

test('persists a batch completely or not at all', async () => {
  const engine = openSqlite(pathOfTest());
  await write(engine, firstBatch);
  const broken = { kind: 3, key: undefined, ord: 1, value: '1' } as never;
  await expect(write(engine, { ...firstBatch, rows: [broken] })).rejects.toThrow(
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
  await write(engine, firstBatch);
  for (const one of [path, `${path}-wal`]) expect(statSync(one).mode & 0o777).toBe(0o600);
  await engine.close();
});

test('finds all due worlds in turn, even if some are never loaded or a query fails', async () => {
  const engine = openSqlite(pathOfTest());
  onTestFinished(engine.close);
  for (let index = 1; index <= 25; index++) {
    const plan = { name: `w${index}`, setup: '{}', summary: '', expiresInMs: undefined };
    const { id: worldId = 0 } = (await engine.worlds.add(plan)) ?? {};
    const batch = { isWhole: true, head: '{}', rows: [] };
    await engine.turn([{ worldId, work: () => ({ batch, nextDue: index }) }]);
  }
  const { worlds } = engine;
  await expect(worlds.due([Number.NaN])).rejects.toThrow(/can't be read/);
  expect(await worlds.due([])).toHaveLength(25);
  const looks: string[][] = [];
  for (let look = 0; look < 4; look++) looks.push(await worlds.due([]));
  expect(looks.map(({ length }) => length)).toEqual([10, 10, 5, 10]);
  expect(new Set(looks.slice(0, 3).flat()).size).toBe(25);
  expect(looks[3]).toEqual(looks[0]);
});
