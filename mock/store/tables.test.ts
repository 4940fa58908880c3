import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { databaseOfTests, openSchema } from '../testing/replicas.ts';
import { pathOfTest } from '../testing/test-store.ts';
import type { Attempt, Delivery } from '../world/entries.ts';
import { createEmptyWorld } from '../world/world.ts';
import type { OpenOptions } from './engine.ts';
import { openStore } from './open-store.ts';
import { openConnection } from './postgres/connection.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { changesSince } from './postgres/statements.ts';
import { postgresSchema } from './postgres/tables.ts';
import { sqliteSchema } from './sqlite/open-sqlite.ts';
import { StoreError } from './store-error.ts';

const time = 1_767_225_600_000;

async function openMain(url: string, options: OpenOptions = {}) {
  const opened = await openStore(url, () => {}, createMetrics(), options);
  const world = opened.main.world ?? createEmptyWorld(1, { mode: 'manual', time });
  const store = opened.main.persist(world, () => {});
  await opened.worlds.begin('{}');
  await store.turn(() => {});
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await store.close();
    await opened.close();
  };
  onTestFinished(close);
  const user = { tenantId: 1, salt: '', passwordDigest: '' };
  const add = (name: string) => store.turn(() => void world.users.set(name, user));
  return { world, store, worlds: opened.worlds, close, add };
}

type Place = Awaited<ReturnType<typeof openSchema>>;

const nextAttemptAt = time + 60_000;
// PostgreSQL rejects these characters.
const odd = '\u0000 \ud800';

const attempt = { at: time, cause: 'event', requestHeaders: {}, durationMs: 0 } satisfies Partial<Attempt>;
const delivery: Delivery = {
  ...{ id: 7, siteId: 101, subscriptionId: 1, event: 'publish.complete', channel: 'custom', isTest: false },
  ...{ createdAt: time, url: 'https://a.example/s3cr3t', body: odd, signature: 's3cr3t', state: 'pending' },
  ...{ retries: 0, nextAttemptAt, attempts: [{ ...attempt, outcome: { status: 500, body: odd } }] },
};
const common = { world: 'main', site: 101, event: 'publish.complete', channel: 'custom', state: 'pending' };
const shown = { ...common, created_at: '2026-01-01T00:00:00.000Z', attempts: 1 };

async function expectViews({ url, ask }: Place): Promise<void> {
  const { world, store, close } = await openMain(url);
  await store.turn(() => {
    world.deliveries.set(7, delivery);
    const error = { ...attempt, outcome: { error: 'refused' } };
    world.deliveries.set(8, { ...delivery, id: 8, attempts: [error], nextAttemptAt: undefined });
    world.deliveries.set(9, delivery);
    world.sessions.set('s3cr3t', { tenantId: 1, username: 'ann', expiresAt: time });
  });
  await store.turn(() => world.deliveries.delete(9));
  await close();
  const deliveries = await ask(
    'select *, cast(id as int) as id, cast(site as int) as site from sitepub_deliveries',
  );
  const sessions = await ask('select *, cast(tenant as int) as tenant from sitepub_sessions');
  expect(JSON.parse(JSON.stringify({ deliveries, sessions }))).toEqual({
    deliveries: expect.arrayContaining([
      { ...shown, id: 7, last_status: 500, next_attempt_at: '2026-01-01T00:01:00.000Z' },
      { ...shown, id: 8, last_status: null, next_attempt_at: null },
    ]),
    sessions: [{ world: 'main', tenant: 1, username: 'ann', expires_at: '2026-01-01T00:00:00.000Z' }],
  });
  expect(deliveries).toHaveLength(2);
  expect(await ask('select id from sitepub_deliveries where id = 8')).toHaveLength(1);
}

test('SQLite views show deliveries and sessions without secrets', () => {
  const path = pathOfTest();
  const ask: Place['ask'] = async (sql) => {
    const db = new DatabaseSync(path);
    const rows = db.prepare(sql).all();
    db.close();
    return rows;
  };
  return expectViews({ url: `file:${path}`, ask });
});

