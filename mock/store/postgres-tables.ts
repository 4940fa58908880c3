import type { Client } from 'pg';
import { StoreError } from './engine.ts';

/** Each is run once, in its order. They are never changed: databases have them. */
const migrations: readonly string[] = [
  `
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
  `
alter table sitepub_world add journal jsonb not null default '{"last":0,"dropped":0,"cleared":0,"epoch":0}';
create table sitepub_exchange (
  world bigint not null references sitepub_world on delete cascade, id bigint not null, tenant int, value text not null,
  primary key (world, id));
alter table sitepub_world add created_at timestamptz not null default now(), add expires_at timestamptz, add next_due timestamptz;
create index sitepub_world_next_due on sitepub_world (next_due) where next_due is not null;`,
];

/** By which processes that start at the same time wait for each other: "spub". */
const lock = 0x73707562;

/** Makes the tables, or changes them to the newest shape. Throws a StoreError for those of a newer version. */
export async function migrate(db: Client): Promise<void> {
  await db.query('begin');
  await db.query(`select pg_advisory_xact_lock(${lock})`);
  await db.query('create table if not exists sitepub_schema (version int not null)');
  const { rows } = await db.query<{ version: number }>('select version from sitepub_schema');
  const version = rows[0]?.version ?? 0;
  if (version > migrations.length)
    throw new StoreError(
      `the store has tables of version ${version}, and this version of sitepub knows those up to ${migrations.length}; use the one that made them, or name another store`,
    );
  for (const migration of migrations.slice(version)) await db.query(migration);
  await db.query('delete from sitepub_schema');
  await db.query('insert into sitepub_schema values ($1)', [migrations.length]);
  await db.query('commit');
}
