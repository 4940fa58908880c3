// The worlds in a file, by their names.
import type { DatabaseSync } from 'node:sqlite';
import type { WorldRecord, WorldTable } from '../engine.ts';

interface Tools {
  /** Makes an error of SQLite one that people understand. */
  explain(error: unknown, what: string): Error;
  /** All or nothing. */
  transact(work: () => void): void;
  /** Of new worlds. */
  format: number;
}

const columns =
  'id, name, setup, head, created_at as "createdAt", expires_at as "expiresAt", next_due as "nextDue"';

interface RecordRow extends Omit<WorldRecord, 'setup' | 'expiresAt'> {
  setup: string;
  expiresAt: number | null;
  nextDue: number | null;
}

export function sqliteWorlds(db: DatabaseSync, { explain, transact, format }: Tools): WorldTable {
  const statements = {
    all: db.prepare(
      `select ${columns} from sitepub_world where expires_at is null or expires_at > ? order by id`,
    ),
    add: db.prepare(
      "insert into sitepub_world (name, setup, head, created_at, expires_at, format) values (?, ?, '', ?, ?, ?)",
    ),
    entries: db.prepare(
      'delete from sitepub_entry where world in (select id from sitepub_world where name = ?)',
    ),
    world: db.prepare('delete from sitepub_world where name = ?'),
    expired: db.prepare('select name from sitepub_world where expires_at <= ?'),
  };

  let isFirst = true;
  const readAll = () => statements.all.all(Date.now()) as unknown as RecordRow[];
  const find = (name: string) => readAll().find((row) => row.name === name);

  function remove(name: string): boolean {
    statements.entries.run(name);
    return Number(statements.world.run(name).changes) === 1;
  }

  async function use<Result>(what: string, work: () => Result): Promise<Result> {
    try {
      return work();
    } catch (error) {
      throw explain(error, what);
    }
  }

  return {
    find: (name) =>
      use('read', () => {
        const found = find(name);
        return found && recordOf(found);
      }),
    list: () => use('read', () => readAll().map(recordOf)),
    count: () => use('read', () => readAll().length),
    add: ({ name, setup, createdAt, expiresAt }) =>
      use('written', () => {
        if (find(name)) return undefined;
        transact(() => {
          for (const row of statements.expired.all(Date.now())) remove(String(row.name));
          statements.add.run(name, setup, createdAt, expiresAt ?? null, format);
        });
        const added = find(name);
        return added && recordOf(added);
      }),
    remove: (name) =>
      use('written', () => {
        let isThere = false;
        transact(() => {
          isThere = remove(name);
        });
        return isThere;
      }),
    due: (except) =>
      use('read', () => {
        // What was under way when the process before ended has no time.
        const isDue = ({ nextDue }: RecordRow) => isFirst || (nextDue !== null && nextDue <= Date.now());
        const due = readAll().filter((row) => !except.includes(row.id) && isDue(row));
        isFirst = false;
        return due.map(({ name }) => name);
      }),
  };
}

function recordOf({ nextDue: _nextDue, setup, expiresAt, ...rest }: RecordRow): WorldRecord {
  return { ...rest, setup: setup === '' ? undefined : setup, expiresAt: expiresAt ?? undefined };
}
