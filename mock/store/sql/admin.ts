// Looks after the tables of either engine.
import { collections } from '../../world/collections.ts';
import {
  DropRefused,
  type ReplicaReport,
  type StoreAdmin,
  type StoreReport,
  type WorldReport,
} from '../store-admin.ts';
import { asNumber, type Database, explainVersion, type Query, tablesVersion } from './database.ts';

interface AdminParts {
  database: Database;
  /** Begins a transaction in which nobody else makes or removes tables. */
  lock: readonly string[];
  /** What makes what was in removed tables unreadable. */
  erase: readonly string[];
  /** Makes the tables if there are none. Returns the version of those that were there. */
  create(): Promise<number>;
  /** Never fails. */
  close(): Promise<void>;
}

/** A replica that was not seen for so long is not counted as using the store. */
const seenForMs = 60_000;
const views = ['sitepub_deliveries', 'sitepub_sessions'];

interface WorldRow extends Pick<WorldReport, 'name' | 'entries' | 'pending' | 'expiresAt'> {
  /** Negative where nothing is late. */
  lateMs?: number;
}

export function sqlAdmin({ database, lock, erase, create, close }: AdminParts): StoreAdmin {
  const { place, dialect, use } = database;
  const { engine, contents, ms, fromNow, isShared, readVersion, partsOfWorlds } = dialect;

  async function readReplicas(query: Query): Promise<ReplicaReport[]> {
    if (!isShared) return [];
    const seen = `${ms('now() - seen_at')} / 1000`;
    return query<ReplicaReport>(
      `select id, ${ms('started_at')} as "startedAt", ${seen} as "seenSecondsAgo" from sitepub_replica where seen_at > ${fromNow(`-${seenForMs}`)} order by started_at`,
    );
  }

  async function readWorlds(query: Query): Promise<WorldReport[]> {
    const rows = await query<WorldRow>(
      `select name, coalesce(entries, 0) as entries, coalesce(pending, 0) as pending,
${ms('now() - next_due')} as "lateMs", ${ms('expires_at')} as "expiresAt"
from sitepub_world left join (
  select world, ${asNumber('count(*)')} as entries,
    ${asNumber(`count(case when kind = ${collections.jobs.kind} and value like '%"kind":"attempt"%' then 1 end)`)} as pending
  from sitepub_entry group by world) as counts on world = id
order by sitepub_world.id`,
    );
    return rows.map(({ lateMs = 0, ...rest }) => ({ ...rest, overdueSeconds: Math.max(0, lateMs) / 1000 }));
  }

  return {
    report: () =>
      use('read', async (query) => {
        const version = await readVersion(query);
        const problem = explainVersion(database, version);
        const report: StoreReport = {
          engine,
          place,
          tables: { version, known: tablesVersion },
          problem,
          replicas: [],
          worlds: [],
        };
        if (problem !== undefined) return report;
        return { ...report, worlds: await readWorlds(query), replicas: await readReplicas(query) };
      }),
    async migrate() {
      const from = await create();
      return { from, to: tablesVersion, titles: from === tablesVersion ? [] : [contents] };
    },
    drop: ({ isForced }) =>
      use('removed', async (query) => {
        for (const statement of lock) await query(statement);
        const version = await readVersion(query);
        if (version === 0) {
          await query('rollback');
          return { worlds: 0 };
        }
        const problem = explainVersion(database, version);
        if (problem !== undefined) throw new DropRefused(problem);
        const replicas = isForced ? 0 : (await readReplicas(query)).length;
        if (replicas > 0)
          throw new DropRefused(
            `store ${place}: ${replicas} ${replicas === 1 ? 'mock was' : 'mocks were'} seen there in the last minute; end them, or add --force`,
          );
        const worlds = await query('select id from sitepub_world');
        for (const view of views) await query(`drop view if exists ${view}`);
        const tables = [
          ...partsOfWorlds,
          'sitepub_world',
          ...(isShared ? ['sitepub_replica', 'sitepub_schema'] : []),
        ];
        for (const table of tables) await query(`drop table ${table}`);
        await query('commit');
        for (const statement of erase) await query(statement);
        return { worlds: worlds.length };
      }),
    close,
  };
}
