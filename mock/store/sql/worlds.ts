import { mainWorld } from '../../world/world.ts';
import { asNumber, type Database, type Query } from './database.ts';

export type WorldTable = ReturnType<typeof sqlWorlds>;

export interface WorldPlan {
  name: string;
  setup: string;
  summary: string;
  expiresInMs: number | undefined;
}

export interface WorldsPage {
  /** The id of the last world on the previous page. */
  cursor: number | undefined;
  limit: number;
  isNewestFirst: boolean;
}

export interface WorldLine {
  id: number;
  name: string;
  /** Milliseconds since 1970 by the clock of the engine. */
  createdAt: number;
  expiresAt: number | undefined;
  summary: string;
  /** A `Head` as JSON; empty: the world has no rows yet. */
  head: string;
}

export interface WorldRecord extends WorldLine {
  /** The profile, seed and first data of the world, as JSON; undefined before its first start. */
  setup: string | undefined;
  /** How many milliseconds are left, since clocks of machines differ; undefined: the world does not expire. */
  leftMs: number | undefined;
}

const isThere = '(expires_at is null or expires_at > now())';
/** A world that is overdue for less time is probably loaded by another process. */
const graceMs = 1000;
const mostDue = 10;

/** Each method throws a StoreError if the database fails. */
export function sqlWorlds({ use, dialect }: Database) {
  const { ms, fromNow, partsOfWorlds, isShared } = dialect;
  const times = `${ms('created_at')} as "createdAt", ${ms('expires_at')} as "expiresAt"`;
  const line = `${asNumber('id')} as id, name, summary, head, ${times}`;
  const record = `${line}, setup, ${ms('expires_at - now()')} as "leftMs"`;
  const isDue = `next_due < ${isShared ? fromNow(`-${graceMs}`) : 'now()'}`;
  let isFirst = true;
  /** The ids of worlds returned in this round. Others come first, since worlds that can't be loaded remain due. */
  let asked: readonly number[] = [];

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
    /** Stores the setup of main unless it has one. Returns the stored one. */
    begin: (setup: string) =>
      use('written', async (query) => {
        const [begun = { setup }] = await query<{ setup: string }>(
          `update sitepub_world set setup = coalesce(setup, $1) where name = '${mainWorld}' returning setup`,
          [setup],
        );
        return begun.setup;
      }),
    find: (name: string) =>
      use('read', async (query) => {
        const [found] = await query<WorldRecord>(
          `select ${record} from sitepub_world where name = $1 and ${isThere}`,
          [name],
        );
        return found;
      }),
    /** Excludes main. Sorted by creation. */
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
    /** Returns undefined if the name is taken. */
    add: ({ name, setup, summary, expiresInMs }: WorldPlan) =>
      use('written', async (query) => {
        await removeWhere(query, `not ${isThere}`);
        const [added] = await query<WorldRecord>(
          `insert into sitepub_world (name, setup, summary, created_at, expires_at) values ($1, $2, $3, now(), ${fromNow('$4')}) on conflict (name) do nothing returning ${record}`,
          [name, setup, summary, expiresInMs ?? null],
        );
        return added;
      }),
    remove: (name: string) =>
      use('written', async (query) => (await removeWhere(query, 'name = $1', [name])) === 1),
    due: (except: readonly number[]) =>
      use('read', async (query) => {
        // After a crash, interrupted attempts have no job, so the first call returns all worlds.
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
