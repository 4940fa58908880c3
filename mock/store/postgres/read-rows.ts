// What is read of worlds in a PostgreSQL database.
import type { Client } from 'pg';
import type { KeptRows, Row, RowChange } from '../rows/row.ts';
import type { ExchangeRow, JournalPlace } from '../shared-journal.ts';

/** Of a world that is locked. */
export interface WorldRow {
  id: string;
  name: string;
  /** Where somebody asks, as it may be large. */
  setup?: string | null;
  head: string;
  version: string;
  epoch: number;
  format: number;
  journal: JournalPlace;
  now: string;
}

export async function readRows(
  db: Client,
  { id, head }: Pick<WorldRow, 'id' | 'head'>,
): Promise<KeptRows | undefined> {
  if (head === '') return undefined;
  const { rows } = await db.query<Row>(
    'select kind, key, ord::float8 as ord, value from sitepub_entry where world = $1 and value is not null order by kind, ord',
    [id],
  );
  return { head, rows };
}

/** Of each world, since a version of its own. */
export async function readChanges(
  db: Client,
  since: ReadonlyMap<number, number>,
): Promise<Map<number, RowChange[]>> {
  const { rows } = await db.query<Row & { world: number; value: string | null }>({
    name: 'changes',
    // `offset 0` has it look into the index for each world, where a join would read the table.
    text: `select id::float8 as world, kind, key, ord::float8 as ord, value
from unnest($1::bigint[], $2::bigint[]) as known (id, since)
cross join lateral (select * from sitepub_entry where world = id and version > since offset 0) as entry`,
    values: [[...since.keys()], [...since.values()]],
  });
  const changes = new Map([...since.keys()].map((world): [number, RowChange[]] => [world, []]));
  for (const { world, value, ...place } of rows)
    changes.get(world)?.push({ ...place, value: value ?? undefined });
  return changes;
}

export async function readExchanges(db: Client, { id }: WorldRow, from: number): Promise<ExchangeRow[]> {
  const { rows } = await db.query<ExchangeRow>({
    name: 'exchanges',
    text: 'select id::float8 as id, value from sitepub_exchange where world = $1 and id > $2 order by id',
    values: [id, from],
  });
  return rows;
}
