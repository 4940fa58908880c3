// Tables of any version, and who may use them.

import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../testing/postgres-server.ts';
import { measureAhead } from './engine-clock.ts';
import { postgresMigrations } from './postgres/migrations.ts';
import { sqliteMigrations } from './sqlite/migrations.ts';
import { openTables, openVersion } from './testing/open-version.ts';

test('a file with tables of any version is brought up to date, but not with `migrates: false`', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-versions-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (let version = 0; version < sqliteMigrations.length; version++) {
    const path = join(folder, `${version}.db`);
    if (version > 0) {
      const db = new DatabaseSync(path);
      for (const { sql } of sqliteMigrations.slice(0, version)) db.exec(sql);
      db.exec(`pragma user_version = ${version}`);
      db.close();
    }
    await expect(openVersion(`file:${path}`, { migrates: false })).rejects.toThrow(
      /(there are no tables yet|its tables are of version \d, and \d is needed); run `sitepub store migrate`, or start a mock without `--store-migrate never`$/,
    );
    const opened = await openVersion(`file:${path}`, {});
    await opened.add('ann');
    await opened.close();
    await (await openVersion(`file:${path}`, { migrates: false })).close();
  }
});

describe('in PostgreSQL', { tags: ['nightly'] }, () => {
  let database: PostgresServer;
  beforeAll(async () => {
    database = await startPostgres({ isDurable: false });
  });
  afterAll(() => database.stop());

  test('tables of any version are brought up to date, but not with `migrates: false`', async () => {
    for (let version = 0; version < postgresMigrations.length; version++) {
      const { url, ask } = await openTables(database);
      if (version > 0) {
        await ask('create table sitepub_schema (version int not null)');
        for (const { sql } of postgresMigrations.slice(0, version)) await ask(sql);
        await ask(`insert into sitepub_schema values (${version})`);
      }
      await expect(openVersion(url, { migrates: false })).rejects.toThrow(
        /(it has no tables|its tables are of version \d, and \d is needed); run `sitepub store migrate`, or start a mock without `--store-migrate never`$/,
      );
      const opened = await openVersion(url, {});
      await opened.add('ann');
      await opened.close();
      expect(await ask('select version from sitepub_schema')).toEqual([
        { version: postgresMigrations.length },
      ]);
      await openVersion(url, { migrates: false });
    }
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

// Stores have them: a change of the tables is one more migration, and one more line here.
test.each([
  ['PostgreSQL', postgresMigrations, ['d9adf499d467']],
  ['SQLite', sqliteMigrations, ['89224e0ae584']],
])('the migrations of %s are what they were', (_engine, migrations, digests) => {
  expect(migrations.map(({ sql }) => hash('sha256', sql).slice(0, 12))).toEqual(digests);
});

test('the clock of the same machine is the same, however late an answer is read', () => {
  const ahead = measureAhead();
  expect([-3, -200, -1, -500, -40, 2].map(ahead)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('what was measured first late is corrected by the next answer', () => {
  const ahead = measureAhead();
  expect([4800, 5000, 4999].map(ahead)).toEqual([4800, 5000, 5000]);
  expect([-200, -1].map(measureAhead())).toEqual([-200, 0]);
});

test('a clock that was set is followed: ahead at once, and back when all answers say so', () => {
  const ahead = measureAhead();
  expect([0, 60_000].map(ahead)).toEqual([0, 60_000]);
  const after = Array.from({ length: 8 }, () => ahead(10));
  expect(after).toEqual([...Array.from({ length: 7 }, () => 60_000), 0]);
});
