// Reads worlds from a PostgreSQL database.
import type { Client } from 'pg';
import type { KeptRows, Row, RowChange } from '../rows/row.ts';
import type { ExchangesRow, JournalPlace } from '../shared/journal.ts';
import { arrayOf, type Statement, type TextRow } from './send-together.ts';

/** The row of a locked world. */
export interface WorldRow {
  id: number;
  head: string;
  version: number;
  epoch: number;
  /** The version of the tables. */
  tables: number;
  journal: JournalPlace;
  /** Milliseconds since 1970. */
  now: number;
  /** Null unless asked for, since it may be large. */
  setup: string | null;
}

/** Locks the worlds in the order of their ids, so that two processes do not wait for each other. `readWorlds` reads the answer. */
export function lockWorlds(worldIds: readonly number[], { withSetup }: { withSetup: boolean }): Statement {
  return {
    name: withSetup ? 'begin' : 'enter',
    text: `select id, head, version, epoch, (select version from sitepub_schema), journal, extract(epoch from clock_timestamp()) * 1000${withSetup ? ', setup' : ''}
from sitepub_world where id = any($1::bigint[]) order by id for update`,
    values: [arrayOf(worldIds)],
  };
}

export function readWorlds(rows: readonly TextRow[]): WorldRow[] {
  return rows.map(([id, head, version, epoch, tables, journal, now, setup]) => ({
    id: Number(id),
    head: head ?? '',
    version: Number(version),
    epoch: Number(epoch),
    tables: Number(tables),
    journal: JSON.parse(journal ?? '') as JournalPlace,
    now: Math.floor(Number(now)),
    setup: setup ?? null,
  }));
}

export async function readRows(
  db: Client,
  { id, head }: Pick<WorldRow, 'id' | 'head'>,
): Promise<KeptRows | undefined> {
  if (head === '') return undefined;
  const { rows } = await db.query<Row>(
    'select kind, key, ord::float8 as ord, value from sitepub_entry where world = $1 order by kind, ord',
    [id],
  );
  return { head, rows };
}

/** Asks for the changes of each world since a version. `groupChanges` reads the answer. */
export function changesSince(since: ReadonlyMap<number, number>): Statement {
  return {
    name: 'changes',
    // `offset 0` makes the server use the indexes for each world and key; a join would read whole tables.
    text: `select id, changed.kind, changed.key, ord, value
from unnest($1::bigint[], $2::bigint[]) as known (id, since)
cross join lateral (select kinds, keys from sitepub_change where world = id and version > since offset 0) as turn
cross join lateral unnest(kinds, keys) as changed (kind, key)
left join lateral (
  select ord, value from sitepub_entry as entry where entry.world = id and entry.kind = changed.kind and entry.key = changed.key offset 0
) as now on true`,
    values: [arrayOf([...since.keys()]), arrayOf([...since.values()])],
  };
}

/** The changes of each world. An entry that several turns have changed is there once. */
export function groupChanges(rows: readonly TextRow[]): Map<number, RowChange[]> {
  const changes = new Map<number, Map<string, RowChange>>();
  for (const [id, kind, key, ord, value] of rows) {
    const world = Number(id);
    const ofWorld = changes.get(world) ?? new Map<string, RowChange>();
    changes.set(world, ofWorld);
    const change = { kind: Number(kind), key: key ?? '', ord: Number(ord), value: value ?? undefined };
    ofWorld.set(`${kind} ${key}`, change);
  }
  return new Map([...changes].map(([id, ofWorld]) => [id, [...ofWorld.values()]]));
}

export async function readExchanges(db: Client, { id }: WorldRow, from: number): Promise<ExchangesRow[]> {
  const { rows } = await db.query<ExchangesRow>({
    name: 'requests',
    text: 'select id::float8 as last, value from sitepub_exchange where world = $1 and id > $2 order by id',
    values: [id, from],
  });
  return rows;
}
