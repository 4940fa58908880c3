// The version of the tables in a PostgreSQL database: checked, and brought up to date.
import type { Client } from 'pg';
import { StoreError } from '../engine.ts';
import type { Migration } from '../migration.ts';
import { postgresMigrations } from './migrations.ts';

/** By which processes that start at the same time wait for each other: "spub". */
const lock = 0x73707562;

export interface Tables {
  /** 0: there are none. */
  version: number;
  /** The lowest version that a program has to know to use them. */
  oldest: number;
}

export async function readTables(db: Client): Promise<Tables> {
  const { rows: found } = await db.query<{ isThere: boolean }>(
    // Not by to_regclass(), which may not see yet what another process has just made.
    `select exists (select from pg_class where relname = 'sitepub_schema' and pg_table_is_visible(oid)) as "isThere"`,
  );
  if (!found[0]?.isThere) return { version: 0, oldest: 1 };
  const { rows } = await db.query<Partial<Tables>>('select * from sitepub_schema');
  const { version = 0, oldest = 1 } = rows[0] ?? {};
  return { version, oldest };
}

/** What keeps this version of sitepub from using the tables; undefined: nothing. */
export function explainTables({ version, oldest }: Tables, place: string): string | undefined {
  const known = postgresMigrations.length;
  if (oldest > known)
    return `store ${place}: its tables are of version ${version}, and can be used by a sitepub that knows version ${oldest}; this one knows those up to ${known}: use a newer one, or name another store`;
  if (version >= known) return undefined;
  const problem =
    version === 0 ? 'it has no tables' : `its tables are of version ${version}, and ${known} is needed`;
  return `store ${place}: ${problem}; run \`sitepub store migrate\`, or start a mock without \`--store-migrate never\``;
}

/** Makes the tables, or changes them to the newest version. Returns what was done. Throws a StoreError for those that are too new. */
export async function migrate(db: Client, place: string): Promise<readonly Migration[]> {
  // Who may not make tables can use those that are there.
  if (missingAt(await readTables(db), place).length === 0) return [];
  await db.query('begin');
  await lockTables(db);
  const missing = missingAt(await readTables(db), place);
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

function missingAt(tables: Tables, place: string): readonly Migration[] {
  if (tables.oldest > postgresMigrations.length) throw new StoreError(explainTables(tables, place) ?? '');
  return postgresMigrations.slice(tables.version);
}
