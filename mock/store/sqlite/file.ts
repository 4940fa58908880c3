// A file of SQLite: its tables, how the shared SQL reaches them, and what is wrong with a file.
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { collections } from '../../world/collections.ts';
import { StoreError, sayDamaged } from '../engine.ts';
import {
  type Database,
  type Dialect,
  type Query,
  requireVersion,
  type Tables,
  tablesVersion,
  withoutNulls,
} from '../sql/database.ts';

/** Marks a file as one of ours. It spells "spub". */
const applicationId = 0x73707562;

export const sqliteSchema = `
create table sitepub_world (
  id integer primary key, name text not null unique, setup text, summary text not null default '', head text not null default '',
  created_at integer not null default 0, expires_at integer, next_due integer);
create table sitepub_entry (
  world integer not null, kind integer not null, key text not null, ord integer not null, value text not null,
  primary key (world, kind, key));
insert into sitepub_world (id, name) values (1, 'main');
create view sitepub_deliveries as
select sitepub_world.name as world, cast(key as integer) as id, value ->> 'siteId' as site,
  value ->> 'event' as event, value ->> 'channel' as channel, value ->> 'state' as state,
  ${timeOf('createdAt')} as created_at, json_array_length(value, '$.attempts') as attempts,
  value ->> '$.attempts[#-1].outcome.status' as last_status, ${timeOf('nextAttemptAt')} as next_attempt_at
from sitepub_entry join sitepub_world on sitepub_world.id = world where kind = ${collections.deliveries.kind};
create view sitepub_sessions as
select sitepub_world.name as world, value ->> 'tenantId' as tenant, value ->> 'username' as username,
  ${timeOf('expiresAt')} as expires_at
from sitepub_entry join sitepub_world on sitepub_world.id = world where kind = ${collections.sessions.kind};
pragma application_id = ${applicationId};
pragma user_version = ${tablesVersion};`;

/** A time in UTC, such as "2026-01-01T00:00:00.000Z". */
function timeOf(property: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%fZ', (value ->> '${property}') / 1000.0, 'unixepoch')`;
}

/** Times are milliseconds since 1970, by the clock of this machine. */
export const dialect: Dialect = {
  engine: 'SQLite',
  contents: 'worlds and their entries, and views of them for people',
  noTables: 'there are no tables yet',
  useOthers: 'use the one that wrote it, or name another file',
  isShared: false,
  partsOfWorlds: ['sitepub_entry'],
  lock: ['begin exclusive'],
  // Dropped tables could still be read in free pages.
  erase: ['pragma user_version = 0', 'pragma application_id = 0', 'vacuum', 'pragma journal_mode = delete'],
  ms: (expression) => expression,
  fromNow: (milliseconds) => `now() + ${milliseconds}`,
  numbersIn: (array) => `select value from json_each(${array})`,
  async readVersion(query) {
    const [found] = await query<{ version: number }>(
      'select user_version as version from pragma_user_version where exists (select 1 from sqlite_schema)',
    );
    return found?.version ?? 0;
  },
};

export function queryOf(db: DatabaseSync): Query {
  db.function('now', () => Date.now());
  return async (text, values = []) => {
    const named = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
    return withoutNulls(db.prepare(text).all(named));
  };
}

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
    throw explainSqlite(error, path, 'opened');
  }
}

/** Throws a StoreError for what is there and no file: opening a pipe would wait for who reads it, without end. */
function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile())
    throw new StoreError(
      `store ${path}: it is ${found.isDirectory() ? 'a folder' : 'a pipe, a socket or a device'}; name a file`,
    );
}

/** Locks the file for this process: changes of another one would not be seen in memory. */
function lockSqliteFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec('pragma locking_mode = exclusive');
  return db;
}

/** Returns the version of the tables; 0: the file is empty. Throws a StoreError for a damaged file, or one of another program or version. Changes nothing. */
function checkFile(db: DatabaseSync, path: string): number {
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
      throw explainSqlite(error, path, what);
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

const fullCode = 13;
/** Keys are result codes of SQLite: https://www.sqlite.org/rescode.html */
const reasons: Readonly<Record<number, string>> = {
  5: 'another process uses it; end that one, or name another file',
  8: 'it may not be written; check who owns it, and its folder',
  10: 'the disk reports an error',
  11: 'it is damaged; name another file, and keep this one if what is in it is wanted',
  13: 'the disk is full; make room',
  14: 'it can not be opened; check who owns it, and its folder',
  26: 'it is no SQLite database; name another file',
};

export function explainSqlite(error: unknown, path: string, what: string): StoreError {
  if (error instanceof StoreError) return error;
  const { errcode, message } = error as { errcode?: number; message: string };
  // The extended codes have the ordinary one in their lowest byte.
  const reason = errcode === undefined ? undefined : reasons[errcode & 255];
  const kind = errcode !== undefined && (errcode & 255) === fullCode ? 'full' : 'other';
  return new StoreError(`store ${path} can't be ${what}: ${reason ?? message}`, { reason: kind });
}
