// The worlds in a database, by their names.
import { mainWorld } from '../../world/world.ts';
import type { WorldLine, WorldRecord, WorldTable } from '../engine.ts';
import { asNumber, type Database, type Query } from './database.ts';

const isThere = '(expires_at is null or expires_at > now())';
/** A world that is due for less time is in the memory of another process. */
const graceMs = 1000;
const mostDue = 10;

export function sqlWorlds({ use, dialect }: Database): WorldTable {
  const { ms, fromNow, numbersIn, partsOfWorlds, isShared } = dialect;
  const times = `${ms('created_at')} as "createdAt", ${ms('expires_at')} as "expiresAt"`;
  const line = `${asNumber('id')} as id, name, summary, head, ${times}`;
  const record = `${line}, setup, ${ms('expires_at - now()')} as "leftMs"`;
  /** A process that shares the database looks for worlds that others have left. */
  const isDue = `next_due < ${isShared ? fromNow(`-${graceMs}`) : 'now()'}`;
  let isFirst = true;
  /** The worlds that were returned in this round. Others come first, since some can't be loaded. */
  let asked: readonly number[] = [];

  /** Deletes worlds with all their rows. */
  async function remove(query: Query, condition: string, values: string[] = []): Promise<number> {
    await query('begin');
    const gone = await query<{ id: number }>(
      `delete from sitepub_world where ${condition} returning ${asNumber('id')} as id`,
      values,
    );
    const ids = JSON.stringify(gone.map(({ id }) => id));
    for (const table of gone.length === 0 ? [] : partsOfWorlds)
      await query(`delete from ${table} where world in (${numbersIn('$1')})`, [ids]);
    await query('commit');
    return gone.length;
  }

  return {
    begin: (setup) =>
      use('written', async (query) => {
        const [begun = { setup }] = await query<{ setup: string }>(
          `update sitepub_world set setup = coalesce(setup, $1) where name = '${mainWorld}' returning setup`,
          [setup],
        );
        return begun.setup;
      }),
    find: (name) =>
      use('read', async (query) => {
        const [found] = await query<WorldRecord>(
          `select ${record} from sitepub_world where name = $1 and ${isThere}`,
          [name],
        );
        return found;
      }),
    list: ({ cursor, limit, isNewestFirst }) =>
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
    add: ({ name, setup, summary, expiresInMs }) =>
      use('written', async (query) => {
        await remove(query, `not ${isThere}`);
        const [added] = await query<WorldRecord>(
          `insert into sitepub_world (name, setup, summary, created_at, expires_at) values ($1, $2, $3, now(), ${fromNow('$4')}) on conflict (name) do nothing returning ${record}`,
          [name, setup, summary, expiresInMs ?? null],
        );
        return added;
      }),
    remove: (name) => use('written', async (query) => (await remove(query, 'name = $1', [name])) === 1),
    due: (except) =>
      use('read', async (query) => {
        // Attempts that were under way when the process before ended have no time.
        const isAll = isFirst && !isShared;
        const which = isAll ? isThere : `${isDue} and ${isThere}`;
        const found = await query<{ id: number; name: string }>(
          `select ${asNumber('id')} as id, name from sitepub_world where ${which} and name <> '${mainWorld}' and id not in (${numbersIn('$1')}) order by next_due${isAll ? '' : ` limit ${mostDue}`}`,
          [JSON.stringify([...except, ...asked])],
        );
        isFirst = false;
        asked = isAll || found.length < mostDue ? [] : [...asked, ...found.map(({ id }) => id)];
        return found.map(({ name }) => name);
      }),
  };
}
