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
} from '../engine.ts';
import type { RowChange } from '../rows.ts';
import { requireVersion } from '../sql/database.ts';
import { sqlWorlds } from '../sql/worlds.ts';
import { openConnection } from './connection.ts';
import { createReplica } from './replica.ts';
import { sendTogether } from './send-together.ts';
import {
  changesSince,
  groupChanges,
  lockWorlds,
  readExchanges,
  readRows,
  readWorlds,
  type WorldRow,
  type WorldWriting,
  writeWorlds,
} from './statements.ts';
import { createTables, postgresDatabase } from './tables.ts';

/** How long the changes of a turn are stored. */
const changesFor = '10 minutes';
/** A process that has not looked at a world for longer reads all of it anew. */
const longestAbsenceMs = 9 * 60_000;
const purgeEveryMs = 60_000;

type Changes = ReadonlyMap<number, readonly RowChange[]>;

/** The state of a world that this process has seen last. */
interface Known {
  version: number;
  epoch: number;
  at: number;
}

/** Connects, and makes the tables if there are none. Throws a StoreError. */
export async function openPostgres(url: string, { migrates = true }: OpenOptions = {}): Promise<Engine> {
  const connection = await openConnection(url);
  const { place, use } = connection;
  const database = postgresDatabase(connection);
  const replica = createReplica(connection);
  const known = new Map<number, Known>();
  let purgedAt = performance.now();

  /** Locks the worlds, and reads what others have changed in the known ones. */
  async function enter(
    db: Client,
    members: readonly Pick<Member, 'worldId' | 'begins'>[],
  ): Promise<{ rows: WorldRow[]; changes: Changes }> {
    const worldIds = members.map(({ worldId }) => worldId);
    // Read in the same message: another message would cost more than a look that finds nothing.
    const [, locked = [], changed = []] = await sendTogether(db, [
      { text: 'begin' },
      lockWorlds(worldIds, { withSetup: members.some(({ begins }) => begins) }),
      changesSince(versionsOf(worldIds)),
    ]);
    const rows = readWorlds(locked);
    for (const { tables } of rows) requireVersion(database, tables);
    return { rows, changes: groupChanges(changed) };
  }

  /** The versions of the known ones of these worlds. */
  function versionsOf(worldIds: readonly number[]): Map<number, number> {
    const versions = worldIds.map((worldId) => [worldId, known.get(worldId)?.version] as const);
    return new Map(versions.filter((one): one is [number, number] => one[1] !== undefined));
  }

  async function look(
    db: Client,
    row: WorldRow,
    { wish, changes }: { wish: JournalWish | undefined; changes: Changes },
  ): Promise<Seen> {
    const { id, version, epoch, now, head } = row;
    const isSame = known.get(id)?.version === version;
    const needsAll = !isKnown(row);
    know(id, version, epoch);
    const from = wish?.(row.journal);
    const [whole, exchanges] = await Promise.all([
      needsAll ? readRows(db, row) : undefined,
      from === undefined ? undefined : readExchanges(db, row, from),
    ]);
    return {
      now,
      ...(whole && { whole }),
      ...(!needsAll && !isSame && { others: { head, rows: changes.get(id) ?? [] } }),
      ...(exchanges && { exchanges }),
    };
  }

  /** Whether reading the changes is enough. */
  function isKnown({ id, epoch }: WorldRow): boolean {
    const before = known.get(id);
    return before?.epoch === epoch && performance.now() < before.at + longestAbsenceMs;
  }

  function know(worldId: number, version: number, epoch: number): void {
    known.set(worldId, { version, epoch, at: performance.now() });
  }

  /** Returns undefined if there is nothing to write. */
  function writingOf(row: WorldRow, keeping: Keeping): WorldWriting | undefined {
    const { batch, setup, journal } = keeping;
    if (!batch && setup === undefined && !journal) return undefined;
    // If two processes start at the same time, the second goes on with the world of the first.
    if (setup !== undefined && row.setup && row.setup !== setup)
      throw new StoreError(
        `store ${place}: another process has just begun a world there, and with another profile, seed or beginning`,
      );
    const version = row.version + 1;
    const epoch = row.epoch + (batch?.isWhole ? 1 : 0);
    know(row.id, version, epoch);
    return { ...keeping, row, version, epoch };
  }

  async function takeTurn(db: Client, members: readonly Member[]): Promise<number[]> {
    const { rows, changes } = await enter(db, members);
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    const present = await Promise.all(
      members.map(async (member) => {
        const row = rowOf.get(member.worldId);
        return row && { member, row, seen: await look(db, row, { wish: member.wish, changes }) };
      }),
    );
    const writings = present.flatMap((one) => (one && writingOf(one.row, one.member.work(one.seen))) ?? []);
    if (writings.length === 0) await db.query('rollback');
    else await replica.commit(db, [...rowOf.keys()], (turn) => writeWorlds(writings, turn));
    return members.filter(({ worldId }) => !rowOf.has(worldId)).map(({ worldId }) => worldId);
  }

  async function purge(db: Client): Promise<void> {
    if (performance.now() < purgedAt + purgeEveryMs) return;
    purgedAt = performance.now();
    await db.query(
      `delete from sitepub_change where world = any($1::bigint[]) and changed_at < now() - interval '${changesFor}'`,
      [[...known.keys()]],
    );
  }

  async function checkTables(what: string): Promise<void> {
    requireVersion(database, await database.use(what, database.dialect.readVersion));
  }

  if (migrates) await createTables(database, 'opened');
  await checkTables('opened');
  await use('opened', replica.register);
  return {
    name: 'PostgreSQL',
    place,
    worlds: sqlWorlds(database),
    load: (worldId) =>
      use('read', async (db) => {
        const [row] = (await enter(db, [{ worldId }])).rows;
        const rows = row && (await readRows(db, row));
        if (row && rows) know(worldId, row.version, row.epoch);
        await db.query('rollback');
        return rows;
      }),
    turn: (members) =>
      use('written', async (db) => {
        const gone = await takeTurn(db, members);
        for (const worldId of gone) known.delete(worldId);
        // A mock that takes one turn after the other does not ask for news.
        await replica.register(db);
        await purge(db);
        return gone;
      }),
    shared: {
      id: replica.id,
      async findNews(worldIds) {
        const { rows } = await use('read', async (db) => {
          await replica.register(db);
          return db.query<{ id: string; version: string; epoch: number }>({
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
    check: () => checkTables('read'),
    close: () => connection.close(replica.leave),
  };
}
