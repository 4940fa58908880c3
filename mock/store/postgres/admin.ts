import type { Client } from 'pg';
import { collections } from '../../world/collections.ts';
import {
  DropRefused,
  type ReplicaReport,
  type StoreAdmin,
  type StoreReport,
  type WorldReport,
} from '../store-admin.ts';
import { openConnection } from './connection.ts';
import { postgresMigrations } from './migrations.ts';
import { seenLately } from './replica.ts';
import { explainVersion, lockTables, migrate, readVersion } from './tables.ts';

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
const lateness = (column: string) => `extract(epoch from now() - ${column})::float8`;
const known = postgresMigrations.length;

export async function openPostgresAdmin(url: string): Promise<StoreAdmin> {
  const connection = await openConnection(url);
  const { place, use } = connection;

  async function readReplicas(db: Client): Promise<ReplicaReport[]> {
    const { rows } = await db.query<ReplicaReport>(
      `select id, ${ms('started_at')} as "startedAt", ${lateness('seen_at')} as "seenSecondsAgo" from sitepub_replica where ${seenLately} order by started_at`,
    );
    return rows;
  }

  async function readWorlds(db: Client): Promise<WorldReport[]> {
    const { rows } = await db.query<WorldReport & { expiresAt: number | null }>(
      `select name, coalesce(entries, 0) as entries, coalesce(pending, 0) as pending,
greatest(0, coalesce(${lateness('next_due')}, 0)) as "overdueSeconds", ${ms('expires_at')} as "expiresAt"
from sitepub_world left join (
  select world, count(*)::float8 as entries, (count(*) filter (where kind = $1 and value like '%"kind":"attempt"%'))::float8 as pending
  from sitepub_entry group by world) as counts on world = id
order by id`,
      [collections.jobs.kind],
    );
    return rows.map(({ expiresAt, ...rest }) => ({ ...rest, expiresAt: expiresAt ?? undefined }));
  }

  return {
    report: () =>
      use('read', async (db) => {
        const version = await readVersion(db);
        const base = {
          engine: 'PostgreSQL',
          place,
          tables: { version, known },
          problem: explainVersion(version, place),
          replicas: [],
          worlds: [],
        } satisfies StoreReport;
        if (base.problem !== undefined) return base;
        return { ...base, worlds: await readWorlds(db), replicas: await readReplicas(db) };
      }),
    migrate: () =>
      use('migrated', async (db) => {
        const version = await readVersion(db);
        const titles = (await migrate(db, place)).map(({ title }) => title);
        return { from: version, to: version + titles.length, titles };
      }),
    drop: ({ isForced }) =>
      use('removed', async (db) => {
        await db.query('begin');
        await lockTables(db);
        const version = await readVersion(db);
        if (version > known)
          throw new DropRefused(
            `store ${place}: its tables are of version ${version}, and this version of sitepub knows those up to ${known}; use the one that made them`,
          );
        if (version === 0) return { worlds: 0 };
        const replicas = isForced ? [] : await findReplicas(db);
        if (replicas.length > 0)
          throw new DropRefused(
            `store ${place}: ${replicas.length} ${replicas.length === 1 ? 'mock was' : 'mocks were'} seen there in the last minute; end them, or add --force`,
          );
        const { rows } = await db.query<{ worlds: number }>(
          'select count(*)::int as worlds from sitepub_world',
        );
        await db.query('drop view if exists sitepub_deliveries, sitepub_sessions');
        await db.query(
          'drop table if exists sitepub_entry, sitepub_change, sitepub_exchange, sitepub_replica, sitepub_world, sitepub_schema',
        );
        await db.query('commit');
        return { worlds: rows[0]?.worlds ?? 0 };
      }),
    close: () => connection.close(async () => {}),
  };
}

/** Of tables of any version. */
async function findReplicas(db: Client): Promise<readonly unknown[]> {
  const { rows } = await db.query(`select id from sitepub_replica where ${seenLately}`);
  return rows;
}
