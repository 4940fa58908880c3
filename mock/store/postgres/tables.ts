// The version of the tables in a PostgreSQL database: checked, and brought up to date.
import type { Client } from 'pg';
import { StoreError } from '../engine.ts';
import type { Migration } from '../migration.ts';
import { postgresMigrations } from './migrations.ts';

/** By which processes that start at the same time wait for each other: "spub". */
const lock = 0x73707562;

/** The version of the tables; 0: there are none. */
export async function readVersion(db: Client): Promise<number> {
  const { rows: found } = await db.query<{ isThere: boolean }>(
    // Not by to_regclass(), which may not see yet what another process has just made.
    `select exists (select from pg_class where relname = 'sitepub_schema' and pg_table_is_visible(oid)) as "isThere"`,
  );
  if (!found[0]?.isThere) return 0;
  const { rows } = await db.query<{ version: number }>('select version from sitepub_schema');
  return rows[0]?.version ?? 0;
}

/** What keeps this version of sitepub from using tables of a version; undefined: nothing. */
export function explainVersion(version: number, place: string): string | undefined {
  const known = postgresMigrations.length;
  if (version === known) return undefined;
  if (version > known)
    return `store ${place}: its tables are of version ${version}, and this version of sitepub knows those up to ${known}; use the one that made them, or name another store`;
  const problem =
    version === 0 ? 'it has no tables' : `its tables are of version ${version}, and ${known} is needed`;
  return `store ${place}: ${problem}; run \`sitepub store migrate\`, or start a mock without \`--store-migrate never\``;
}

/** Makes the tables, or changes them to the newest version. Returns what was done. Throws a StoreError for those that are too new. */
export async function migrate(db: Client, place: string): Promise<readonly Migration[]> {
  // Who may not make tables can use those that are there.
  if (missingAt(await readVersion(db), place).length === 0) return [];
  await db.query('begin');
  await lockTables(db);
  const missing = missingAt(await readVersion(db), place);
  for (const migration of missing) {
    if (migration === postgresMigrations[0])
      await db.query(
        'create table sitepub_schema (version int not null); insert into sitepub_schema values (0)',
      );
    await db.query(migration.sql);
  }
  await db.query('update sitepub_schema set version = version + $1', [missing.length]);
  await db.query('commit');
  return missing;
}

/** Until the end of the transaction. */
export async function lockTables(db: Client): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(${lock})`);
}

function missingAt(version: number, place: string): readonly Migration[] {
  if (version > postgresMigrations.length) throw new StoreError(explainVersion(version, place) ?? '');
  return postgresMigrations.slice(version);
}
