// Whatever lies where a store is expected, the mock starts on it or says in a sentence why not, and never waits.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
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
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MockError, startMock } from '../../start.ts';
import { StoreError } from '../engine.ts';
import { openAdmin } from '../store-admin.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-damaged-'));
const whole = join(folder, 'whole.db');
const path = join(folder, 'mock.db');

beforeAll(async () => {
  const mock = await startMock({ store: `file:${whole}` });
  for (const name of ['a', 'b', 'c']) await mock.control.createWorld({ name });
  await mock.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a start says; undefined: it started. */
async function tell(): Promise<string | undefined> {
  try {
    const mock = await startMock({ store: `file:${path}` });
    await fetch(`${mock.controlUrl}/worlds`);
    await mock.close();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(MockError);
    return (error as Error).message;
  }
}

/** What `store status` says. */
async function look(): Promise<string | undefined> {
  try {
    await (await openAdmin(`file:${path}`)).report();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    return (error as Error).message;
  }
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

/** What is there in place of a file. */
function putThere(make: () => void): void {
  rmSync(path);
  make();
}

test.for<[string, () => void, RegExp]>([
  ['a text', () => writeFileSync(path, 'hello\n'.repeat(2000)), /is no SQLite database; name another file$/],
  ['zeros', () => writeFileSync(path, Buffer.alloc(8192)), /is no SQLite database|is damaged/],
  ['a file that is cut off', () => truncateSync(path, statSync(whole).size - 4096), /damaged/],
  ['half a page', () => truncateSync(path, 2000), /damaged|no SQLite database/],
  ['what another program has', () => change('pragma application_id = 7'), /of another program; name another/],
  [
    'another version',
    () => change('pragma user_version = 9'),
    /tables are of version 9, .* name another file$/,
  ],
  ['a setup that is no JSON', () => change("update sitepub_world set setup = '{' where id = 1"), /damaged/],
  ['a head that is no JSON', () => change("update sitepub_world set head = '{' where id = 1"), /damaged/],
  ['an entry that is no JSON', () => change("update sitepub_entry set value = '{'"), /damaged/],
  ['tables that are missing', () => change('drop table sitepub_entry'), /no such table/],
  ['a folder', () => putThere(() => mkdirSync(path)), /it is a folder; name a file$/],
  [
    'a pipe',
    () => putThere(() => execFileSync('mkfifo', [path])),
    /it is a pipe, a socket or a device; name a file$/,
  ],
])('%s is refused with a sentence, and left free', async ([, prepare, sentence]) => {
  begin();
  prepare();
  const before = bytesThere();
  const said = await tell();
  expect(said).toMatch(sentence);
  expect(said).toMatch(/^store .*mock\.db/);
  expect(said).not.toMatch(/\n/);
  expect(await tell()).toBe(said);
  expect(bytesThere()).toEqual(before);
});

/** Undefined: there is no file. */
function bytesThere(): Buffer | undefined {
  return statSync(path).isFile() ? readFileSync(path) : undefined;
}

test('a device is refused', async () => {
  await expect(startMock({ store: 'file:/dev/null' })).rejects.toThrow('it is a pipe, a socket or a device');
});

/** Whether SQLite itself finds nothing wrong, whatever is read at a start. */
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

test('a page of zeros, wherever it is, is refused with a sentence, or holds nothing that is kept', async () => {
  const bytes = readFileSync(whole);
  const pages = Math.ceil(bytes.length / 4096);
  const said = new Set<string | undefined>();
  for (let page = 0; page < pages; page++) {
    const zeroed = Buffer.from(bytes);
    zeroed.fill(0, page * 4096, (page + 1) * 4096);
    begin();
    writeFileSync(path, zeroed);
    const sound = isSound();
    const started = await tell();
    const looked = await look();
    if (!sound) expect([started, looked]).not.toContain(undefined);
    for (const one of [started, looked]) said.add(one?.replace(/^.*mock\.db/, ''));
  }
  for (const one of said) expect(one ?? 'damaged').toMatch(/damaged|no SQLite database/);
  expect(pages).toBeGreaterThan(5);
  expect([...said].filter((one) => one !== undefined).length).toBeGreaterThan(0);
});

test('eight zeros in the middle of a page are refused with a sentence, or change nothing that is needed', async () => {
  const bytes = readFileSync(whole);
  for (let at = 100; at < bytes.length; at += 1777) {
    const zeroed = Buffer.from(bytes);
    zeroed.fill(0, at, at + 8);
    begin();
    writeFileSync(path, zeroed);
    const said = await tell();
    expect(said ?? 'damaged').toMatch(/damaged|no SQLite database|can't be|another program|are of version/);
  }
});
