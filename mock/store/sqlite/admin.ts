import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { collections } from '../../world/collections.ts';
import { StoreError } from '../engine.ts';
import type { StoreAdmin, StoreReport, WorldReport } from '../store-admin.ts';
import { explainSqlite } from './explain-sqlite.ts';
import { checkFile, lockSqliteFile, openSqliteFile, requireFile, sayMissing } from './file.ts';
import { sqliteMigrations } from './migrations.ts';

const known = sqliteMigrations.length;

/** The file is open only while it is used, since a mock could not be started meanwhile. */
export function openSqliteAdmin(path: string): StoreAdmin {
  async function use<Result>(
    what: string,
    work: (db: DatabaseSync, version: number) => Result,
  ): Promise<Result> {
    if (!existsSync(path)) throw new StoreError(`store ${path}: there is no such file`);
    requireFile(path);
    let db: DatabaseSync | undefined;
    try {
      db = lockSqliteFile(path);
      return work(db, checkFile(db, path));
    } catch (error) {
      throw error instanceof StoreError ? error : explainSqlite(error, path, what);
    } finally {
      db?.close();
    }
  }

  return {
    report: () =>
      use('read', (db, version): StoreReport => {
        const base: StoreReport = {
          engine: 'SQLite',
          place: path,
          tables: { version, known },
          problem: undefined,
          replicas: [],
          worlds: [],
        };
        if (version < known)
          return {
            ...base,
            problem: sayMissing(path, version),
          };
        return { ...base, worlds: readWorlds(db) };
      }),
    async migrate() {
      const from = existsSync(path) ? await use('read', (_, version) => version) : 0;
      openSqliteFile(path, { migrates: true }).close();
      return { from, to: known, titles: sqliteMigrations.slice(from).map(({ title }) => title) };
    },
    drop: () =>
      use('written', (db, version) => {
        if (version === 0) return { worlds: 0 };
        const { worlds } = db.prepare('select count(*) as worlds from sitepub_world').get() as {
          worlds: number;
        };
        db.exec(`begin exclusive; drop view if exists sitepub_deliveries; drop view if exists sitepub_sessions;
drop table sitepub_entry; drop table sitepub_world;
pragma user_version = 0; pragma application_id = 0; commit;`);
        // What is in free pages can be read.
        db.exec('vacuum; pragma journal_mode = delete;');
        return { worlds };
      }),
    close: async () => {},
  };
}

function readWorlds(db: DatabaseSync): WorldReport[] {
  const rows = db
    .prepare(
      `select name, count(kind) as entries,
coalesce(sum(kind = ${collections.jobs.kind} and value like '%"kind":"attempt"%'), 0) as pending,
max(0, coalesce(? - next_due, 0)) / 1000.0 as "overdueSeconds", expires_at as "expiresAt"
from sitepub_world left join sitepub_entry on world = id group by id order by id`,
    )
    .all(Date.now()) as unknown as (WorldReport & { expiresAt: number | null })[];
  return rows.map(({ expiresAt, ...rest }) => ({ ...rest, expiresAt: expiresAt ?? undefined }));
}
