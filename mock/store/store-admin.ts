import { resolve } from 'node:path';
import { collections } from '../world/collections.ts';
import { asNumber, explainVersion, type Query, type Tables, tablesVersion } from './sql/database.ts';
import { StoreError } from './store-error.ts';
import { fileOf } from './store-url.ts';

export class DropRefused extends StoreError {}

export type StoreAdmin = Awaited<ReturnType<typeof openAdmin>>;
export type StoreReport = Awaited<ReturnType<StoreAdmin['report']>>;
export type Migrated = Awaited<ReturnType<StoreAdmin['migrate']>>;

const seenForMs = 60_000;

/** Connects on first use. Throws a StoreError if the URL names no store. */
export async function openAdmin(url: string) {
  const path = fileOf(url);
  if (path === undefined) return adminOf(await (await import('./postgres/tables.ts')).openTables(url));
  return adminOf((await import('./sqlite/open-sqlite.ts')).openTables(resolve(path)));
}

function adminOf(tables: Tables) {
  const { place, dialect, use, create, close } = tables;
  const { engine, contents, ms, fromNow, isShared, readVersion, partsOfWorlds, lock, erase } = dialect;

  /** `startedAt` is in milliseconds since 1970. */
  async function readReplicas(query: Query) {
    if (!isShared) return [];
    const seen = `${ms('now() - seen_at')} / 1000`;
    return query<{ id: string; startedAt: number; seenSecondsAgo: number }>(
      `select id, ${ms('started_at')} as "startedAt", ${seen} as "seenSecondsAgo" from sitepub_replica where seen_at > ${fromNow(`-${seenForMs}`)} order by started_at`,
    );
  }

  /** `pending`: attempts that wait or are in progress. `overdueSeconds`: how long the oldest due job has waited. */
  async function readWorlds(query: Query) {
    type Row = { name: string; entries: number; pending: number; lateMs?: number; expiresAt?: number };
    const rows = await query<Row>(
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
    /** Throws a StoreError if the store can't be read. */
    report: () =>
      use('read', async (query) => {
        const version = await readVersion(query);
        const problem = explainVersion(tables, version);
        const fits = problem === undefined;
        return {
          engine,
          place,
          /** `version` is 0 without tables; `known` is the one that this sitepub uses. */
          tables: { version, known: tablesVersion },
          /** Why this sitepub can't use the store, and what to do; `replicas` and `worlds` are empty then. */
          problem,
          replicas: fits ? await readReplicas(query) : [],
          worlds: fits ? await readWorlds(query) : [],
        };
      }),
    /** Creates missing tables; `from` is 0 then. Throws a StoreError if it can't, or for tables of another version. */
    async migrate() {
      const from = await create();
      return { from, to: tablesVersion, titles: from === tablesVersion ? [] : [contents] };
    },
    /** Returns how many worlds were removed. Throws DropRefused for another version, or while mocks use the tables unless `isForced`. */
    drop: ({ isForced }: { isForced: boolean }) =>
      use('removed', async (query) => {
        for (const statement of lock) await query(statement);
        const version = await readVersion(query);
        if (version === 0) {
          await query('rollback');
          return { worlds: 0 };
        }
        const problem = explainVersion(tables, version);
        if (problem !== undefined) throw new DropRefused(problem);
        const replicas = isForced ? 0 : (await readReplicas(query)).length;
        if (replicas > 0)
          throw new DropRefused(
            `store ${place}: ${replicas} ${replicas === 1 ? 'mock has' : 'mocks have'} used it in the last minute; stop them, or add --force`,
          );
        const worlds = await query('select id from sitepub_world');
        for (const view of ['sitepub_deliveries', 'sitepub_sessions'])
          await query(`drop view if exists ${view}`);
        const others = isShared ? ['sitepub_replica', 'sitepub_schema'] : [];
        for (const table of ['sitepub_world', ...partsOfWorlds, ...others])
          await query(`drop table ${table}`);
        await query('commit');
        for (const statement of erase) await query(statement);
        return { worlds: worlds.length };
      }),
    /** Never fails. */
    close,
  };
}
