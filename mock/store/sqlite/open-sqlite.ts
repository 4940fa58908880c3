// An engine that stores rows in a file, by SQLite, which comes with Node: https://nodejs.org/api/sqlite.html
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Engine, Keeping, OpenOptions } from '../engine.ts';
import type { Row } from '../rows.ts';
import type { Database } from '../sql/database.ts';
import { sqlWorlds } from '../sql/worlds.ts';
import { dialect, explainSqlite, openSqliteFile, queryOf } from './file.ts';

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
  const statements = prepare(db);
  const query = queryOf(db);
  let before: Promise<unknown> = Promise.resolve();

  const use: Database['use'] = (what, work) => {
    const result = before.then(async () => {
      try {
        return await work(query);
      } catch (error) {
        // A full disk ends the transaction by itself.
        if (db.isTransaction) db.exec('rollback');
        throw explainSqlite(error, path, what);
      }
    });
    before = result.catch(() => {});
    return result;
  };

  function writeWorld(worldId: number, { batch, nextDue }: Keeping): void {
    if (batch?.isWhole) statements.clear.run(worldId);
    for (const { kind, key, ord, value } of batch?.rows ?? [])
      if (value === undefined) statements.nothing.run(worldId, kind, key);
      else statements.row.run(worldId, kind, key, ord, value);
    const due = nextDue === undefined ? null : Math.ceil(nextDue);
    statements.change.run(batch?.head ?? null, due, worldId);
  }

  return {
    name: 'SQLite',
    place: path,
    worlds: sqlWorlds({ place: path, dialect, use }),
    load: (worldId) =>
      use('read', async () => {
        const { head } = (statements.world.get(worldId) ?? { head: '' }) as { head: string };
        return head === '' ? undefined : { head, rows: statements.rows.all(worldId) as unknown as Row[] };
      }),
    turn: (members) =>
      use('written', async () => {
        // No other process uses the file.
        const keepings = members
          .map(({ worldId, work }) => ({ worldId, keeping: work({}) }))
          .filter(({ keeping }) => keeping.batch);
        if (keepings.length === 0) return [];
        db.exec('begin immediate');
        for (const { worldId, keeping } of keepings) writeWorld(worldId, keeping);
        db.exec('commit');
        return [];
      }),
    check: () => use('read', async () => void statements.world.get(1)),
    async close() {
      await before;
      if (db.isOpen) db.close();
    },
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
  } satisfies Record<string, StatementSync>;
}
