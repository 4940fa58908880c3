// Which tables are used, who may use them, and the clock that goes with them.

import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../testing/postgres-server.ts';
import { postgresSchema } from './postgres/tables.ts';
import { measureAhead } from './shared/agenda.ts';
import { sqliteSchema } from './sqlite/file.ts';
import { openTables, openVersion } from './testing/open-version.ts';

test('a file gets its tables, but not with `migrates: false`, and one of another version is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-versions-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'mock.db');
  const missing =
    /there are no tables yet; run `sitepub store migrate`, or start a mock without `--store-migrate never`$/;
  await expect(openVersion(`file:${path}`, { migrates: false })).rejects.toThrow(missing);
  writeFileSync(path, '');
  await expect(openVersion(`file:${path}`, { migrates: false })).rejects.toThrow(missing);
  const opened = await openVersion(`file:${path}`, {});
  await opened.add('ann');
  await opened.close();
  await (await openVersion(`file:${path}`, { migrates: false })).close();
  const db = new DatabaseSync(path);
  db.exec('pragma user_version = 2');
  db.close();
  await expect(openVersion(`file:${path}`, {})).rejects.toThrow(
    /its tables are of version 2, and this version of sitepub knows those up to 1; use the one that wrote it/,
  );
});

describe('in PostgreSQL', { tags: ['nightly'] }, () => {
  let database: PostgresServer;
  beforeAll(async () => {
    database = await startPostgres({ isDurable: false });
  });
  afterAll(() => database.stop());

  test('tables are made, but not with `migrates: false`', async () => {
    const { url, ask } = await openTables(database);
    await expect(openVersion(url, { migrates: false })).rejects.toThrow(
      /it has no tables; run `sitepub store migrate`, or start a mock without `--store-migrate never`$/,
    );
    const opened = await openVersion(url, {});
    await opened.add('ann');
    await opened.close();
    expect(await ask('select version from sitepub_schema')).toEqual([{ version: 1 }]);
    await openVersion(url, { migrates: false });
  });

  test('tables of a newer version are refused, also by who uses them', async () => {
    const { url, ask } = await openTables(database);
    await (await openVersion(url, {})).close();
    const opened = await openVersion(url, {});
    await ask('update sitepub_schema set version = 99');
    const problem =
      /its tables are of version 99, and this version of sitepub knows those up to \d; use the one that made them/;
    expect(await opened.store.check()).toMatch(problem);
    await expect(opened.add('ann')).rejects.toThrow(problem);
    await expect(openVersion(url, {})).rejects.toThrow(problem);
    await ask('drop table sitepub_schema');
    expect(await opened.store.check()).toContain('it has no tables; run `sitepub store migrate`');
  });

  test('a user who may not make tables can use those that are there', async () => {
    const { url, ask } = await openTables(database);
    await (await openVersion(url, {})).close();
    const [{ schema } = {}] = await ask('select current_schema() as schema');
    await ask(`create role plain login; grant usage on schema ${schema} to plain`);
    await ask(`grant select, insert, update, delete on all tables in schema ${schema} to plain`);
    const opened = await openVersion(url.replace('//tester@', '//plain@'), {});
    await opened.add('ann');
    const plan = { name: 'pr-1', setup: '{}', summary: '{}', expiresInMs: undefined };
    expect(await opened.opened.worlds.add(plan)).toMatchObject({ name: 'pr-1' });
    expect(await opened.opened.worlds.remove('pr-1')).toBe(true);
    expect(await opened.store.check()).toBeUndefined();
  });
});

// Stores that were made by a release have these tables: another schema needs the next version.
test.each([
  ['PostgreSQL', postgresSchema, '29f743d4a94b'],
  ['SQLite', sqliteSchema, '8eb5bac1a81e'],
])('the tables of version 1 in %s are what they were', (_engine, schema, digest) => {
  expect(hash('sha256', schema).slice(0, 12)).toBe(digest);
});

test.each([
  ['the same machine is the same, however late an answer is read', [-3, -200, -1, 2], [0, 0, 0, 0]],
  ['another machine, measured late at first, is corrected', [4800, 5000, 4999], [4800, 5000, 5000]],
  ['the same machine, measured late at first, is corrected', [-200, -1], [-200, 0]],
  ['an engine that was set ahead is followed at once', [0, 60_000], [0, 60_000]],
  [
    'an engine that was set back is followed when all answers say so',
    [60_000, ...Array.from({ length: 8 }, () => 10)],
    [...Array.from({ length: 8 }, () => 60_000), 0],
  ],
])('the clock of %s', (_what, measured, ahead) => {
  expect(measured.map(measureAhead())).toEqual(ahead);
});
