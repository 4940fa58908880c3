// Rows in a file, by SQLite, which comes with Node: https://nodejs.org/api/sqlite.html
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Engine, Keeping, OpenOptions } from '../engine.ts';
import type { Batch, Row, RowChange } from '../rows/row.ts';
import { explainSqlite } from './explain-sqlite.ts';
import { openSqliteFile } from './file.ts';
import { sqliteWorlds } from './worlds.ts';

/** Opens the file, or makes one that only its owner can read. Throws a StoreError. */
export function openSqlite(path: string, { migrates = true }: OpenOptions = {}): Engine {
  const db = openSqliteFile(path, { migrates });
  try {
    return createEngine(db, path);
  } catch (error) {
    // Tables are missing.
    db.close();
    throw explainSqlite(error, path, 'opened');
  }
}

function createEngine(db: DatabaseSync, path: string): Engine {
  const explain = (error: unknown, what: string) => explainSqlite(error, path, what);
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
