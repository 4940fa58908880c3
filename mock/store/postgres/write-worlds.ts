// What a turn writes of its worlds in a PostgreSQL database: all of them in one statement.
import type { Client } from 'pg';
import type { Batch, RowChange } from '../rows/row.ts';
import type { JournalChange } from '../shared-journal.ts';
import type { WorldRow } from './read-rows.ts';

export interface WorldWriting extends Pick<WorldRow, 'head' | 'epoch' | 'format'> {
  /** As it was before. */
  row: WorldRow;
  version: number;
  setup: string | undefined;
  batches: readonly Batch[];
  journal: JournalChange | undefined;
  /** In milliseconds since 1970. */
  nextDue: number | undefined;
}

/** By which a process learns after a lost answer whether a turn was kept. */
export interface CountedTurn {
  replica: string;
  turn: number;
}

const written = `
with entries as (
  insert into sitepub_entry (world, version, kind, key, ord, value)
  select * from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::text[], $5::bigint[], $6::text[])
  on conflict (world, kind, key) do update
  set ord = excluded.ord, value = excluded.value, version = excluded.version, changed_at = now()
), exchanges as (
  insert into sitepub_exchange (world, id, tenant, value)
  select * from unnest($7::bigint[], $8::bigint[], $9::int[], $10::text[])
), counted as (
  update sitepub_replica set last_turn = $11 where id = $12
)
update sitepub_world as world
set version = now.version, epoch = now.epoch, format = now.format, head = now.head, setup = coalesce(now.setup, world.setup),
  journal = now.journal::jsonb, next_due = to_timestamp(now.next_due / 1000)
from unnest($13::bigint[], $14::bigint[], $15::int[], $16::int[], $17::text[], $18::text[], $19::text[], $20::float8[])
  as now (id, version, epoch, format, head, setup, journal, next_due)
where world.id = now.id`;

/** Sends it, in the order in which it has to be done. */
export function writeWorlds(
  db: Client,
  worlds: readonly WorldWriting[],
  { replica, turn }: CountedTurn,
): Promise<unknown>[] {
  const emptied = worlds.filter(({ batches }) => batches.some(({ isWhole }) => isWhole));
  const entries = worlds.flatMap(({ row: { id }, version, batches }) =>
    latestRows(batches).map((entry) => ({ ...entry, id, version })),
  );
  const added = worlds.flatMap(({ row, journal }) =>
    (journal?.added ?? []).map((exchange) => ({ ...exchange, world: row.id })),
  );
  return [
    ...(emptied.length === 0
      ? []
      : [db.query('delete from sitepub_entry where world = any($1::bigint[])', [idsOf(emptied)])]),
    db.query({
      name: 'written',
      text: written,
      values: [
        entries.map(({ id }) => id),
        entries.map(({ version }) => version),
        entries.map(({ kind }) => kind),
        entries.map(({ key }) => key),
        entries.map(({ ord }) => ord),
        arrayOfJson(entries.map(({ value }) => value)),
        added.map(({ world }) => world),
        added.map(({ id }) => id),
        added.map(({ tenantId }) => tenantId ?? null),
        arrayOfJson(added.map(({ value }) => value)),
        turn,
        replica,
        idsOf(worlds),
        worlds.map(({ version }) => version),
        worlds.map(({ epoch }) => epoch),
        worlds.map(({ format }) => format),
        worlds.map(({ head }) => head),
        worlds.map(({ setup }) => setup ?? null),
        worlds.map(({ journal, row }) => JSON.stringify(journal?.place ?? row.journal)),
        worlds.map(({ nextDue }) => nextDue ?? null),
      ],
    }),
    ...worlds.flatMap((world) => removeExchanges(db, world)),
  ];
}

/** An array of texts as PostgreSQL reads it, of JSON: that has no control characters, so quoting is the same as in JSON, and quicker than by pg. */
function arrayOfJson(values: readonly (string | undefined)[]): string {
  return `{${values.map((value) => (value === undefined ? 'null' : JSON.stringify(value))).join(',')}}`;
}

function idsOf(worlds: readonly WorldWriting[]): string[] {
  return worlds.map(({ row: { id } }) => id);
}

/** Each once, and none from before the last batch that is whole. */
function latestRows(batches: readonly Batch[]): readonly RowChange[] {
  const [first, ...more] = batches;
  if (more.length === 0) return first?.rows ?? [];
  const rows = new Map<string, RowChange>();
  for (const batch of batches) {
    if (batch.isWhole) rows.clear();
    for (const row of batch.rows) rows.set(`${row.kind} ${row.key}`, row);
  }
  return [...rows.values()];
}

function removeExchanges(db: Client, { row, journal }: WorldWriting): Promise<unknown>[] {
  if (!journal) return [];
  const { place, removed } = journal;
  const dropped = place.dropped > row.journal.dropped ? [{ upTo: place.dropped, tenantId: undefined }] : [];
  return [...removed, ...dropped].map(({ upTo, tenantId }) =>
    db.query(
      'delete from sitepub_exchange where world = $1 and id <= $2 and ($3::int is null or tenant = $3)',
      [row.id, upTo, tenantId ?? null],
    ),
  );
}
