import type { Client, Connection, Submittable } from 'pg';
import { lazilyFor } from '../../../openapi/libraries.ts';
import type { TurnChanges } from '../engine.ts';
import type { Row, RowChange, StoredRows } from '../rows.ts';
import type { ExchangesRow, JournalPosition } from '../shared/journal.ts';

export interface WorldRow {
  id: number;
  head: string;
  version: number;
  epoch: number;
  /** The version of the tables. */
  tables: number;
  journal: JournalPosition;
  /** Milliseconds since 1970. */
  now: number;
  changes: readonly RowChange[];
}

/** Locks in the order of ids, which avoids deadlocks. */
export function lockWorlds(worldIds: readonly number[]): Statement {
  return {
    name: 'enter',
    text: `select id, head, version, epoch, (select version from sitepub_schema), journal, extract(epoch from clock_timestamp()) * 1000
from sitepub_world where id = any($1::bigint[]) order by id for update`,
    values: [arrayOf(worldIds)],
  };
}

/** Begins a transaction, locks the worlds and reads their changes. `since`: the known versions by world id. */
export async function enterWorlds(db: Client, since: ReadonlyMap<number, number>): Promise<WorldRow[]> {
  // Sent in one message, since another one would cost more than a read that finds nothing.
  const statements = [{ text: 'begin' }, lockWorlds([...since.keys()]), changesSince(since)];
  const [, locked = [], changed = []] = await sendTogether(db, statements);
  const changesOf = Map.groupBy(changed, ([id]) => id);
  return locked.map(([id = null, head, version, epoch, tables, journal, now]) => ({
    id: Number(id),
    head: head ?? '',
    version: Number(version),
    epoch: Number(epoch),
    tables: Number(tables),
    journal: JSON.parse(journal ?? '') as JournalPosition,
    now: Math.floor(Number(now)),
    changes: (changesOf.get(id) ?? []).map(([, kind, key, ord, value]) => ({
      kind: Number(kind),
      key: key ?? '',
      ord: Number(ord),
      value: value ?? undefined,
    })),
  }));
}

export async function readRows(
  db: Client,
  { id, head }: Pick<WorldRow, 'id' | 'head'>,
): Promise<StoredRows | undefined> {
  if (head === '') return undefined;
  const { rows } = await db.query<Row>(
    'select kind, key, ord::float8 as ord, value from sitepub_entry where world = $1 order by kind, ord',
    [id],
  );
  return { head, rows };
}

/** `since`: the known versions by world id. An entry that several turns have changed is returned once. */
export function changesSince(since: ReadonlyMap<number, number>): Statement {
  return {
    name: 'changes',
    // `distinct` and `offset 0` make the server use the indexes for each world and key; a join would read whole tables.
    text: `select id, changed.kind, changed.key, ord, value
from unnest($1::bigint[], $2::bigint[]) as known (id, since)
cross join lateral (
  select distinct one.kind, one.key from sitepub_change cross join lateral unnest(kinds, keys) as one (kind, key)
  where world = id and version > since
) as changed
left join lateral (
  select ord, value from sitepub_entry as entry where entry.world = id and entry.kind = changed.kind and entry.key = changed.key offset 0
) as now on true`,
    values: [arrayOf([...since.keys()]), arrayOf([...since.values()])],
  };
}

export async function readExchanges(db: Client, { id }: WorldRow, from: number): Promise<ExchangesRow[]> {
  const { rows } = await db.query<ExchangesRow>({
    name: 'requests',
    text: 'select id::float8 as last, value from sitepub_exchange where world = $1 and id > $2 order by id',
    values: [id, from],
  });
  return rows;
}

