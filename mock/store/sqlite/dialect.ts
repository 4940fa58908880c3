// How the shared SQL reaches a file of SQLite.
import type { DatabaseSync } from 'node:sqlite';
import { type Dialect, type Query, withoutNulls } from '../sql/database.ts';

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
