// @module-tag nightly
// A database without room for what a mock has to keep, or for its connection.
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type KeptMock, startMock } from '../../start.ts';
import { makeSchema } from '../../testing/postgres-server.ts';
import { openDatabase } from '../../testing/replicas.ts';

async function open() {
  const database = await openDatabase();
  const db = new Client({ connectionString: database.url });
  await db.connect();
  onTestFinished(() => db.end());
  return { database, db };
}

/** Returns the status, and the version. */
async function publish({ baseUrl, tenants: [tenant] }: KeptMock, note: string) {
  const answer = await fetch(`${baseUrl}/tenant/sites/101/publish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tenant?.apiKey}` },
    body: JSON.stringify({ note }),
  });
  const { data } = (await answer.json()) as { data?: { version: number } };
  return [answer.status, data?.version];
}

async function askControl({ controlUrl }: KeptMock, path: string): Promise<[number, unknown]> {
  const answer = await fetch(`${controlUrl}${path}`);
  return [answer.status, await answer.json()];
}

async function failuresOf({ controlUrl }: KeptMock): Promise<string[]> {
  const text = await (await fetch(`${controlUrl}/metrics`)).text();
  return [...text.matchAll(/^sitepub_turn_failures_total\{reason="(\w+)"\}/gm)].map(
    ([, reason = '']) => reason,
  );
}

test('a full disk is told, and nothing is half done', async () => {
  const { database, db } = await open();
  const mock = await startMock({ store: database.url });
  onTestFinished(() => mock.close());
  expect(await publish(mock, 'a')).toEqual([200, 8]);
  // As the server says it, in the middle of a turn.
  await db.query(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
  await db.query('create trigger full_disk before update on sitepub_world execute function refuse()');
  expect(await publish(mock, 'b')).toEqual([503, undefined]);
  expect(await failuresOf(mock)).toEqual(['full']);
  const full = expect.stringContaining('out of disk, memory or connections');
  const asked = async () => {
    // A second later, nothing is left that could not be kept.
    await publish(mock, 'b');
    return Promise.all(['/ready', '/health'].map((path) => askControl(mock, path)));
  };
  await expect.poll(asked, { timeout: 30_000 }).toMatchObject([
    [503, { error: full }],
    [200, { store: { problem: full } }],
  ]);
  await db.query('drop trigger full_disk on sitepub_world');
  expect(await publish(mock, 'c')).toEqual([200, 9]);
  expect(await askControl(mock, '/ready')).toEqual([200, { ready: true }]);
});

test('a server without a free connection is told, and waited for', async () => {
  const { database, db } = await open();
  const url = new URL(await makeSchema(database));
  const schema = url.searchParams.get('options')?.split('=').pop();
  await db.query('create role few login');
  await db.query(`alter schema ${schema} owner to few`);
  url.username = 'few';
  const mock = await startMock({ store: url.href });
  onTestFinished(() => mock.close());
  await db.query('alter role few connection limit 0');
  await db.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'few'");
  expect(await publish(mock, 'a')).toEqual([503, undefined]);
  expect(await askControl(mock, '/ready')).toEqual([
    503,
    { error: expect.stringContaining('out of disk, memory or connections') },
  ]);
  expect(await failuresOf(mock)).toContain('full');
  await db.query('alter role few connection limit -1');
  expect(await publish(mock, 'b')).toEqual([200, 8]);
});
