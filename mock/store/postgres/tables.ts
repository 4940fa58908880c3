// The tables in a PostgreSQL database: asked by common statements, and made.
import type { Client } from 'pg';
import { StoreError } from '../engine.ts';
import { type Database, type Dialect, type Query, withoutNulls } from '../sql/database.ts';
import { explainVersion, tablesVersion } from '../tables-version.ts';
import type { Connection } from './connection.ts';
import { postgresSchema } from './schema.ts';

/** Processes that start at the same time wait for each other, until the end of the transaction: "spub". */
export const lockTables = ['begin', `select pg_advisory_xact_lock(${0x73707562})`];

const dialect: Dialect = {
  isShared: true,
  partsOfWorlds: ['sitepub_entry', 'sitepub_change', 'sitepub_exchange'],
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

export function postgresDatabase({ place, use }: Connection): Database {
  return { place, dialect, use: (what, work) => use(what, (db) => work(queryOf(db))) };
}

export function readVersion(db: Client): Promise<number> {
  return dialect.readVersion(queryOf(db));
}

/** Makes the tables if there are none. Returns the version of those that were there. Throws a StoreError for those of another version. */
export async function createTables(db: Client, place: string): Promise<number> {
  const version = await readVersion(db);
  const problem = version === 0 ? undefined : explainVersion(version, place);
  if (problem !== undefined) throw new StoreError(problem);
  // Who may not make tables can use those that are there.
  if (version === tablesVersion) return version;
  for (const statement of lockTables) await db.query(statement);
  const isLate = (await readVersion(db)) !== 0;
  if (!isLate) await db.query(postgresSchema);
  await db.query('commit');
  return isLate ? createTables(db, place) : 0;
}

function queryOf(db: Client): Query {
  return async (text, values = []) => withoutNulls((await db.query<object>(text, [...values])).rows);
}
