// What people see of a store, by SQL.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { makeSchema, startPostgres } from '../testing/postgres-server.ts';
import type { Attempt, Delivery } from '../world/entries.ts';
import { createEmptyWorld } from '../world/world.ts';
import { openStore } from './open-store.ts';

const time = 1_767_225_600_000;
const nextAttemptAt = time + 60_000;
// PostgreSQL has no text with these.
const odd = '\u0000 \ud800';

const attempt = { at: time, cause: 'event', requestHeaders: {}, durationMs: 0 } satisfies Partial<Attempt>;
const delivery: Delivery = {
  ...{ id: 7, siteId: 101, subscriptionId: 1, event: 'publish.complete', channel: 'custom', isTest: false },
  ...{ createdAt: time, url: 'https://a.example/s3cr3t', body: odd, signature: 's3cr3t', state: 'pending' },
  ...{ retries: 0, nextAttemptAt, attempts: [{ ...attempt, outcome: { status: 500, body: odd } }] },
};

async function fill(url: string): Promise<void> {
  const opened = await openStore(url, () => {}, createMetrics());
  const world = createEmptyWorld(1, { mode: 'manual', time });
  const store = opened.main.keep(world, () => {});
  store.begin('{}');
  await store.turn(() => {
    world.deliveries.set(7, delivery);
    const error = { ...attempt, outcome: { error: 'refused' } };
    world.deliveries.set(8, { ...delivery, id: 8, attempts: [error], nextAttemptAt: undefined });
    world.deliveries.set(9, delivery);
    world.sessions.set('s3cr3t', { tenantId: 1, username: 'ann', expiresAt: time });
  });
  await store.turn(() => world.deliveries.delete(9));
  await store.close();
  await opened.close();
}

function expected(timeOf: (ms: number) => unknown) {
  const common = { world: 'main', site: 101, event: 'publish.complete', channel: 'custom', state: 'pending' };
  const shown = { ...common, created_at: timeOf(time), attempts: 1 };
  return {
    deliveries: [
      { ...shown, id: 7, last_status: 500, next_attempt_at: timeOf(nextAttemptAt) },
      { ...shown, id: 8, last_status: null, next_attempt_at: null },
    ],
    sessions: [{ world: 'main', tenant: 1, username: 'ann', expires_at: timeOf(time) }],
  };
}

test('SQLite shows deliveries and sessions, without secrets', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-views-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'mock.db');
  await fill(`file:${path}`);
  const db = new DatabaseSync(path);
  const ask = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  const deliveries = ask('select * from sitepub_deliveries order by id');
  const sessions = ask('select * from sitepub_sessions');
  db.close();
  expect({ deliveries, sessions }).toEqual(expected((ms) => new Date(ms).toISOString()));
});

test('PostgreSQL shows deliveries and sessions, without secrets', { tags: ['nightly'] }, async () => {
  const database = await startPostgres({ isDurable: false });
  onTestFinished(() => database.stop());
  const url = await makeSchema(database);
  await fill(url);
  const db = new Client({ connectionString: url });
  await db.connect();
  onTestFinished(() => db.end());
  const ask = async (sql: string) => (await db.query<Record<string, unknown>>(sql)).rows;
  const deliveries = await ask('select * from sitepub_deliveries order by id');
  const sessions = await ask('select * from sitepub_sessions');
  const some = await ask('select id from sitepub_deliveries where id = 8');
  const toNumbers = ({ id, site, tenant, ...rest }: Record<string, unknown>) =>
    JSON.parse(
      JSON.stringify({
        ...rest,
        ...(id ? { id: Number(id), site: Number(site) } : { tenant: Number(tenant) }),
      }),
    );
  expect({ deliveries: deliveries.map(toNumbers), sessions: sessions.map(toNumbers) }).toEqual(
    expected((ms) => new Date(ms).toISOString()),
  );
  expect(some).toHaveLength(1);
});
