// The tables of a file as `sitepub store` uses them.
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../engine.ts';
import type { Database, Tables } from '../sql/database.ts';
import { dialect, queryOf } from './dialect.ts';
import { explainSqlite } from './explain-sqlite.ts';
import { checkFile, lockSqliteFile, openSqliteFile, requireFile } from './file.ts';

/** The file is open only while it is used, since a mock could not be started meanwhile. */
export function openTables(path: string): Tables {
  const use: Database['use'] = async (what, work) => {
    if (!existsSync(path)) throw new StoreError(`store ${path}: there is no such file`);
    requireFile(path);
    let db: DatabaseSync | undefined;
    try {
      db = lockSqliteFile(path);
      checkFile(db, path);
      return await work(queryOf(db));
    } catch (error) {
      throw error instanceof StoreError ? error : explainSqlite(error, path, what);
    } finally {
      db?.close();
    }
  };

  return {
    place: path,
    dialect,
    use,
    async create() {
      const before = existsSync(path) ? await use('read', dialect.readVersion) : 0;
      openSqliteFile(path, { migrates: true }).close();
      return before;
    },
    close: async () => {},
  };
}
