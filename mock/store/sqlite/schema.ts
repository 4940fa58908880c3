// The tables in a file of SQLite.
import { collections } from '../../world/collections.ts';
import { tablesVersion } from '../sql/database.ts';

/** Marks a file as one of ours. It spells "spub". */
export const applicationId = 0x73707562;

export const sqliteSchema = `
create table sitepub_world (
  id integer primary key, name text not null unique, setup text, summary text not null default '', head text not null default '',
  created_at integer not null default 0, expires_at integer, next_due integer);
create table sitepub_entry (
  world integer not null, kind integer not null, key text not null, ord integer not null, value text not null,
  primary key (world, kind, key));
insert into sitepub_world (id, name) values (1, 'main');
create view sitepub_deliveries as
select sitepub_world.name as world, cast(key as integer) as id, value ->> 'siteId' as site,
  value ->> 'event' as event, value ->> 'channel' as channel, value ->> 'state' as state,
  ${timeOf('createdAt')} as created_at, json_array_length(value, '$.attempts') as attempts,
  value ->> '$.attempts[#-1].outcome.status' as last_status, ${timeOf('nextAttemptAt')} as next_attempt_at
from sitepub_entry join sitepub_world on sitepub_world.id = world where kind = ${collections.deliveries.kind};
create view sitepub_sessions as
select sitepub_world.name as world, value ->> 'tenantId' as tenant, value ->> 'username' as username,
  ${timeOf('expiresAt')} as expires_at
from sitepub_entry join sitepub_world on sitepub_world.id = world where kind = ${collections.sessions.kind};
pragma application_id = ${applicationId};
pragma user_version = ${tablesVersion};`;

/** A time in UTC, such as "2026-01-01T00:00:00.000Z". */
function timeOf(property: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%fZ', (value ->> '${property}') / 1000.0, 'unixepoch')`;
}
