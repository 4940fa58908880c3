// Writes the worlds of a turn to a PostgreSQL database, all of them in one statement.
import type { Keeping } from '../engine.ts';
import type { WorldRow } from './read-rows.ts';
import { arrayOf, arrayOfJson, arrayOfTexts, type Statement } from './send-together.ts';

export interface WorldWriting extends Keeping {
  /** The row before the turn. */
  row: WorldRow;
  version: number;
  epoch: number;
}

/** Tells a process after a lost answer whether the turn was persisted. */
export interface CountedTurn {
  replica: string;
  turn: number;
}

const written = `
with entries as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::text[], $5::bigint[], $6::text[])
    as entry (world, version, kind, key, ord, value)
), changed as (
  insert into sitepub_change (world, version, kinds, keys)
  select world, version, array_agg(kind), array_agg(key) from entries group by world, version
), there as (
  insert into sitepub_entry (world, version, kind, key, ord, value)
  select world, version, kind, key, ord, value from entries where value is not null
  on conflict (world, kind, key) do update set ord = excluded.ord, value = excluded.value, version = excluded.version
), gone as (
  delete from sitepub_entry as entry using entries as now
  where now.value is null and entry.world = now.world and entry.kind = now.kind and entry.key = now.key
), counted as (
  update sitepub_replica set last_turn = $7 where id = $8
)
update sitepub_world as world
set version = now.version, epoch = now.epoch, head = now.head, setup = coalesce(now.setup, world.setup),
  journal = now.journal::jsonb, next_due = to_timestamp(now.next_due / 1000)
from unnest($9::bigint[], $10::bigint[], $11::int[], $12::text[], $13::text[], $14::text[], $15::float8[])
  as now (id, version, epoch, head, setup, journal, next_due)
where world.id = now.id`;

/** The statements, in their order. */
export function writeWorlds(
  worlds: readonly WorldWriting[],
  { replica, turn }: CountedTurn,
): readonly Statement[] {
  const emptied = worlds.filter(({ batch }) => batch?.isWhole);
  const entries = worlds.flatMap(({ row: { id }, version, batch }) =>
    (batch?.rows ?? []).map((entry) => ({ ...entry, id, version })),
  );
  return [
    ...(emptied.length === 0
      ? []
      : [{ text: 'delete from sitepub_entry where world = any($1::bigint[])', values: [idsOf(emptied)] }]),
    {
      name: 'written',
      text: written,
      values: [
        arrayOf(entries.map(({ id }) => id)),
        arrayOf(entries.map(({ version }) => version)),
        arrayOf(entries.map(({ kind }) => kind)),
        arrayOfTexts(entries.map(({ key }) => key)),
        arrayOf(entries.map(({ ord }) => ord)),
        arrayOfJson(entries.map(({ value }) => value)),
        String(turn),
        replica,
        idsOf(worlds),
        arrayOf(worlds.map(({ version }) => version)),
        arrayOf(worlds.map(({ epoch }) => epoch)),
        arrayOfJson(worlds.map(({ batch, row }) => batch?.head ?? row.head)),
        arrayOfJson(worlds.map(({ setup }) => setup)),
        arrayOfJson(worlds.map(({ journal, row }) => JSON.stringify(journal?.place ?? row.journal))),
        arrayOf(worlds.map(({ nextDue }) => nextDue)),
      ],
    },
    ...worlds.flatMap(writeExchanges),
  ];
}

function idsOf(worlds: readonly WorldWriting[]): string {
  return arrayOf(worlds.map(({ row: { id } }) => id));
}

/** Long texts are not sent in an array, where they would be slow to quote and to read. */
function writeExchanges({ row, journal }: WorldWriting): Statement[] {
  if (!journal) return [];
  const { added, place } = journal;
  const insert = added && {
    name: 'exchanges',
    text: 'insert into sitepub_exchange (world, id, value) values ($1, $2, $3)',
    values: [String(row.id), String(added.last), added.value],
  };
  const drop = place.dropped !== row.journal.dropped && {
    text: 'delete from sitepub_exchange where world = $1 and id <= $2',
    values: [String(row.id), String(place.dropped)],
  };
  return [...(insert ? [insert] : []), ...(drop ? [drop] : [])];
}
