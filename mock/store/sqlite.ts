// Rows in a file, by SQLite, which comes with Node: https://nodejs.org/api/sqlite.html
import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type Engine, type Keeping, StoreError } from './engine.ts';
import type { Batch, Row, RowChange } from './row.ts';
import { sqliteWorlds } from './sqlite-worlds.ts';

/** By which a file is known to be one of ours: "spub". */
const applicationId = 0x73707562;
/** Each makes the next shape of the tables, its format. They are never changed: files have them. */
const migrations: readonly string[] = [
  `
create table sitepub_world (id integer primary key, name text not null unique, setup text not null, head text not null);
create table sitepub_entry (
  world integer not null, kind integer not null, key text not null, ord integer not null, value text not null,
  primary key (world, kind, key));
insert into sitepub_world (id, name, setup, head) values (1, 'main', '', '');
pragma application_id = ${applicationId};`,
  `
alter table sitepub_world add created_at integer not null default 0;
alter table sitepub_world add expires_at integer;
alter table sitepub_world add next_due integer;`,
];

/** Opens the file, or makes one that only its owner can read. Throws a StoreError. */
export function openSqlite(path: string): Engine {
  const explain = (error: unknown, what: string) => explainError(error, path, what);
  const db = open(path, explain);
  const statements = prepare(db);

  function transact(work: () => void): void {
    db.exec('begin immediate');
    try {
      work();
      db.exec('commit');
    } catch (error) {
      // A full disk has ended the transaction by itself.
      if (db.isTransaction) db.exec('rollback');
      throw error;
    }
  }

  function writeBatch(worldId: number, { isWhole, head, rows }: Batch): void {
    if (isWhole) statements.clear.run(worldId);
    if (head !== undefined) statements.head.run(head, worldId);
    for (const row of rows) writeRow(statements, worldId, row);
  }

  function writeWorld(worldId: number, { batches, setup, nextDue }: Keeping): void {
    if (setup !== undefined) statements.setup.run(setup, worldId);
    for (const batch of batches) writeBatch(worldId, batch);
    statements.due.run(nextDue === undefined ? null : Math.ceil(nextDue), worldId);
  }

  return {
    name: 'SQLite',
    place: path,
    worlds: sqliteWorlds(db, { explain, transact }),
    async load(worldId) {
      try {
        const { head } = (statements.world.get(worldId) ?? { head: '' }) as { head: string };
        return head === '' ? undefined : { head, rows: statements.rows.all(worldId) as unknown as Row[] };
      } catch (error) {
        throw explain(error, 'read');
      }
    },
    async turn(members) {
      // Nobody else uses the file.
      const keepings = members
        .map(({ worldId, work }) => ({ worldId, keeping: work({}) }))
        .filter(({ keeping: { batches, setup } }) => batches.length > 0 || setup !== undefined);
      if (keepings.length === 0) return [];
      try {
        transact(() => {
          for (const { worldId, keeping } of keepings) writeWorld(worldId, keeping);
        });
      } catch (error) {
        throw explain(error, 'written');
      }
      return [];
    },
    async check() {
      try {
        statements.world.get(1);
      } catch (error) {
        throw explain(error, 'read');
      }
    },
    async close() {
      if (db.isOpen) db.close();
    },
  };
}

type Explain = (error: unknown, what: string) => Error;

function open(path: string, explain: Explain): DatabaseSync {
  if (!existsSync(dirname(path))) throw new StoreError(`store ${path}: there is no folder ${dirname(path)}`);
  let db: DatabaseSync | undefined;
  try {
    // SQLite would make one that others can read, and secrets are in it.
    closeSync(openSync(path, 'a', 0o600));
    db = new DatabaseSync(path);
    // One process at a time: what another one writes would not be seen in memory.
    db.exec('pragma locking_mode = exclusive');
    const format = checkFile(db, path);
    db.exec('pragma journal_mode = wal');
    // What was answered is on the disk, whatever the machine does then.
    db.exec('pragma synchronous = full');
    for (const [index, migration] of migrations.entries())
      if (index >= format)
        db.exec(`begin exclusive; ${migration} pragma user_version = ${index + 1}; commit;`);
    return db;
  } catch (error) {
    db?.close();
    throw error instanceof StoreError ? error : explain(error, 'opened');
  }
}

/** Returns its format, 0 where nothing is in it yet. Throws a StoreError for a file of another program or a newer format, and changes nothing in it. */
function checkFile(db: DatabaseSync, path: string): number {
  const { count } = db.prepare('select count(*) as count from sqlite_schema').get() as { count: number };
  const { application_id: id } = db.prepare('pragma application_id').get() as { application_id: number };
  const { user_version: format } = db.prepare('pragma user_version').get() as { user_version: number };
  if (count === 0) return 0;
  if (id !== applicationId)
    throw new StoreError(`store ${path}: it is a database of another program; name another file`);
  if (format > migrations.length)
    throw new StoreError(
      `store ${path}: it is of format ${format}, and this version of sitepub reads those up to ${migrations.length}; use the one that wrote it, or name another file`,
    );
  return format;
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: DatabaseSync) {
  return {
    world: db.prepare('select head from sitepub_world where id = ?'),
    setup: db.prepare('update sitepub_world set setup = ? where id = ?'),
    head: db.prepare('update sitepub_world set head = ? where id = ?'),
    due: db.prepare('update sitepub_world set next_due = ? where id = ?'),
    clear: db.prepare('delete from sitepub_entry where world = ?'),
    rows: db.prepare('select kind, key, ord, value from sitepub_entry where world = ? order by kind, ord'),
    row: db.prepare(
      'insert into sitepub_entry (world, kind, key, ord, value) values (?, ?, ?, ?, ?) on conflict do update set ord = excluded.ord, value = excluded.value',
    ),
    nothing: db.prepare('delete from sitepub_entry where world = ? and kind = ? and key = ?'),
  } satisfies Record<string, StatementSync>;
}

function writeRow(statements: Statements, worldId: number, { kind, key, ord, value }: RowChange): void {
  if (value === undefined) statements.nothing.run(worldId, kind, key);
  else statements.row.run(worldId, kind, key, ord, value);
}

const fullCode = 13;
/** By the result codes of SQLite: https://www.sqlite.org/rescode.html */
const reasons: Readonly<Record<number, string>> = {
  5: 'another process uses it; end that one, or name another file',
  8: 'it may not be written; check who owns it, and its folder',
  10: 'the disk reports an error',
  11: 'it is damaged; name another file, and keep this one if what is in it is wanted',
  13: 'the disk is full; make room',
  14: 'it can not be opened; check who owns it, and its folder',
  26: 'it is no SQLite database; name another file',
};

function explainError(error: unknown, path: string, what: string): StoreError {
  const { errcode, message } = error as { errcode?: number; message: string };
  // The extended codes have the ordinary one in their lowest byte.
  const reason = errcode === undefined ? undefined : reasons[errcode & 255];
  const kind = errcode !== undefined && (errcode & 255) === fullCode ? 'full' : 'other';
  return new StoreError(`store ${path} can't be ${what}: ${reason ?? message}`, { reason: kind });
}
