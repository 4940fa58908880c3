// The tables in a PostgreSQL database: how the shared SQL reaches them, and how they are made.
import type { Client } from 'pg';
import {
  type Database,
  type Dialect,
  type Query,
  requireVersion,
  type Tables,
  withoutNulls,
} from '../sql/database.ts';
import { type Connection, openConnection } from './connection.ts';
import { postgresSchema } from './schema.ts';

const dialect: Dialect = {
  engine: 'PostgreSQL',
  contents: 'worlds, their entries and requests, replicas, and views for people',
  noTables: 'it has no tables',
  useOthers: 'use the one that made them, or name another store',
  isShared: true,
  partsOfWorlds: ['sitepub_entry', 'sitepub_change', 'sitepub_exchange'],
  // The lock lasts until the end of the transaction. Its number spells "spub".
  lock: ['begin', `select pg_advisory_xact_lock(${0x73707562})`],
  erase: [],
  ms: (expression) => `(extract(epoch from ${expression}) * 1000)::float8`,
  fromNow: (milliseconds) => `now() + ${milliseconds}::float8 * interval '1 millisecond'`,
  numbersIn: (array) => `select value::bigint from json_array_elements_text(${array}::json)`,
  async readVersion(query) {
    const [found] = await query(
      // Not by to_regclass(), which may not see yet what another process has just made.
      `select from pg_class where relname = 'sitepub_schema' and pg_table_is_visible(oid)`,
    );
    if (!found) return 0;
    const [schema] = await query<{ version: number }>('select version from sitepub_schema');
    return schema?.version ?? 0;
  },
};

export async function openTables(url: string): Promise<Tables> {
  const connection = await openConnection(url);
  const database = postgresDatabase(connection);
  return {
    ...database,
    create: () => createTables(database, 'migrated'),
    close: () => connection.close(async () => {}),
  };
}

export function postgresDatabase({ place, use }: Connection): Database {
  return { place, dialect, use: (what, work) => use(what, (db) => work(queryOf(db))) };
}

/** Makes the tables if there are none. Returns the version of those that were there. Throws a StoreError for those of another version. */
export async function createTables(database: Database, what: string): Promise<number> {
  const version = await database.use(what, dialect.readVersion);
  // A user who may not make tables can use those that are there.
  if (version === 0) await database.use(what, createMissing);
  else requireVersion(database, version);
  return version;
}

async function createMissing(query: Query): Promise<void> {
  for (const statement of dialect.lock) await query(statement);
  // Another process may have made them meanwhile.
  if ((await dialect.readVersion(query)) === 0) await query(postgresSchema);
  await query('commit');
}

function queryOf(db: Client): Query {
  return async (text, values = []) => {
    // The answer to several statements is an array.
    const { rows = [] }: { rows?: object[] } = await db.query<object>(text, [...values]);
    return withoutNulls(rows);
  };
}
