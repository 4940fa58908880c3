// Rows in a PostgreSQL database, which several mocks use at the same time.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Engine, type JournalWish, type Keeping, type Member, type Seen, StoreError } from './engine.ts';
import { openConnection } from './postgres-connection.ts';
import {
  readChanges,
  readExchanges,
  readRows,
  type WorldRow,
  writeBatch,
  writeJournal,
} from './postgres-rows.ts';
import { migrate } from './postgres-tables.ts';
import { postgresWorlds } from './postgres-worlds.ts';

/** A process that was not seen for so long is gone. */
const goneAfter = '10 seconds';
const seenEveryMs = 2000;
/** So long a row tells that its entry is gone. A process that has looked at nothing for nearly so long reads the whole world anew. */
const goneRowsFor = '10 minutes';
const longestAbsenceMs = 9 * 60_000;
const purgeEveryMs = 60_000;
/** So long it is asked, in such steps, whether something was kept. */
const outcomeMs = 10_000;
const againMs = 100;

const worldColumns =
  'id, name, head, version, epoch, journal, (extract(epoch from clock_timestamp()) * 1000)::bigint as now';

/** What this process knows of a world. */
interface Known {
  version: number;
  epoch: number;
  at: number;
}

/** Connects, and makes the tables if they are not there. Throws a StoreError. */
export async function openPostgres(url: string): Promise<Engine> {
  const connection = await openConnection(url);
  const { place, use } = connection;
  const id = randomUUID();
  const known = new Map<number, Known>();
  let turns = 0;
  let counts = { replicas: 1, worlds: 1 };
  let seenAt = Number.NEGATIVE_INFINITY;
  let purgedAt = performance.now();

  async function enter(
    db: Client,
    members: readonly Pick<Member, 'worldId' | 'begins'>[],
  ): Promise<WorldRow[]> {
    const begins = members.some((member) => member.begins);
    const begun = db.query('begin');
    const locked = db.query<WorldRow>({
      name: begins ? 'begin' : 'enter',
      // In one order, so that two processes do not wait for each other.
      text: `select ${worldColumns}${begins ? ', setup' : ''} from sitepub_world where id = any($1::bigint[]) order by id for update`,
      values: [members.map(({ worldId }) => worldId)],
    });
    const [, { rows }] = await Promise.all([begun, locked]);
    return rows;
  }

  async function look(db: Client, row: WorldRow, wish: JournalWish | undefined): Promise<Seen> {
    const from = wish?.(row.journal);
    if (from === undefined) return seeWorld(db, row);
    const [seen, exchanges] = await Promise.all([seeWorld(db, row), readExchanges(db, row, from)]);
    return { ...seen, exchanges };
  }

  async function seeWorld(db: Client, row: WorldRow): Promise<Seen> {
    const [worldId, version, now] = [Number(row.id), Number(row.version), Number(row.now)];
    const before = known.get(worldId);
    const isKnown = before?.epoch === row.epoch && performance.now() < before.at + longestAbsenceMs;
    know(worldId, version, row.epoch);
    if (!before || !isKnown) {
      const whole = await readRows(db, row);
      return { now, ...(whole && { whole }) };
    }
    if (before.version === version) return { now };
    return { now, others: { head: row.head, rows: await readChanges(db, row, before.version) } };
  }

  function know(worldId: number, version: number, epoch: number): void {
    known.set(worldId, { version, epoch, at: performance.now() });
  }

  function keep(
    db: Client,
    row: WorldRow,
    { batches, setup, journal, nextDue }: Keeping,
  ): Promise<unknown>[] {
    if (batches.length === 0 && setup === undefined && !journal) return [];
    // Of two processes that start at the same time, the second goes on with the world of the first.
    if (setup !== undefined && row.setup && row.setup !== setup)
      throw new StoreError(
        `store ${place}: another process has just begun a world there, and with another profile, seed or beginning`,
      );
    const version = Number(row.version) + 1;
    const epoch = row.epoch + batches.filter(({ isWhole }) => isWhole).length;
    know(Number(row.id), version, epoch);
    const head = batches.reduce((latest, batch) => batch.head ?? latest, row.head);
    return [
      ...batches.flatMap((batch) => writeBatch(db, { worldId: row.id, version }, batch)),
      ...(journal ? writeJournal(db, row, journal) : []),
      db.query({
        name: 'world',
        text: 'update sitepub_world set version = $2, epoch = $3, head = $4, setup = coalesce($5, setup), journal = $6, next_due = to_timestamp($7::float8 / 1000) where id = $1',
        values: [row.id, version, epoch, head, setup ?? null, journal?.place ?? row.journal, nextDue ?? null],
      }),
    ];
  }

  async function takeTurn(db: Client, members: readonly Member[]): Promise<number[]> {
    const rows = await enter(db, members);
    const rowOf = new Map(rows.map((row) => [Number(row.id), row]));
    const present = members.flatMap((member) => {
      const row = rowOf.get(member.worldId);
      return row ? [{ member, row }] : [];
    });
    const seen = await Promise.all(
      present.map(async ({ member, row }) => ({ member, row, of: await look(db, row, member.wish) })),
    );
    const written = seen.flatMap(({ member, row, of }) => keep(db, row, member.work(of)));
    if (written.length === 0) await db.query('rollback');
    else await commit(db, [...written, countTurn(db)]);
    return members.filter(({ worldId }) => !rowOf.has(worldId)).map(({ worldId }) => worldId);
  }

  function countTurn(db: Client): Promise<unknown> {
    return db.query({
      name: 'turn',
      text: 'update sitepub_replica set last_turn = $2 where id = $1',
      values: [id, ++turns],
    });
  }

  /** Whether the last turn was kept, whose answer was lost. */
  async function wasKept(): Promise<boolean> {
    const { rows } = await connection.useAgain('read', (db) =>
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
    connection.drop(db);
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

  async function purge(db: Client): Promise<void> {
    if (performance.now() < purgedAt + purgeEveryMs) return;
    purgedAt = performance.now();
    await db.query(
      `delete from sitepub_entry where world = any($1::bigint[]) and value is null and changed_at < now() - interval '${goneRowsFor}'`,
      [[...known.keys()]],
    );
  }

  async function register(db: Client): Promise<void> {
    if (performance.now() < seenAt + seenEveryMs) return;
    seenAt = performance.now();
    await db.query(
      'insert into sitepub_replica (id, last_turn) values ($1, $2) on conflict (id) do update set seen_at = now()',
      [id, turns],
    );
    const { rows } = await db.query<typeof counts>(
      `select (select count(*)::int from sitepub_replica where seen_at > now() - interval '${goneAfter}') as replicas, (select count(*)::int from sitepub_world) as worlds`,
    );
    counts = rows[0] ?? counts;
    await db.query("delete from sitepub_replica where seen_at < now() - interval '1 day'");
  }

  await use('opened', migrate);
  await use('opened', register);
  return {
    name: 'PostgreSQL',
    place,
    worlds: postgresWorlds(connection),
    load: (worldId) =>
      use('read', async (db) => {
        const [row] = await enter(db, [{ worldId }]);
        const rows = row && (await readRows(db, row));
        if (row && rows) know(worldId, Number(row.version), row.epoch);
        await db.query('rollback');
        return rows;
      }),
    turn: (members) =>
      use('written', async (db) => {
        const gone = await takeTurn(db, members);
        for (const worldId of gone) known.delete(worldId);
        await purge(db);
        return gone;
      }),
    shared: {
      id,
      async findNews(worldIds) {
        const { rows } = await use('read', async (db) => {
          await register(db);
          return db.query<Pick<WorldRow, 'id' | 'version' | 'epoch'>>({
            name: 'news',
            text: 'select id, version, epoch from sitepub_world where id = any($1::bigint[])',
            values: [worldIds],
          });
        });
        const rowOf = new Map(rows.map((row) => [Number(row.id), row]));
        return worldIds.filter((worldId) => {
          const [row, before] = [rowOf.get(worldId), known.get(worldId)];
          return !row || Number(row.version) !== before?.version || row.epoch !== before.epoch;
        });
      },
      counts: () => counts,
      forget: (worldId) => void known.delete(worldId),
    },
    check: () => use('read', async (db) => void (await db.query('select 1'))),
    close: () => connection.close((db) => db.query('delete from sitepub_replica where id = $1', [id])),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the server has said itself what is wrong; else the connection was lost. */
function isAnswered(error: unknown): boolean {
  return error instanceof Error && 'severity' in error;
}
