// What `sitepub store` does: looks into a store without a mock, makes its tables, and removes them.
import { resolve } from 'node:path';
import { collections } from '../world/collections.ts';
import { StoreError } from './engine.ts';
import { asNumber, explainVersion, type Query, type Tables, tablesVersion } from './sql/database.ts';
import { parseStoreUrl } from './store-url.ts';

/** The tables could be removed, and were not. */
export class DropRefused extends StoreError {}

export interface StoreAdmin {
  /** Throws a StoreError if the store can't be read, and changes nothing. */
  report(): Promise<StoreReport>;
  /** Makes the tables where there are none. Throws a StoreError if that can't be, and for tables of another version. */
  migrate(): Promise<Migrated>;
  /** Removes the tables with all that is in them, and no others. Throws a StoreError if that can't be, and DropRefused for tables of another version and, unless forced, while mocks use them. */
  drop(options: { isForced: boolean }): Promise<Dropped>;
  /** Never fails. */
  close(): Promise<void>;
}

export interface StoreReport {
  /** Such as "SQLite". */
  engine: string;
  /** Without secrets. */
  place: string;
  tables: {
    /** 0: there are none. */
    version: number;
    /** The version that this version of sitepub makes. */
    known: number;
  };
  /** Why this version of sitepub can't use the store, and what to do; undefined: it can. Then there are neither replicas nor worlds here. */
  problem: string | undefined;
  /** The replicas that were seen in the last minute. */
  replicas: ReplicaReport[];
  /** Sorted by creation, oldest first. */
  worlds: WorldReport[];
}

interface ReplicaReport {
  id: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  seenSecondsAgo: number;
}

export interface WorldReport {
  name: string;
  entries: number;
  /** How many pushes wait or are under way. */
  pending: number;
  /** How long the oldest due job has waited; 0: nothing is late. */
  overdueSeconds: number;
  /** Milliseconds since 1970; undefined: never. */
  expiresAt: number | undefined;
}

export interface Migrated {
  /** The version of the tables that were there; 0: there were none. */
  from: number;
  to: number;
  /** What was made, for people. */
  titles: string[];
}

interface Dropped {
  /** How many worlds there were; 0: there were no tables. */
  worlds: number;
}

/** A replica that was not seen for longer does not use the store any more. */
const seenForMs = 60_000;
const views = ['sitepub_deliveries', 'sitepub_sessions'];

interface WorldRow extends Pick<WorldReport, 'name' | 'entries' | 'pending' | 'expiresAt'> {
  /** Negative if nothing is late. */
  lateMs?: number;
}

/** Connects when it is used. Throws a StoreError for what is no store. */
export async function openAdmin(url: string): Promise<StoreAdmin> {
  const { engine, path } = parseStoreUrl(url);
  // Engines and their drivers are loaded on demand.
  if (engine === 'postgres') return adminOf(await (await import('./postgres/tables.ts')).openTables(url));
  return adminOf((await import('./sqlite/file.ts')).openTables(resolve(path)));
}

function adminOf(tables: Tables): StoreAdmin {
  const { place, dialect, use, create, close } = tables;
  const { engine, contents, ms, fromNow, isShared, readVersion, partsOfWorlds, lock, erase } = dialect;

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
        const problem = explainVersion(tables, version);
        const fits = problem === undefined;
        return {
          engine,
          place,
          tables: { version, known: tablesVersion },
          problem,
          replicas: fits ? await readReplicas(query) : [],
          worlds: fits ? await readWorlds(query) : [],
        };
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
        const problem = explainVersion(tables, version);
        if (problem !== undefined) throw new DropRefused(problem);
        const replicas = isForced ? 0 : (await readReplicas(query)).length;
        if (replicas > 0)
          throw new DropRefused(
            `store ${place}: ${replicas} ${replicas === 1 ? 'mock was' : 'mocks were'} seen there in the last minute; end them, or add --force`,
          );
        const worlds = await query('select id from sitepub_world');
        for (const view of views) await query(`drop view if exists ${view}`);
        const others = isShared ? ['sitepub_replica', 'sitepub_schema'] : [];
        for (const table of ['sitepub_world', ...partsOfWorlds, ...others])
          await query(`drop table ${table}`);
        await query('commit');
        for (const statement of erase) await query(statement);
        return { worlds: worlds.length };
      }),
    close,
  };
}
