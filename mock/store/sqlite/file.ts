// A file of SQLite, opened for one process alone, with its tables.
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError, sayDamaged } from '../engine.ts';
import { requireVersion } from '../sql/database.ts';
import { dialect } from './dialect.ts';
import { explainSqlite } from './explain-sqlite.ts';
import { applicationId, sqliteSchema } from './schema.ts';

/** Makes the file if it is not there, for its owner alone to read. Throws a StoreError. */
export function openSqliteFile(path: string, { migrates }: { migrates: boolean }): DatabaseSync {
  if (!existsSync(dirname(path))) throw new StoreError(`store ${path}: there is no folder ${dirname(path)}`);
  if (!migrates && !existsSync(path)) requireVersion({ place: path, dialect }, 0);
  requireFile(path);
  let db: DatabaseSync | undefined;
  try {
    // SQLite would make one that others can read, and secrets are in it.
    closeSync(openSync(path, 'a', 0o600));
    db = lockSqliteFile(path);
    const version = checkFile(db, path);
    if (!migrates) requireVersion({ place: path, dialect }, version);
    db.exec('pragma journal_mode = wal');
    // Answered calls are on the disk, even if the machine stops.
    db.exec('pragma synchronous = full');
    if (version === 0) db.exec(`begin exclusive; ${sqliteSchema} commit;`);
    return db;
  } catch (error) {
    db?.close();
    throw error instanceof StoreError ? error : explainSqlite(error, path, 'opened');
  }
}

/** Throws a StoreError for what is there and no file: opening a pipe would wait for who reads it, without end. */
export function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile())
    throw new StoreError(
      `store ${path}: it is ${found.isDirectory() ? 'a folder' : 'a pipe, a socket or a device'}; name a file`,
    );
}

/** Locks the file for this process: changes of another one would not be seen in memory. */
export function lockSqliteFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec('pragma locking_mode = exclusive');
  return db;
}

/** Returns the version of the tables; 0: the file is empty. Throws a StoreError for a damaged file, or one of another program or version. Changes nothing. */
export function checkFile(db: DatabaseSync, path: string): number {
  const { count } = db.prepare('select count(*) as count from sqlite_schema').get() as { count: number };
  const { application_id: id } = db.prepare('pragma application_id').get() as { application_id: number };
  const { user_version: version } = db.prepare('pragma user_version').get() as { user_version: number };
  if (count === 0) return 0;
  if (id !== applicationId)
    throw new StoreError(`store ${path}: it is a database of another program; name another file`);
  requireVersion({ place: path, dialect }, version);
  const [{ quick_check: found } = {}] = db.prepare('pragma quick_check(1)').all();
  if (found !== 'ok') throw new StoreError(sayDamaged(path));
  return version;
}
