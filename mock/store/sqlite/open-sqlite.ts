import type { DatabaseSync } from 'node:sqlite';
import { lazily } from '../../../openapi/libraries.ts';
import type { Engine, Keeping, OpenOptions } from '../engine.ts';
import type { Row } from '../rows.ts';
import { sqlWorlds } from '../sql/worlds.ts';
import { openSqliteFile, sqliteDatabase } from './file.ts';

/** Throws a StoreError if the file can't be opened. */
export function openSqlite(path: string, { migrates = true }: OpenOptions = {}): Engine {
  const db = openSqliteFile(path, { migrates });
  const database = sqliteDatabase(db, path);
  const { use, close } = database;
  /** Prepared within `use`, which explains the error if tables are missing. */
  const statements = lazily(() => prepare(db));

  function writeWorld(worldId: number, { batch, nextDue }: Keeping): void {
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
        const keepings = members
          .map(({ worldId, work }) => ({ worldId, keeping: work({}) }))
          .filter(({ keeping }) => keeping.batch);
        if (keepings.length === 0) return [];
        db.exec('begin immediate');
        for (const { worldId, keeping } of keepings) writeWorld(worldId, keeping);
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
