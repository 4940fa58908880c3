import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lazily } from '../../../openapi/libraries.ts';
import { createTurns } from '../../clock/work.ts';
import { collections } from '../../world/collections.ts';
import type { Engine, OpenOptions, TurnChanges } from '../engine.ts';
import type { Row } from '../rows.ts';
import {
  type Database,
  type Dialect,
  type Query,
  requireVersion,
  type Tables,
  tablesVersion,
  withoutNulls,
} from '../sql/database.ts';
import { sqlWorlds } from '../sql/worlds.ts';
import { StoreError, sayDamaged } from '../store-error.ts';

/** Marks the file as one of sitepub: "spub" in ASCII. */
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

function timeOf(property: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%fZ', (value ->> '${property}') / 1000.0, 'unixepoch')`;
}

/** Times are milliseconds since 1970 by this machine's clock. */
const dialect: Dialect = {
  engine: 'SQLite',
  contents: 'tables of worlds and entries, and read-only views',
  noTables: 'there are no tables yet',
  useOthers: 'use the version that created it, or another file',
  isShared: false,
  partsOfWorlds: ['sitepub_entry'],
  lock: ['begin exclusive'],
  // Free pages contain dropped tables until `vacuum`.
  erase: ['pragma user_version = 0', 'pragma application_id = 0', 'vacuum', 'pragma journal_mode = delete'],
  ms: (expression) => expression,
  fromNow: (milliseconds) => `now() + ${milliseconds}`,
  async readVersion(query) {
    const [found] = await query<{ version: number }>(
      'select user_version as version from pragma_user_version where exists (select 1 from sqlite_schema)',
    );
    return found?.version ?? 0;
  },
};

function databaseOf(db: DatabaseSync, path: string): Database & Pick<Tables, 'close'> {
  db.function('now', () => Date.now());
  const query: Query = async (text, values = []) => {
    const named = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, value]));
    return withoutNulls(db.prepare(text).all(named));
  };
  const inOrder = createTurns();

  return {
    place: path,
    dialect,
    use: (what, work) =>
      inOrder(async () => {
        try {
          return await work(query);
        } catch (error) {
          // SQLite itself rolls back when the disk is full.
          if (db.isTransaction) db.exec('rollback');
          throw explainSqlite(error, path, what);
        }
      }),
    close: () =>
      inOrder(async () => {
        if (db.isOpen) db.close();
      }),
  };
}

/** Creates a missing file that only its owner can read. Throws a StoreError. */
function openFile(path: string, { migrates }: { migrates: boolean }): DatabaseSync {
  if (!existsSync(dirname(path)))
    throw new StoreError(`store ${path}: the folder ${dirname(path)} does not exist`);
  if (!migrates && !existsSync(path)) requireVersion({ place: path, dialect }, 0);
  return lockFile(path, 'opened', (db, version) => {
    if (!migrates) requireVersion({ place: path, dialect }, version);
    db.exec('pragma journal_mode = wal');
    // Each commit is synced, so answered calls survive a power failure.
    db.exec('pragma synchronous = full');
    if (version === 0) db.exec(`begin exclusive; ${sqliteSchema} commit;`);
  });
}

/** Locks the file, since a world in memory would miss the changes of another process. Throws a StoreError. */
function lockFile(
  path: string,
  what: string,
  prepare: (db: DatabaseSync, version: number) => void = () => {},
): DatabaseSync {
  const found = statSync(path, { throwIfNoEntry: false });
  // Opening a pipe would block until another process opens its other end.
  if (found && !found.isFile())
    throw new StoreError(
      `store ${path}: it is ${found.isDirectory() ? 'a folder' : 'a pipe, a socket or a device'}; name a file`,
    );
  let db: DatabaseSync | undefined;
  try {
    // SQLite would create a file that others can read, and it contains secrets.
    if (!found) closeSync(openSync(path, 'a', 0o600));
    db = new DatabaseSync(path);
    db.exec('pragma locking_mode = exclusive');
    prepare(db, checkFile(db, path));
    return db;
  } catch (error) {
    db?.close();
    throw explainSqlite(error, path, what);
  }
}

/** Returns 0 for an empty file. Throws a StoreError if it is damaged or of another program or version. */
function checkFile(db: DatabaseSync, path: string): number {
  const asked = `select (select count(*) from sqlite_schema) as count, application_id as id, user_version as version
from pragma_application_id, pragma_user_version`;
  const { count, id, version } = db.prepare(asked).get() as { count: number; id: number; version: number };
  if (count === 0) return 0;
  if (id !== applicationId)
    throw new StoreError(`store ${path}: it is a database of another program; use another file`);
  requireVersion({ place: path, dialect }, version);
  const [{ quick_check: found } = {}] = db.prepare('pragma quick_check(1)').all();
  if (found !== 'ok') throw new StoreError(sayDamaged(path));
  return version;
}

