// Rows in a PostgreSQL database, which several mocks use at the same time.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, QueryResult } from 'pg';
import { type Engine, type JournalWish, type Keeping, type Seen, StoreError } from './engine.ts';
import { explainPostgres, placeOf } from './explain-postgres.ts';
import { migrate } from './postgres-tables.ts';
import type { Batch, KeptRows, Row, RowChange } from './row.ts';
import type { ExchangeRow, JournalChange, JournalPlace } from './shared-journal.ts';

const world = 'main';
/** A process that was not seen for so long is gone. */
const goneAfter = '10 seconds';
const seenEveryMs = 2000;
/** So long a row tells that its entry is gone. A process that has looked at nothing for nearly so long reads the whole world anew. */
const goneRowsFor = '10 minutes';
const longestAbsenceMs = 9 * 60_000;
const purgeEveryMs = 60_000;
const connectMs = 2000;
const queryMs = 10_000;
/** So long it is asked, in such steps, whether something was kept. */
const outcomeMs = 10_000;
const againMs = 100;

interface WorldRow {
  id: string;
  setup: string | null;
  head: string;
  version: string;
  epoch: number;
  journal: JournalPlace;
  now: string;
}

/** Connects, and makes the tables if they are not there. Throws a StoreError. */
export async function openPostgres(url: string): Promise<Engine> {
  const { default: pg } = await loadDriver();
  const id = randomUUID();
  const place = placeOf(url);
  let client: Client | undefined;
  /** What this process knows of the world. */
  let known: { id: string; version: number; epoch: number; at: number } | undefined;
  let turns = 0;
  let replicas = 1;
  let seenAt = Number.NEGATIVE_INFINITY;
  let purgedAt = performance.now();

  async function connect(): Promise<Client> {
    if (client) return client;
    const opened = new pg.Client({
      connectionString: url,
      pipeline: true,
      application_name: 'sitepub',
      connectionTimeoutMillis: connectMs,
      query_timeout: queryMs,
      idle_in_transaction_session_timeout: 5000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
    });
    opened.on('error', () => drop(opened));
    await opened.connect();
    client = opened;
    return opened;
  }

  function drop(broken: Client | undefined): void {
    if (client === broken) client = undefined;
    broken?.end().catch(() => {});
  }

  /** Throws a StoreError; the connection is given up where it may be in any state. */
  async function use<Result>(what: string, work: (db: Client) => Promise<Result>): Promise<Result> {
    let db: Client | undefined;
    try {
      db = await connect();
      return await work(db);
    } catch (error) {
      drop(db);
      throw error instanceof StoreError ? error : explainPostgres(error, place, what);
    }
  }

  async function enter(db: Client): Promise<WorldRow> {
    const locked = `select id, setup, head, version, epoch, journal, (extract(epoch from clock_timestamp()) * 1000)::bigint as now from sitepub_world where name = '${world}' for update`;
    const queries = [db.query('begin'), db.query<WorldRow>(locked)] as const;
    const [, { rows }] = await Promise.all(queries);
    const [row] = rows;
    if (!row) throw new StoreError(`store ${place}: its world "${world}" is gone; name another store`);
    return row;
  }

  async function look(db: Client, row: WorldRow, wish: JournalWish | undefined): Promise<Seen> {
    const from = wish?.(row.journal);
    if (from === undefined) return seeWorld(db, row);
    const [seen, exchanges] = await Promise.all([seeWorld(db, row), readExchanges(db, row, from)]);
    return { ...seen, exchanges };
  }

  async function seeWorld(db: Client, row: WorldRow): Promise<Seen> {
    const [version, now] = [Number(row.version), Number(row.now)];
    const isKnown = known?.epoch === row.epoch && performance.now() < known.at + longestAbsenceMs;
    const before = known;
    known = { id: row.id, version, epoch: row.epoch, at: performance.now() };
    if (!before || !isKnown) return row.setup === null ? { now } : { now, whole: await readRows(db, row) };
    if (before.version === version) return { now };
    const { rows } = await db.query<Row & { value: string | null }>({
      name: 'changes',
      text: 'select kind, key, ord::float8 as ord, value from sitepub_entry where world = $1 and version > $2',
      values: [row.id, before.version],
    });
    return { now, others: { head: row.head, rows: rows.map(changeOf) } };
  }

  async function readRows(db: Client, { id: worldId, head }: WorldRow): Promise<KeptRows> {
    const { rows } = await db.query<Row>(
      'select kind, key, ord::float8 as ord, value from sitepub_entry where world = $1 and value is not null order by kind, ord',
      [worldId],
    );
    return { head, rows };
  }

  function keep(db: Client, row: WorldRow, { batches, setup, journal }: Keeping): Promise<unknown>[] {
    // Of two processes that start at the same time, the second goes on with the world of the first.
    if (setup !== undefined && row.setup !== null && row.setup !== setup)
      throw new StoreError(
        `store ${place}: another process has just begun a world there, and with another profile, seed or beginning`,
      );
    const version = Number(row.version) + 1;
    const epoch = row.epoch + batches.filter(({ isWhole }) => isWhole).length;
    known = { id: row.id, version, epoch, at: performance.now() };
    const head = batches.reduce((latest, batch) => batch.head ?? latest, row.head);
    return [
      ...batches.flatMap((batch) => writeBatch(db, { worldId: row.id, version }, batch)),
      ...(journal ? writeJournal(db, row, journal) : []),
      db.query({
        name: 'world',
        text: 'update sitepub_world set version = $2, epoch = $3, head = $4, setup = coalesce($5, setup), journal = $6 where id = $1',
        values: [row.id, version, epoch, head, setup ?? null, journal?.place ?? row.journal],
      }),
      db.query({
        name: 'turn',
        text: 'update sitepub_replica set last_turn = $2 where id = $1',
        values: [id, ++turns],
      }),
    ];
  }

  /** Whether the last turn was kept, whose answer was lost. */
  async function wasKept(): Promise<boolean> {
    const { rows } = await use('read', (db) =>
      db.query<{ last_turn: string }>('select last_turn from sitepub_replica where id = $1', [id]),
    );
    return Number(rows[0]?.last_turn) === turns;
  }

  async function commit(db: Client, written: readonly Promise<unknown>[]): Promise<void> {
    // Sent with what is to be kept: after an error before it, it does not commit.
    const ended = db.query('commit');
    const results = await Promise.allSettled([...written, ended]);
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) return;
    if (isAnswered(failed.reason)) throw failed.reason;
    drop(db);
    if (!(await learnOutcome())) throw failed.reason;
  }

  /** Asks until the database is there again. Throws a StoreError that is not transient if it is not soon: to do the work again might do it twice. */
  async function learnOutcome(): Promise<boolean> {
    const askUntil = performance.now() + outcomeMs;
    for (;;) {
      try {
        return await wasKept();
      } catch (error) {
        if (performance.now() > askUntil)
          throw new StoreError(`${messageOf(error)}; whether the last calls were kept is not known`);
        await sleep(againMs);
      }
    }
  }

  async function purge(db: Client, worldId: string): Promise<void> {
    if (performance.now() < purgedAt + purgeEveryMs) return;
    purgedAt = performance.now();
    await db.query(
      `delete from sitepub_entry where world = $1 and value is null and changed_at < now() - interval '${goneRowsFor}'`,
      [worldId],
    );
  }

  async function register(db: Client): Promise<void> {
    if (performance.now() < seenAt + seenEveryMs) return;
    seenAt = performance.now();
    await db.query(
      'insert into sitepub_replica (id, last_turn) values ($1, $2) on conflict (id) do update set seen_at = now()',
      [id, turns],
    );
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from sitepub_replica where seen_at > now() - interval '${goneAfter}'`,
    );
    replicas = rows[0]?.count ?? 1;
    await db.query("delete from sitepub_replica where seen_at < now() - interval '1 day'");
  }

  await use('opened', migrate);
  await use('opened', register);
  return {
    name: 'PostgreSQL',
    place,
    async readSetup() {
      const { rows } = await use('read', (db) =>
        db.query<Pick<WorldRow, 'setup'>>('select setup from sitepub_world where name = $1', [world]),
      );
      return rows[0]?.setup ?? undefined;
    },
    load: () =>
      use('read', async (db) => {
        const row = await enter(db);
        const rows = await readRows(db, row);
        known = { id: row.id, version: Number(row.version), epoch: row.epoch, at: performance.now() };
        await db.query('rollback');
        return rows;
      }),
    turn: (work, wish) =>
      use('written', async (db) => {
        const row = await enter(db);
        const keeping = work(await look(db, row, wish));
        const isIdle = keeping.batches.length === 0 && keeping.setup === undefined && !keeping.journal;
        if (isIdle) await db.query('rollback');
        else await commit(db, keep(db, row, keeping));
        await purge(db, row.id);
      }),
    shared: {
      id,
      async hasNews() {
        return await use('read', async (db) => {
          await register(db);
          const { rows } = await db.query<Pick<WorldRow, 'version' | 'epoch'>>({
            name: 'news',
            text: 'select version, epoch from sitepub_world where name = $1',
            values: [world],
          });
          return Number(rows[0]?.version) !== known?.version || rows[0]?.epoch !== known?.epoch;
        });
      },
      countReplicas: () => replicas,
      forget() {
        known = undefined;
      },
    },
    async close() {
      const db = client;
      client = undefined;
      await db?.query('delete from sitepub_replica where id = $1', [id]).catch(() => {});
      await db?.end().catch(() => {});
    },
  };
}

async function readExchanges(db: Client, { id: worldId }: WorldRow, from: number): Promise<ExchangeRow[]> {
  const { rows } = await db.query<ExchangeRow>({
    name: 'exchanges',
    text: 'select id::float8 as id, value from sitepub_exchange where world = $1 and id > $2 order by id',
    values: [worldId, from],
  });
  return rows;
}

function writeJournal(
  db: Client,
  { id: worldId, journal: before }: WorldRow,
  { place, added, removed }: JournalChange,
): Promise<QueryResult>[] {
  const queries: Promise<QueryResult>[] = [];
  if (added.length > 0)
    queries.push(
      db.query({
        name: 'exchange',
        text: 'insert into sitepub_exchange (world, id, tenant, value) select $1, * from unnest($2::bigint[], $3::int[], $4::text[])',
        values: [
          worldId,
          added.map(({ id }) => id),
          added.map(({ tenantId }) => tenantId ?? null),
          added.map(({ value }) => value),
        ],
      }),
    );
  for (const { upTo, tenantId } of removed)
    queries.push(
      db.query(
        'delete from sitepub_exchange where world = $1 and id <= $2 and ($3::int is null or tenant = $3)',
        [worldId, upTo, tenantId ?? null],
      ),
    );
  if (place.dropped > before.dropped)
    queries.push(
      db.query('delete from sitepub_exchange where world = $1 and id <= $2', [worldId, place.dropped]),
    );
  return queries;
}

function writeBatch(
  db: Client,
  { worldId, version }: { worldId: string; version: number },
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

function changeOf({ value, ...place }: Row & { value: string | null }): RowChange {
  return { ...place, value: value ?? undefined };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the server has said itself what is wrong; else the connection was lost. */
function isAnswered(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}

async function loadDriver(): Promise<typeof import('pg')> {
  try {
    return await import('pg');
  } catch {
    throw new StoreError(
      'a store in PostgreSQL needs the package pg, which is not installed; run npm install pg, or name a file, such as file:mock.db',
    );
  }
}
