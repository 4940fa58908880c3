// @module-tag nightly
// A database without room for what a mock has to keep, or for its connection.
import { expect, test } from 'vitest';
import { databaseOfTests } from '../../testing/replicas.ts';
import { startTestMock } from '../../testing/started-mock.ts';
import { placeInDatabase } from '../testing/open-version.ts';
import { ask, publish } from './testing/ask.ts';

const database = databaseOfTests();

/** A mock that may use the database as this user. */
async function start(store: string) {
  const mock = await startTestMock({ store });
  return {
    control: (path: string) => ask(`${mock.controlUrl}${path}`),
    publishNow: () => publish(mock, String(mock.tenants[0]?.apiKey)),
    /** The reasons for which turns have failed. */
    async failures(): Promise<(string | undefined)[]> {
      const text = await (await fetch(`${mock.controlUrl}/metrics`)).text();
      return [...text.matchAll(/^sitepub_turn_failures_total\{reason="(\w+)"\}/gm)].map(
        ([, reason]) => reason,
      );
    },
  };
}

const published = (version: number) => ({ status: 200, body: { data: { version } } });
const full = expect.stringContaining('out of disk, memory or connections');

test('a full disk is told, and nothing is half done', async () => {
  const { url, ask: askDatabase } = await placeInDatabase(database);
  const { control, publishNow, failures } = await start(url);
  expect(await publishNow()).toMatchObject(published(8));
  // As the server says it, in the middle of a turn.
  await askDatabase(`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
  await askDatabase('create trigger full_disk before update on sitepub_world execute function refuse()');
  expect((await publishNow()).status).toBe(503);
  expect(await failures()).toEqual(['full']);
  const asked = async () => {
    // A second later, nothing is left that could not be kept.
    await publishNow();
    return Promise.all(['/ready', '/health'].map(control));
  };
  await expect.poll(asked, { timeout: 30_000 }).toMatchObject([
    { status: 503, body: { error: full } },
    { status: 200, body: { store: { problem: full } } },
  ]);
  await askDatabase('drop trigger full_disk on sitepub_world');
  expect(await publishNow()).toMatchObject(published(9));
  expect(await control('/ready')).toMatchObject({ status: 200, body: { ready: true } });
});

test('a server without a free connection is told, and waited for', async () => {
  const { url, ask: askDatabase } = await placeInDatabase(database);
  const [{ schema } = {}] = await askDatabase('select current_schema() as schema');
  await askDatabase('create role few login');
  await askDatabase(`alter schema ${schema} owner to few`);
  const { control, publishNow, failures } = await start(url.replace('//tester@', '//few@'));
  await askDatabase('alter role few connection limit 0');
  await askDatabase("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'few'");
  expect((await publishNow()).status).toBe(503);
  expect(await control('/ready')).toMatchObject({ status: 503, body: { error: full } });
  expect(await failures()).toContain('full');
  await askDatabase('alter role few connection limit -1');
  expect(await publishNow()).toMatchObject(published(8));
});