/** Throws a StoreError if the file can't be opened. */
export function openSqlite(path: string, { migrates = true }: OpenOptions = {}): Engine {
  const db = openFile(path, { migrates });
  const database = databaseOf(db, path);
  const { use, close } = database;
  /** Prepared within `use`, which explains the error if tables are missing. */
  const statements = lazily(() => prepare(db));

  function writeWorld(worldId: number, { batch, nextDue }: TurnChanges): void {
    const { clear, nothing, row, change } = statements();
    if (batch?.isWhole) clear.run(worldId);
    for (const { kind, key, ord, value } of batch?.rows ?? [])
      if (value === undefined) nothing.run(worldId, kind, key);
      else row.run(worldId, kind, key, ord, value);
    change.run(batch?.head ?? null, nextDue === undefined ? null : Math.ceil(nextDue), worldId);
  }

  return {
    name: 'SQLite',
    place: path,
    worlds: sqlWorlds(database),
    load: (worldId) =>
      use('read', async () => {
        const { world, rows } = statements();
        const { head } = (world.get(worldId) ?? { head: '' }) as { head: string };
        return head === '' ? undefined : { head, rows: rows.all(worldId) as unknown as Row[] };
      }),
    turn: (members) =>
      use('written', async () => {
        // The file is locked for this process, so the work needs no transaction.
        const changed = members
          .map(({ worldId, work }) => ({ worldId, changes: work({}) }))
          .filter(({ changes }) => changes.batch);
        if (changed.length === 0) return [];
        db.exec('begin immediate');
        for (const { worldId, changes } of changed) writeWorld(worldId, changes);
        db.exec('commit');
        return [];
      }),
    check: () => use('read', async () => void statements().world.get(1)),
    close,
  };
}

function prepare(db: DatabaseSync) {
  return {
    world: db.prepare('select head from sitepub_world where id = ?'),
    change: db.prepare('update sitepub_world set head = coalesce(?, head), next_due = ? where id = ?'),
    clear: db.prepare('delete from sitepub_entry where world = ?'),
    rows: db.prepare('select kind, key, ord, value from sitepub_entry where world = ? order by kind, ord'),
    row: db.prepare(
      'insert into sitepub_entry (world, kind, key, ord, value) values (?, ?, ?, ?, ?) on conflict do update set ord = excluded.ord, value = excluded.value',
    ),
    nothing: db.prepare('delete from sitepub_entry where world = ? and kind = ? and key = ?'),
  };
}

/** Opens the file for each `use` only, so that mocks can be started in between. */
export function openTables(path: string): Tables {
  const use: Database['use'] = async (what, work) => {
    if (!existsSync(path)) throw new StoreError(`store ${path}: the file does not exist`);
    const database = databaseOf(lockFile(path, what), path);
    return database.use(what, work).finally(database.close);
  };

  return {
    place: path,
    dialect,
    use,
    async create() {
      const before = existsSync(path) ? await use('read', dialect.readVersion) : 0;
      openFile(path, { migrates: true }).close();
      return before;
    },
    close: async () => {},
  };
}

/** By result code: https://www.sqlite.org/rescode.html */
const reasons: Readonly<Record<number, string>> = {
  // Our statements are valid, so tables or columns are missing.
  1: 'its tables differ from those that sitepub creates; use another file, and back up this one if you need its data',
  5: 'another process uses it; stop that process, or use another file',
  8: 'it is not writable; check the owner of the file and of its folder',
  10: 'the disk reports an error',
  11: 'it is damaged; use another file, and back up this one if you need its data',
  13: 'the disk is full; free some space',
  14: "it can't be opened; check the owner of the file and of its folder",
  26: 'it is not a SQLite database; use another file',
};

function explainSqlite(error: unknown, path: string, what: string): StoreError {
  if (error instanceof StoreError) return error;
  const { errcode = 0, message } = error as { errcode?: number; message: string };
  // An extended code has the primary code in its lowest byte.
  const code = errcode & 255;
  return new StoreError(`store ${path} can't be ${what}: ${reasons[code] ?? message}`, {
    reason: code === 13 ? 'full' : 'other',
  });
}
