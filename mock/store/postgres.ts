// Rows in a PostgreSQL database, which several mocks use at the same time.
import type { Client } from 'pg';
import {
  type Engine,
  type JournalWish,
  type Keeping,
  type Member,
  type OpenOptions,
  type Seen,
  StoreError,
} from './engine.ts';
import { createFormats, formatSteps, sayTooNew } from './formats.ts';
import { openConnection } from './postgres-connection.ts';
import { type Shape, shapeOf } from './postgres-formats.ts';
import { createReplica } from './postgres-replica.ts';
import {
  readChanges,
  readExchanges,
  readRows,
  type WorldRow,
  writeBatch,
  writeJournal,
} from './postgres-rows.ts';
import { explainTables, migrate, readTables } from './postgres-tables.ts';
import { postgresWorlds } from './postgres-worlds.ts';
import type { KeptRows } from './row.ts';

/** So long a row tells that its entry is gone. A process that has looked at nothing for nearly so long reads the whole world anew. */
const goneRowsFor = '10 minutes';
const longestAbsenceMs = 9 * 60_000;
const purgeEveryMs = 60_000;

const worldColumns =
  'id, name, head, version, epoch, format, journal, (extract(epoch from clock_timestamp()) * 1000)::bigint as now';

/** What this process knows of a world. */
interface Known {
  version: number;
  epoch: number;
  at: number;
}

/** Connects, and brings the tables up to date. Throws a StoreError. */
export async function openPostgres(
  url: string,
  { migrates = true, steps = formatSteps }: OpenOptions = {},
): Promise<Engine> {
  const connection = await openConnection(url);
  const { place, use } = connection;
  const formats = createFormats(steps);
  const { newest } = formats;
  const replica = createReplica(connection, newest);
  const known = new Map<number, Known>();
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
    for (const { format } of rows) checkFormat(format);
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
      const whole = await readWhole(db, row);
      return { now, ...(whole && { whole }) };
    }
    if (before.version === version) return { now };
    const others = { head: row.head, rows: await readChanges(db, row, before.version) };
    return { now, others: formats.translate(others, row.format, newest) };
  }

  async function readWhole(db: Client, row: WorldRow): Promise<KeptRows | undefined> {
    const kept = await readRows(db, row);
    return kept && formats.translate(kept, row.format, newest);
  }

  function know(worldId: number, version: number, epoch: number): void {
    known.set(worldId, { version, epoch, at: performance.now() });
  }

  function keep(
    db: Client,
    { row, format, rewritten }: Shape & { row: WorldRow },
    { batches: changed, setup, journal, nextDue }: Keeping,
  ): Promise<unknown>[] {
    const batches = [...rewritten, ...changed.map((batch) => formats.translate(batch, newest, format))];
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
        text: 'update sitepub_world set version = $2, epoch = $3, head = $4, setup = coalesce($5, setup), journal = $6, next_due = to_timestamp($7::float8 / 1000), format = $8 where id = $1',
        values: [
          row.id,
          version,
          epoch,
          head,
          setup ?? null,
          journal?.place ?? row.journal,
          nextDue ?? null,
          format,
        ],
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
      present.map(async ({ member, row }) => {
        const [shapes, of] = await Promise.all([
          shapeOf(db, row, { formats, place }),
          look(db, row, member.wish),
        ]);
        return { member, of, kept: { row, ...shapes } };
      }),
    );
    const written = seen.flatMap(({ member, of, kept }) => keep(db, kept, member.work(of)));
    if (written.length === 0) await db.query('rollback');
    else await replica.commit(db, written);
    return members.filter(({ worldId }) => !rowOf.has(worldId)).map(({ worldId }) => worldId);
  }

  async function purge(db: Client): Promise<void> {
    if (performance.now() < purgedAt + purgeEveryMs) return;
    purgedAt = performance.now();
    await db.query(
      `delete from sitepub_entry where world = any($1::bigint[]) and value is null and changed_at < now() - interval '${goneRowsFor}'`,
      [[...known.keys()]],
    );
  }

  /** Throws a StoreError if this version of sitepub can't use what is there. */
  async function checkVersions(db: Client): Promise<void> {
    const problem = explainTables(await readTables(db), place);
    if (problem !== undefined) throw new StoreError(problem, { reason: 'refused' });
    const { rows } = await db.query<{ format: number }>('select max(format) as format from sitepub_world');
    checkFormat(rows[0]?.format ?? 0);
  }

  function checkFormat(format: number): void {
    if (format > newest) throw new StoreError(sayTooNew(place, format, formats), { reason: 'refused' });
  }

  if (migrates) await use('opened', (db) => migrate(db, place));
  await use('opened', checkVersions);
  await use('opened', replica.register);
  return {
    name: 'PostgreSQL',
    place,
    worlds: postgresWorlds(connection, formats),
    load: (worldId) =>
      use('read', async (db) => {
        const [row] = await enter(db, [{ worldId }]);
        const rows = row && (await readWhole(db, row));
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
      id: replica.id,
      async findNews(worldIds) {
        const { rows } = await use('read', async (db) => {
          await replica.register(db);
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
      counts: replica.counts,
      forget: (worldId) => void known.delete(worldId),
    },
    check: () => use('read', checkVersions),
    close: () => connection.close(replica.leave),
  };
}
