// The rows of worlds in a PostgreSQL database.
import type { Client, QueryResult } from 'pg';
import type { Batch, KeptRows, Row, RowChange } from './row.ts';
import type { ExchangeRow, JournalChange, JournalPlace } from './shared-journal.ts';

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

/** What is worked on: a world, and the version that it has then. */
interface Writing {
  worldId: string;
  version: number;
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

export async function readChanges(db: Client, { id }: WorldRow, since: number): Promise<RowChange[]> {
  const { rows } = await db.query<Row & { value: string | null }>({
    name: 'changes',
    text: 'select kind, key, ord::float8 as ord, value from sitepub_entry where world = $1 and version > $2',
    values: [id, since],
  });
  return rows.map(({ value, ...place }) => ({ ...place, value: value ?? undefined }));
}

export async function readExchanges(db: Client, { id }: WorldRow, from: number): Promise<ExchangeRow[]> {
  const { rows } = await db.query<ExchangeRow>({
    name: 'exchanges',
    text: 'select id::float8 as id, value from sitepub_exchange where world = $1 and id > $2 order by id',
    values: [id, from],
  });
  return rows;
}

export function writeBatch(
  db: Client,
  { worldId, version }: Writing,
  { isWhole, rows }: Batch,
): Promise<QueryResult>[] {
  const gone = isWhole ? [db.query('delete from sitepub_entry where world = $1', [worldId])] : [];
  if (rows.length === 0) return gone;
  const column = <Name extends keyof RowChange>(name: Name) => rows.map((row) => row[name] ?? null);
  const written = db.query({
    name: 'entries',
    text: `insert into sitepub_entry (world, kind, key, ord, value, version)
select $1, kind, key, ord, value, $2 from unnest($3::smallint[], $4::text[], $5::bigint[], $6::text[]) as row (kind, key, ord, value)
on conflict (world, kind, key) do update set ord = excluded.ord, value = excluded.value, version = excluded.version, changed_at = now()`,
    values: [worldId, version, column('kind'), column('key'), column('ord'), column('value')],
  });
  return [...gone, written];
}

export function writeJournal(
  db: Client,
  { id, journal: before }: WorldRow,
  { place, added, removed }: JournalChange,
): Promise<QueryResult>[] {
  const dropped = place.dropped > before.dropped ? [{ upTo: place.dropped, tenantId: undefined }] : [];
  return [
    ...(added.length > 0 ? [addExchanges(db, id, added)] : []),
    ...[...removed, ...dropped].map(({ upTo, tenantId }) =>
      db.query(
        'delete from sitepub_exchange where world = $1 and id <= $2 and ($3::int is null or tenant = $3)',
        [id, upTo, tenantId ?? null],
      ),
    ),
  ];
}

function addExchanges(db: Client, worldId: string, added: readonly ExchangeRow[]): Promise<QueryResult> {
  return db.query({
    name: 'exchange',
    text: 'insert into sitepub_exchange (world, id, tenant, value) select $1, * from unnest($2::bigint[], $3::int[], $4::text[])',
    values: [
      worldId,
      added.map(({ id }) => id),
      added.map(({ tenantId }) => tenantId ?? null),
      added.map(({ value }) => value),
    ],
  });
}
