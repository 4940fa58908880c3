// The worlds in a PostgreSQL database, by their names.
import { StoreError, type WorldRecord, type WorldTable } from '../engine.ts';
import { type Formats, sayTooNew } from '../rows/formats.ts';
import type { Connection } from './connection.ts';

const columns = `id::float8 as id, name, setup, head, format, ${ms('created_at')} as "createdAt", ${ms('expires_at')} as "expiresAt"`;
const isThere = '(expires_at is null or expires_at > now())';

interface RecordRow extends Omit<WorldRecord, 'setup' | 'expiresAt'> {
  setup: string | null;
  expiresAt: number | null;
  format: number;
}

export function postgresWorlds({ use, place }: Connection, formats: Formats): WorldTable {
  function recordOf({ setup, expiresAt, head, format, ...rest }: RecordRow): WorldRecord {
    if (format > formats.newest)
      throw new StoreError(sayTooNew(place, format, formats), { reason: 'refused' });
    return {
      ...rest,
      head: formats.head(head, format, formats.newest),
      setup: setup ?? undefined,
      expiresAt: expiresAt ?? undefined,
    };
  }

  return {
    find: (name) =>
      use('read', async (db) => {
        const { rows } = await db.query<RecordRow>(
          `select ${columns} from sitepub_world where name = $1 and ${isThere}`,
          [name],
        );
        return rows.map(recordOf)[0];
      }),
    list: () =>
      use('read', async (db) => {
        const { rows } = await db.query<RecordRow>(
          `select ${columns} from sitepub_world where ${isThere} order by id`,
        );
        return rows.map(recordOf);
      }),
    count: () =>
      use('read', async (db) => {
        const { rows } = await db.query<{ count: number }>(
          `select count(*)::int as count from sitepub_world where ${isThere}`,
        );
        return rows[0]?.count ?? 0;
      }),
    add: ({ name, setup, createdAt, expiresAt }) =>
      use('written', async (db) => {
        await db.query(deleteWorlds(`not ${isThere}`));
        const { rows } = await db.query<RecordRow>(
          `insert into sitepub_world (name, setup, created_at, expires_at) values ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000)) on conflict (name) do nothing returning ${columns}`,
          [name, setup, createdAt, expiresAt ?? null],
        );
        return rows.map(recordOf)[0];
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
