import type { Client } from 'pg';
import { collections } from '../../world/collections.ts';
import {
  type Database,
  type Dialect,
  type Query,
  requireVersion,
  type Tables,
  tablesVersion,
  withoutNulls,
} from '../sql/database.ts';
import { type Connection, openConnection } from './connection.ts';

// Foreign keys would be checked for each new row, and a turn locks its world anyway.
// lz4 takes the least time to compress exchanges; a server without it uses its default.
// JSON operators fail on U+0000 and lone surrogates, so the views replace such escapes.
export const postgresSchema = `
create table sitepub_schema (version int not null);
insert into sitepub_schema values (${tablesVersion});
create table sitepub_world (
  id bigint generated always as identity primary key, name text not null unique, setup text, summary text not null default '',
  head text not null default '', version bigint not null default 0, epoch int not null default 0,
  journal jsonb not null default '{"last":0,"dropped":0,"cleared":0,"epoch":0}',
  created_at timestamptz not null default now(), expires_at timestamptz, next_due timestamptz);
create index sitepub_world_next_due on sitepub_world (next_due) where next_due is not null;
create table sitepub_entry (
  world bigint not null, kind smallint not null, key text not null, ord bigint not null, value text not null,
  version bigint not null, changed_at timestamptz not null default now(),
  primary key (world, kind, key)) with (fillfactor = 80);
create table sitepub_change (
  world bigint not null, version bigint not null, kinds smallint[] not null, keys text[] not null,
  changed_at timestamptz not null default now(), primary key (world, version));
create table sitepub_exchange (
  world bigint not null, id bigint not null, value text not null, primary key (world, id));
do $$ begin
  execute 'alter table sitepub_exchange alter value set compression lz4';
exception when others then null;
end $$;
create table sitepub_replica (
  id uuid primary key, started_at timestamptz not null default now(), seen_at timestamptz not null default now(),
  last_turn bigint not null);
insert into sitepub_world (name) values ('main');
create view sitepub_deliveries with (security_barrier) as
select world.name as world, key::bigint as id, (entry -> 'siteId')::text::bigint as site,
  entry ->> 'event' as event, entry ->> 'channel' as channel,
  entry ->> 'state' as state, to_timestamp((entry -> 'createdAt')::text::float8 / 1000) as created_at,
  json_array_length(entry -> 'attempts') as attempts, (entry -> 'attempts' -> -1 -> 'outcome' -> 'status')::text::int as last_status,
  to_timestamp((entry -> 'nextAttemptAt')::text::float8 / 1000) as next_attempt_at
from sitepub_entry join sitepub_world as world on world.id = sitepub_entry.world cross join lateral (select replace(replace(value, '\\\\', '//'), '\\u', '//u')::json as entry) as read
where kind = ${collections.deliveries.kind};
create view sitepub_sessions with (security_barrier) as
select world.name as world, (entry -> 'tenantId')::text::bigint as tenant, entry ->> 'username' as username,
  to_timestamp((entry -> 'expiresAt')::text::float8 / 1000) as expires_at
from sitepub_entry join sitepub_world as world on world.id = sitepub_entry.world cross join lateral (select replace(replace(value, '\\\\', '//'), '\\u', '//u')::json as entry) as read
where kind = ${collections.sessions.kind};`;

const dialect: Dialect = {
  engine: 'PostgreSQL',
  contents: 'tables of worlds, entries, requests and replicas, and read-only views',
  noTables: 'it has no tables',
  useOthers: 'use the version that created them, or another store',
  isShared: true,
  partsOfWorlds: ['sitepub_entry', 'sitepub_change', 'sitepub_exchange'],
  // The lock, whose number spells "spub", lasts until the end of the transaction.
  lock: ['begin', `select pg_advisory_xact_lock(${0x73707562})`],
  erase: [],
  ms: (expression) => `(extract(epoch from ${expression}) * 1000)::float8`,
  fromNow: (milliseconds) => `now() + ${milliseconds}::float8 * interval '1 millisecond'`,
  async readVersion(query) {
    const [found] = await query(
      // to_regclass() may not see yet what another process has just created.
      `select from pg_class where relname = 'sitepub_schema' and pg_table_is_visible(oid)`,
    );
    if (!found) return 0;
    const [schema] = await query<{ version: number }>('select version from sitepub_schema');
    return schema?.version ?? 0;
  },
};

export async function openTables(url: string): Promise<Tables> {
  const connection = await openConnection(url);
  const database = postgresDatabase(connection);
  return {
    ...database,
    create: () => createTables(database, 'migrated'),
    close: () => connection.close(async () => {}),
  };
}

export function postgresDatabase({ place, use }: Connection): Database {
  const queryOf =
    (db: Client): Query =>
    async (text, values = []) => {
      // The answer to several statements is an array, which has no `rows`.
      const { rows = [] }: { rows?: object[] } = await db.query<object>(text, [...values]);
      return withoutNulls(rows);
    };
  return { place, dialect, use: (what, work) => use(what, (db) => work(queryOf(db))) };
}

/** Creates missing tables. Returns the version found before. Throws a StoreError for another version. */
export function createTables(database: Database, what: string): Promise<number> {
  return database.use(what, async (query) => {
    const version = await dialect.readVersion(query);
    // A user without the right to create tables can use existing ones.
    if (version > 0) {
      requireVersion(database, version);
      return version;
    }
    for (const statement of dialect.lock) await query(statement);
    if ((await dialect.readVersion(query)) === 0) await query(postgresSchema);
    await query('commit');
    return version;
  });
}