export interface WorldWriting extends TurnChanges {
  row: WorldRow;
  version: number;
  epoch: number;
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
set version = now.version, epoch = now.epoch, head = now.head, journal = now.journal::jsonb,
  next_due = to_timestamp(now.next_due / 1000)
from unnest($9::bigint[], $10::bigint[], $11::int[], $12::text[], $13::text[], $14::float8[])
  as now (id, version, epoch, head, journal, next_due)
where world.id = now.id`;

/** After a lost answer, `turn` shows the process whether the turn was persisted. */
export function writeWorlds(
  worlds: readonly WorldWriting[],
  { replica, turn }: { replica: string; turn: number },
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
        arrayOfJson(worlds.map(({ journal, row }) => JSON.stringify(journal?.position ?? row.journal))),
        arrayOf(worlds.map(({ nextDue }) => nextDue)),
      ],
    },
    ...worlds.flatMap(writeExchanges),
  ];
}

function idsOf(worlds: readonly WorldWriting[]): string {
  return arrayOf(worlds.map(({ row: { id } }) => id));
}

/** Sends texts outside arrays, where long ones are slow to quote and to parse. */
function writeExchanges({ row: { id, journal: before }, journal }: WorldWriting): Statement[] {
  if (!journal) return [];
  const { added, position } = journal;
  const insert = {
    name: 'exchanges',
    text: 'insert into sitepub_exchange (world, id, value) values ($1, $2, $3)',
  };
  const drop = { text: 'delete from sitepub_exchange where world = $1 and id <= $2' };
  return [
    ...(added ? [{ ...insert, values: [String(id), String(added.last), added.value] }] : []),
    ...(position.dropped === before.dropped
      ? []
      : [{ ...drop, values: [String(id), String(position.dropped)] }]),
  ];
}

interface Statement {
  text: string;
  /** In the text format of PostgreSQL. */
  values?: readonly (string | null)[];
  /** Names a prepared statement, which the server plans once; one name always has the same text. */
  name?: string;
}

type TextRow = readonly (string | null)[];

const preparedOn = lazilyFor((_connection: Connection) => new Set<string>());

/** Sends them in one message, since system calls are half of the cost of a turn. Returns the rows of each; after an error the connection must be dropped. https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY */
export function sendTogether(
  db: Client,
  statements: readonly Statement[],
  timeoutMs?: number,
): Promise<TextRow[][]> {
  return new Promise((resolve, reject) => {
    const results: TextRow[][] = [];
    let rows: TextRow[] = [];
    const message: Submittable & AnswerHandlers = {
      ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
      callback: (error) => (error ? reject(error) : resolve(results)),
      submit: (connection) => submit(connection, statements),
      handleDataRow: ({ fields }) => void rows.push(fields),
      handleCommandComplete() {
        results.push(rows);
        rows = [];
      },
      // The driver replaces `callback` to apply query_timeout, so it is looked up at each call.
      handleError: (error) => message.callback(error),
      handleReadyForQuery: () => message.callback(),
    };
    db.query(message);
  });
}

/** Members that the driver uses and `Submittable` does not declare. */
interface AnswerHandlers {
  query_timeout?: number;
  callback(error?: Error): void;
  handleDataRow(message: { fields: TextRow }): void;
  handleCommandComplete(): void;
  handleError(error: Error): void;
  handleReadyForQuery(): void;
}

function submit(connection: Connection, statements: readonly Statement[]): void {
  const known = preparedOn(connection);
  const { stream } = connection;
  // Corked for one system call, since the driver writes each part of each statement separately.
  stream.cork();
  for (const { text, name = '', values = [] } of statements) {
    if (!known.has(name)) connection.parse({ name, text, types: [] }, true);
    if (name !== '') known.add(name);
    connection.bind({ statement: name, values: [...values] }, true);
    connection.execute(null, true);
  }
  // After an error, the server skips the other statements up to this sync.
  connection.sync();
  stream.uncork();
}

function arrayOf(values: readonly (string | number | null | undefined)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`;
}

function arrayOfTexts(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** A PostgreSQL array of JSON texts, which contain no control characters and can be quoted as in JSON. */
function arrayOfJson(values: readonly (string | undefined)[]): string {
  return `{${values.map((value) => (value === undefined ? 'null' : JSON.stringify(value))).join(',')}}`;
}
