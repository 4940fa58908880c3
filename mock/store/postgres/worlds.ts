// The worlds in a PostgreSQL database, by their names.
import { mainWorld } from '../../world/main-world.ts';
import type { WorldLine, WorldRecord, WorldTable } from '../engine.ts';
import type { Connection } from './connection.ts';

const times = `${ms('created_at')} as "createdAt", ${ms('expires_at')} as "expiresAt"`;
const columns = `id::float8 as id, name, setup, head, ${times}, ${ms('expires_at - now()')} as "leftMs"`;
const lineColumns = `id::float8 as id, name, summary, case when summary is null then setup end as setup, head, ${times}`;
const isThere = '(expires_at is null or expires_at > now())';

/** As the driver gives it: null where nothing is. */
type RowOf<Kept> = {
  [Column in keyof Kept]: undefined extends Kept[Column] ? Kept[Column] | null : Kept[Column];
};

export function postgresWorlds({ use }: Connection): WorldTable {
  return {
    find: (name) =>
      use('read', async (db) => {
        const { rows } = await db.query<RowOf<WorldRecord>>(
          `select ${columns} from sitepub_world where name = $1 and ${isThere}`,
          [name],
        );
        return rows.map((row) => keptOf<WorldRecord>(row))[0];
      }),
    list: ({ cursor, limit, isNewestFirst }) =>
      use('read', async (db) => {
        const [after, order] = isNewestFirst ? ['<', 'desc'] : ['>', 'asc'];
        const { rows } = await db.query<RowOf<WorldLine>>(
          `select ${lineColumns} from sitepub_world where ${isThere} and name <> $1 and ($2::bigint is null or id ${after} $2) order by id ${order} limit $3`,
          [mainWorld, cursor ?? null, limit],
        );
        return rows.map((row) => keptOf<WorldLine>(row));
      }),
    count: () =>
      use('read', async (db) => {
        const { rows } = await db.query<{ count: number }>(
          `select count(*)::int as count from sitepub_world where ${isThere}`,
        );
        return rows[0]?.count ?? 0;
      }),
    add: ({ name, setup, summary, expiresInMs }) =>
      use('written', async (db) => {
        await db.query(deleteWorlds(`not ${isThere}`));
        const { rows } = await db.query<RowOf<WorldRecord>>(
          `insert into sitepub_world (name, setup, summary, expires_at) values ($1, $2, $3, now() + $4::float8 * interval '1 millisecond') on conflict (name) do nothing returning ${columns}`,
          [name, setup, summary, expiresInMs ?? null],
        );
        return rows.map((row) => keptOf<WorldRecord>(row))[0];
      }),
    remove: (name) =>
      use('written', async (db) => {
        const { rows } = await db.query(deleteWorlds('name = $1'), [name]);
        return rows.length === 1;
      }),
    due: (except) =>
      use('read', async (db) => {
        // Who has it in memory is there before.
        const { rows } = await db.query<{ name: string }>({
          name: 'due',
          text: `select name from sitepub_world where next_due < now() - interval '1 second' and ${isThere} and id <> all($1::bigint[]) order by next_due limit 10`,
          values: [except],
        });
        return rows.map(({ name }) => name);
      }),
  };
}

function keptOf<Kept>(row: RowOf<Kept>): Kept {
  const members = Object.entries(row).map(([name, value]) => [name, value ?? undefined] as const);
  return Object.fromEntries(members) as Kept;
}

/** With all that is in them. */
function deleteWorlds(condition: string): string {
  const tables = ['sitepub_entry', 'sitepub_change', 'sitepub_exchange'];
  const parts = tables.map(
    (table) => `of_${table} as (delete from ${table} where world in (select id from gone))`,
  );
  return `with gone as (delete from sitepub_world where ${condition} returning id), ${parts.join(', ')} select id from gone`;
}

function ms(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::float8`;
}
