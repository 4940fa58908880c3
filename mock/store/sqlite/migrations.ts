// The tables in a file of SQLite, by version: the first migration makes version 1.
import type { Migration } from '../migration.ts';

/** By which a file is known to be one of ours: "spub". */
export const applicationId = 0x73707562;

export const sqliteMigrations: readonly Migration[] = [
  {
    title: 'worlds and their entries',
    sql: `
create table sitepub_world (id integer primary key, name text not null unique, setup text not null, head text not null);
create table sitepub_entry (
  world integer not null, kind integer not null, key text not null, ord integer not null, value text not null,
  primary key (world, kind, key));
insert into sitepub_world (id, name, setup, head) values (1, 'main', '', '');
pragma application_id = ${applicationId};`,
  },
  {
    title: 'worlds by name',
    sql: `
alter table sitepub_world add created_at integer not null default 0;
alter table sitepub_world add expires_at integer;
alter table sitepub_world add next_due integer;`,
  },
  {
    title: 'formats of worlds',
    sql: 'alter table sitepub_world add format integer not null default 1;',
  },
];
