import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { startMock } from '../../mock/start.ts';
import { makeSchema } from '../../mock/testing/postgres-server.ts';
import { databaseOfTests, openSchema } from '../../mock/testing/replicas.ts';
import { openCommand, sendJson } from '../testing.ts';

const { folder, runHere } = openCommand();

const inStore =
  (store: string) =>
  (...words: string[]) =>
    runHere(['mock', 'store', ...words], { SITEPUB_STORE: store });

test('creates, shows and drops the tables of a file', async () => {
  const file = join(folder, 'mock.db');
  const store = `file:${file}`;
  const run = inStore(store);
  expect(await run('status')).toEqual({
    status: 3,
    stdout: '',
    stderr: `sitepub: store ${file}: the file does not exist\n`,
  });
  expect(existsSync(file)).toBe(false);
  expect((await run('migrate')).stdout).toBe(
    '  1  tables of worlds and entries, and read-only views\nthe tables now have version 1\n',
  );
  expect((await run('migrate')).stdout).toBe('the tables already have version 1\n');
  const mock = await startMock({ store, clock: 'manual', storeMigrate: 'never' });
  await mock.control.createWorld({ name: 'pr-1' });
  const inUse = await run('status');
  await mock.close();
  expect(inUse).toMatchObject({
    status: 3,
    stderr: `sitepub: store ${file} can't be read: another process uses it; stop that process, or use another file\n`,
  });
  const { stdout } = await run('status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    engine: 'SQLite',
    place: file,
    tables: { version: 1, known: 1 },
    fits: true,
    pending: 0,
    replicas: [],
    worlds: [{ name: 'main' }, { name: 'pr-1', expires_at: null }],
  });
  expect(await run('drop')).toMatchObject({
    status: 2,
    stderr:
      'sitepub: drop deletes all worlds in the store; add --yes to confirm (`sitepub mock store drop --help`)\n',
  });
  expect((await run('drop', '--yes')).stdout).toBe('deleted the tables and 2 worlds\n');
  expect(await run('drop', '--yes')).toMatchObject({ status: 0, stdout: 'there were no tables\n' });
  const emptied = await run('status');
  expect([emptied.status, emptied.stdout]).toEqual([1, expect.stringContaining('tables:\n  version: 0\n')]);
  await (await startMock({ store })).close();
});

test('does not change a file of another program', async () => {
  const text = join(folder, 'text.db');
  writeFileSync(text, 'hello\n'.repeat(100));
  expect((await inStore(`file:${text}`)('drop', '--yes')).status).toBe(3);
  const other = join(folder, 'other.db');
  const db = new DatabaseSync(other);
  db.exec('create table t (a); insert into t values (1)');
  for (const action of [['status'], ['migrate'], ['drop', '--yes']])
    expect(await runHere(['mock', 'store', ...action, '--store', `file:${other}`])).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('it is a database of another program'),
    });
  expect(db.prepare('select a from t').all()).toEqual([{ a: 1 }]);
  db.close();
});

describe('in PostgreSQL', { tags: ['nightly'] }, () => {
  const database = databaseOfTests();

  test('shows mocks, worlds and pending pushes, and drops only its own tables', async () => {
    const { url: store, ask } = await openSchema(database);
    const run = inStore(store);
    await ask('create table others (a int)');
    const before = await run('status');
    expect([before.status, before.stdout]).toEqual([1, expect.stringContaining('tables:\n  version: 0\n')]);
    expect((await run('migrate')).stdout).toMatch(
      / {2}1 {2}tables of worlds, .*\n.*the tables now have version \d\n$/s,
    );
    const mocks = [await startMock({ store, storeMigrate: 'never' }), await startMock({ store })];
    const username = 'mei@harbour-cafe.example';
    const call = (operation: string, values: object) =>
      sendJson(`${mocks[0]?.controlUrl}/calls`, { operation, username, values: { siteID: 101, ...values } });
    const nowhere = { url: 'http://127.0.0.1:1/', events: ['publish.complete'], channel: 'custom' };
    await call('createSubscription', nowhere);
    await call('publishSite', { note: 'first' });
    const status = async () => JSON.parse((await run('status', '--json')).stdout);
    await expect.poll(status, { timeout: 5000 }).toMatchObject({
      engine: 'PostgreSQL',
      fits: true,
      pending: 1,
      replicas: [{}, {}],
      worlds: [{ name: 'main', pending: 1 }],
    });
    expect((await run('status')).stdout).toMatch(
      /^replicas:\n( {2}- id: .*\n.*\n.*\n){2}worlds:\n {2}- name: main$/m,
    );
    expect(await run('drop', '--yes')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('2 mocks have used it in the last minute; stop them, or add --force'),
    });
    const forced = await run('drop', '--yes', '--force');
    expect(forced).toMatchObject({ status: 0, stdout: 'deleted the tables and 1 world\n' });
    for (const mock of mocks) await mock.close();
    const tables = await ask('select tablename from pg_tables where schemaname = current_schema()');
    expect(tables).toEqual([{ tablename: 'others' }]);
  });

  test('exits with 3 for a missing database', async () => {
    const url = new URL(await makeSchema(database));
    url.pathname = '/nowhere';
    expect(await inStore(url.href)('status')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('the database does not exist; create it'),
    });
  });

  test('explains tables of a newer version', async () => {
    const { url: store, ask } = await openSchema(database);
    const run = inStore(store);
    await run('migrate');
    await ask('update sitepub_schema set version = 99');
    const newer = await run('status');
    expect([newer.status, newer.stdout]).toEqual([
      1,
      expect.stringMatching(/problem: .*have version 99, .* supports only version 1/),
    ]);
    expect(await run('drop', '--yes')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('its tables have version 99'),
    });
  });
});
