// The worlds in a file, by their names.
import type { DatabaseSync } from 'node:sqlite';
import { mainWorld } from '../../world/main-world.ts';
import type { WorldLine, WorldRecord, WorldTable } from '../engine.ts';

interface Tools {
  /** Makes an error of SQLite one that people understand. */
  explain(error: unknown, what: string): Error;
  /** All or nothing. */
  transact(work: () => void): void;
}

const times = 'created_at as "createdAt", expires_at as "expiresAt"';
const isThere = '(expires_at is null or expires_at > ?)';

interface RecordRow extends Omit<WorldRecord, 'setup' | 'expiresAt' | 'leftMs'> {
  setup: string;
  expiresAt: number | null;
}

interface LineRow extends Omit<WorldLine, 'setup' | 'summary' | 'expiresAt'> {
  setup: string | null;
  summary: string | null;
  expiresAt: number | null;
}

export function sqliteWorlds(db: DatabaseSync, { explain, transact }: Tools): WorldTable {
  const page = (after: string, order: string) =>
    db.prepare(
      `select id, name, summary, case when summary is null then setup end as setup, head, ${times} from sitepub_world where ${isThere} and name <> '${mainWorld}' and id ${after} ? order by id ${order} limit ?`,
    );
  const statements = {
    find: db.prepare(
      `select id, name, setup, head, ${times} from sitepub_world where ${isThere} and name = ?`,
    ),
    oldest: page('>', 'asc'),
    newest: page('<', 'desc'),
    count: db.prepare(`select count(*) as count from sitepub_world where ${isThere}`),
    due: db.prepare(
      `select name from sitepub_world where ${isThere} and (? or next_due <= ?) and id not in (select value from json_each(?)) order by id`,
    ),
    add: db.prepare(
      "insert into sitepub_world (name, setup, summary, head, created_at, expires_at) values (?, ?, ?, '', ?, ?)",
    ),
    entries: db.prepare(
      'delete from sitepub_entry where world in (select id from sitepub_world where name = ?)',
    ),
    world: db.prepare('delete from sitepub_world where name = ?'),
    expired: db.prepare('select name from sitepub_world where expires_at <= ?'),
  };

  let isFirst = true;

  function find(name: string): WorldRecord | undefined {
    const now = Date.now();
    const row = statements.find.get(now, name) as RecordRow | undefined;
    if (!row) return undefined;
    const { setup, expiresAt, ...rest } = row;
    return {
      ...rest,
      setup: setup === '' ? undefined : setup,
      expiresAt: expiresAt ?? undefined,
      leftMs: expiresAt === null ? undefined : expiresAt - now,
    };
  }

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
    find: (name) => use('read', () => find(name)),
    list: ({ cursor, limit, isNewestFirst }) =>
      use('read', () => {
        const from = cursor ?? (isNewestFirst ? Number.MAX_SAFE_INTEGER : 0);
        const rows = statements[isNewestFirst ? 'newest' : 'oldest'].all(Date.now(), from, limit);
        return (rows as unknown as LineRow[]).map(({ setup, summary, expiresAt, ...rest }) => ({
          ...rest,
          setup: setup ?? undefined,
          summary: summary ?? undefined,
          expiresAt: expiresAt ?? undefined,
        }));
      }),
    count: () => use('read', () => (statements.count.get(Date.now()) as { count: number }).count),
    add: ({ name, setup, summary, expiresInMs }) =>
      use('written', () => {
        if (find(name)) return undefined;
        const now = Date.now();
        const expiresAt = expiresInMs === undefined ? null : now + expiresInMs;
        transact(() => {
          for (const row of statements.expired.all(now)) remove(String(row.name));
          statements.add.run(name, setup, summary, now, expiresAt);
        });
        return find(name);
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
        const rows = statements.due.all(Date.now(), isFirst ? 1 : 0, Date.now(), JSON.stringify(except));
        isFirst = false;
        return rows.map(({ name }) => String(name));
      }),
  };
}