describe('in PostgreSQL', { tags: ['nightly'] }, () => {
  const database = databaseOfTests();

  test('creates tables unless `migrates: false`, and refuses a newer version, also while running', async () => {
    const { url, ask } = await openSchema(database);
    await expect(openMain(url, { migrates: false })).rejects.toThrow(
      /it has no tables; run `sitepub mock store migrate`, or start a mock without `--store-migrate never`$/,
    );
    await openMain(url);
    const opened = await openMain(url, { migrates: false });
    await opened.add('ann');
    await ask('update sitepub_schema set version = 99');
    const problem =
      /its tables have version 99, but this sitepub supports only version \d; use the version that created them/;
    expect(await opened.store.check()).toMatch(problem);
    await expect(opened.add('bo')).rejects.toThrow(problem);
    await expect(openMain(url)).rejects.toThrow(problem);
    await ask('drop table sitepub_schema');
    expect(await opened.store.check()).toContain('it has no tables; run `sitepub mock store migrate`');
  });

  test('reports changed tables, and uses them again once they are restored', async () => {
    const { url, ask } = await openSchema(database);
    const opened = await openMain(url);
    await ask('alter table sitepub_world rename column head to start');
    await expect(opened.add('ann')).rejects.toThrow(
      /^store .* can't be written: its tables differ from those that sitepub creates; undo the changes, or use another store$/,
    );
    await ask('alter table sitepub_world rename column start to head');
    await opened.add('ann');
  });

  test('views show deliveries and sessions without secrets', async () =>
    expectViews(await openSchema(database)));

  test('a user without the right to create tables can use existing ones', async () => {
    const { url, ask } = await openSchema(database);
    await (await openMain(url)).close();
    const [{ schema } = {}] = await ask('select current_schema() as schema');
    await ask(`create role plain login; grant usage on schema ${schema} to plain`);
    await ask(`grant select, insert, update, delete on all tables in schema ${schema} to plain`);
    const opened = await openMain(url.replace('//tester@', '//plain@'));
    await opened.add('ann');
    const plan = { name: 'pr-1', setup: '{}', summary: '{}', expiresInMs: undefined };
    expect(await opened.worlds.add(plan)).toMatchObject({ name: 'pr-1' });
    expect(await opened.worlds.remove('pr-1')).toBe(true);
    expect(await opened.store.check()).toBeUndefined();
  });

  test('finds changes of others by index, without JIT, even in a world with many changes', async () => {
    const { url } = await openSchema(database);
    await openMain(url);
    const connection = await openConnection(url);
    const { text } = changesSince(new Map());
    const plan = await connection.use('read', async (db) => {
      await db.query(
        "insert into sitepub_change (world, version, kinds, keys) select 1, version, '{1}', array[version::text] from generate_series(1, 60000) as version order by random()",
      );
      await db.query('analyze sitepub_change');
      await db.query(`prepare changes (bigint[], bigint[]) as ${text}`);
      const { rows } = await db.query<{ 'QUERY PLAN': string }>("explain execute changes ('{1}', '{59999}')");
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(plan).toContain('sitepub_change_pkey');
    expect(plan).not.toMatch(/Seq Scan|JIT/);
    await connection.close(async () => {});
  });
});

// A changed schema needs the next version, since released stores have these tables.
test.each([
  ['PostgreSQL', postgresSchema, '29f743d4a94b'],
  ['SQLite', sqliteSchema, '8eb5bac1a81e'],
])('the %s tables of version 1 are unchanged', (_engine, schema, digest) => {
  expect(hash('sha256', schema).slice(0, 12)).toBe(digest);
});

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(kind: string, text: string): Buffer {
  const head = Buffer.from(`${kind}????`);
  head.writeUInt32BE(text.length + 4, 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

test.each([
  ['without tables', message('C', 'SELECT 0\0')],
  ['that refuses the planner settings', message('E', 'SERROR\0C42501\0Mno\0\0')],
])('closes the connection to a server %s', async (_, answer) => {
  const { promise: closed, resolve } = Promise.withResolvers<unknown>();
  const ready = message('Z', 'I');
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('close', resolve);
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', '\0\0\0\0'), ready]));
      socket.on('data', () => socket.write(Buffer.concat([answer, ready])));
    });
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const opening = openPostgres(`postgres://a@127.0.0.1:${port}/a`, { migrates: false });
  await expect(opening).rejects.toThrow(StoreError);
  await closed;
});
