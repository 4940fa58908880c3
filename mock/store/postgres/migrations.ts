// The tables in PostgreSQL, by version: the first migration makes version 1.
// Within a major version they only add, so that older replicas go on. One that can't keep to that says so:
// `update sitepub_schema set oldest = N`, the lowest version that a replica must know to use the tables.
import type { Migration } from '../migration.ts';

export const postgresMigrations: readonly Migration[] = [
  {
    title: 'worlds, their entries, and replicas',
    sql: `
create table sitepub_world (
  id bigint generated always as identity primary key, name text not null unique, setup text,
  head text not null default '', version bigint not null default 0, epoch int not null default 0);
create table sitepub_entry (
  world bigint not null references sitepub_world on delete cascade, kind smallint not null, key text not null,
  ord bigint not null, value text, version bigint not null, changed_at timestamptz not null default now(),
  primary key (world, kind, key)) with (fillfactor = 80);
create index sitepub_entry_version on sitepub_entry (world, version);
create table sitepub_replica (
  id uuid primary key, started_at timestamptz not null default now(), seen_at timestamptz not null default now(),
  last_turn bigint not null);
insert into sitepub_world (name) values ('main');`,
  },
  {
    title: 'the journal of requests, and worlds by name',
    sql: `
alter table sitepub_world add journal jsonb not null default '{"last":0,"dropped":0,"cleared":0,"epoch":0}';
create table sitepub_exchange (
  world bigint not null references sitepub_world on delete cascade, id bigint not null, tenant int, value text not null,
  primary key (world, id));
alter table sitepub_world add created_at timestamptz not null default now(), add expires_at timestamptz, add next_due timestamptz;
create index sitepub_world_next_due on sitepub_world (next_due) where next_due is not null;`,
  },
  {
    title: 'formats of worlds and replicas',
    sql: `
alter table sitepub_schema add oldest int not null default 1;
alter table sitepub_world add format int not null default 1;
alter table sitepub_replica add format int not null default 1;`,
  },
  {
    title: 'an index of formats, for those who ask whether a mock is ready',
    sql: 'create index sitepub_world_format on sitepub_world (format);',
  },
  {
    title: 'no foreign keys, which each new row was checked by: a turn holds the lock of its world',
    sql: `
alter table sitepub_entry drop constraint sitepub_entry_world_fkey;
alter table sitepub_exchange drop constraint sitepub_exchange_world_fkey;`,
  },
  {
    // Operators fail where any text of an entry has U+0000 or half a surrogate pair, so no such escape is left.
    title: 'views of deliveries and sessions, for people',
    sql: `
create view sitepub_deliveries with (security_barrier) as
select world.name as world, key::bigint as id, (entry -> 'siteId')::text::bigint as site,
  entry ->> 'event' as event, entry ->> 'channel' as channel,
  entry ->> 'state' as state, to_timestamp((entry -> 'createdAt')::text::float8 / 1000) as created_at,
  json_array_length(entry -> 'attempts') as attempts, (entry -> 'attempts' -> -1 -> 'outcome' -> 'status')::text::int as last_status,
  to_timestamp((entry -> 'nextAttemptAt')::text::float8 / 1000) as next_attempt_at
from sitepub_entry join sitepub_world as world on world.id = sitepub_entry.world cross join lateral (select replace(replace(value, '\\\\', '//'), '\\u', '//u')::json as entry) as read
where kind = 11 and value is not null;
create view sitepub_sessions with (security_barrier) as
select world.name as world, (entry -> 'tenantId')::text::bigint as tenant, entry ->> 'username' as username,
  to_timestamp((entry -> 'expiresAt')::text::float8 / 1000) as expires_at
from sitepub_entry join sitepub_world as world on world.id = sitepub_entry.world cross join lateral (select replace(replace(value, '\\\\', '//'), '\\u', '//u')::json as entry) as read
where kind = 3 and value is not null;`,
  },
  {
    // Compressed by what takes the least time; a server without it compresses otherwise.
    title: 'one row for the requests of a turn, and one for what it has changed',
    sql: `
do $$ begin
  execute 'alter table sitepub_exchange alter value set compression lz4';
exception when others then null;
end $$;
create table sitepub_change (
  world bigint not null, version bigint not null, kinds smallint[] not null, keys text[] not null,
  changed_at timestamptz not null default now(), primary key (world, version));
delete from sitepub_entry where value is null;
drop index sitepub_entry_version;
update sitepub_schema set oldest = 7;`,
  },
  {
    title: 'what lists show of worlds',
    sql: 'alter table sitepub_world add summary text;',
  },
];
