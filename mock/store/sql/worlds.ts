// The worlds in a database, by their names.
import { mainWorld } from '../../world/world.ts';
import { asNumber, type Database, type Query } from './database.ts';

export type WorldTable = ReturnType<typeof sqlWorlds>;

interface WorldPlan {
  name: string;
  setup: string;
  /** What lists show of the setup. */
  summary: string;
  /** In milliseconds from now on; undefined: the world does not expire. */
  expiresInMs: number | undefined;
}

export interface WorldsPage {
  /** Only worlds with a greater id, or a smaller one if the newest come first. */
  cursor: number | undefined;
  limit: number;
  isNewestFirst: boolean;
}

interface WorldLine {
  id: number;
  name: string;
  /** In milliseconds since 1970, by the clock of the engine. */
  createdAt: number;
  expiresAt: number | undefined;
  /** What lists show of the setup. */
  summary: string;
  /** The state besides the entries, as JSON; empty: the world has no rows yet. */
  head: string;
}

export interface WorldRecord extends WorldLine {
  /** How the world began, as JSON; undefined: it has not begun. */
  setup: string | undefined;
  /** In how many milliseconds the world expires, since clocks of machines differ. Undefined: never. */
  leftMs: number | undefined;
}

const isThere = '(expires_at is null or expires_at > now())';
/** A world that is due for less time is in the memory of another process. */
const graceMs = 1000;
const mostDue = 10;

/** Each method throws a StoreError if that can't be. */
export function sqlWorlds({ use, dialect }: Database) {
  const { ms, fromNow, partsOfWorlds, isShared } = dialect;
  const times = `${ms('created_at')} as "createdAt", ${ms('expires_at')} as "expiresAt"`;
  const line = `${asNumber('id')} as id, name, summary, head, ${times}`;
  const record = `${line}, setup, ${ms('expires_at - now()')} as "leftMs"`;
  /** A process that shares the database looks for worlds that others have left. */
  const isDue = `next_due < ${isShared ? fromNow(`-${graceMs}`) : 'now()'}`;
  let isFirst = true;
  /** The worlds that were returned in this round. Others come first, since some can't be loaded. */
  let asked: readonly number[] = [];

  /** Deletes worlds with all their rows. */
  async function removeWhere(query: Query, condition: string, values: string[] = []): Promise<number> {
    await query('begin');
    const gone = await query<{ id: number }>(
      `delete from sitepub_world where ${condition} returning ${asNumber('id')} as id`,
      values,
    );
    for (const table of gone.length === 0 ? [] : partsOfWorlds)
      await query(`delete from ${table} where world in (${gone.map(({ id }) => id)})`);
    await query('commit');
    return gone.length;
  }

  return {
    /** Persists how the world main begins, as JSON, unless it has begun. Returns how it has. */
    begin: (setup: string) =>
      use('written', async (query) => {
        const [begun = { setup }] = await query<{ setup: string }>(
          `update sitepub_world set setup = coalesce(setup, $1) where name = '${mainWorld}' returning setup`,
          [setup],
        );
        return begun.setup;
      }),
    /** Expired worlds are not found. */
    find: (name: string) =>
      use('read', async (query) => {
        const [found] = await query<WorldRecord>(
          `select ${record} from sitepub_world where name = $1 and ${isThere}`,
          [name],
        );
        return found;
      }),
    /** A page of the worlds besides main, sorted by creation. */
    list: ({ cursor, limit, isNewestFirst }: WorldsPage) =>
      use('read', (query) => {
        const [after, order] = isNewestFirst ? ['<', 'desc'] : ['>', 'asc'];
        const from = cursor ?? (isNewestFirst ? Number.MAX_SAFE_INTEGER : 0);
        return query<WorldLine>(
          `select ${line} from sitepub_world where ${isThere} and name <> '${mainWorld}' and id ${after} $1 order by sitepub_world.id ${order} limit $2`,
          [from, limit],
        );
      }),
    count: () =>
      use('read', async (query) => {
        const [found] = await query<{ count: number }>(
          `select ${asNumber('count(*)')} as count from sitepub_world where ${isThere}`,
        );
        return found?.count ?? 0;
      }),
    /** Returns undefined if there is a world of that name. */
    add: ({ name, setup, summary, expiresInMs }: WorldPlan) =>
      use('written', async (query) => {
        await removeWhere(query, `not ${isThere}`);
        const [added] = await query<WorldRecord>(
          `insert into sitepub_world (name, setup, summary, created_at, expires_at) values ($1, $2, $3, now(), ${fromNow('$4')}) on conflict (name) do nothing returning ${record}`,
          [name, setup, summary, expiresInMs ?? null],
        );
        return added;
      }),
    /** Deletes a world with all its rows. Returns whether there was one. */
    remove: (name: string) =>
      use('written', async (query) => (await removeWhere(query, 'name = $1', [name])) === 1),
    /** The names of the worlds that are due now, besides main and these. */
    due: (except: readonly number[]) =>
      use('read', async (query) => {
        // Attempts that were under way when the process before ended have no time.
        const isAll = isFirst && !isShared;
        const which = isAll ? isThere : `${isDue} and ${isThere}`;
        const found = await query<{ id: number; name: string }>(
          `select ${asNumber('id')} as id, name from sitepub_world where ${which} and name <> '${mainWorld}' and id not in (${[0, ...except, ...asked]}) order by next_due${isAll ? '' : ` limit ${mostDue}`}`,
        );
        isFirst = false;
        asked = isAll || found.length < mostDue ? [] : [...asked, ...found.map(({ id }) => id)];
        return found.map(({ name }) => name);
      }),
  };
}
