import type { Client } from 'pg';
import type { Engine, JournalWish, Member, OpenOptions, Seen, TurnChanges } from '../engine.ts';
import { requireVersion } from '../sql/database.ts';
import { sqlWorlds } from '../sql/worlds.ts';
import { openConnection } from './connection.ts';
import { createReplica } from './replica.ts';
import { enterWorlds, readExchanges, readRows, type WorldRow, type WorldWriting } from './statements.ts';
import { createTables, postgresDatabase } from './tables.ts';

const changesFor = '10 minutes';
/** A process away for longer rereads the world, since changes older than `changesFor` may have been deleted. */
const longestAbsenceMs = 9 * 60_000;
const purgeEveryMs = 60_000;

/** Throws a StoreError if the database can't be used. */
export async function openPostgres(url: string, { migrates = true }: OpenOptions = {}): Promise<Engine> {
  const connection = await openConnection(url);
  const { place, use } = connection;
  const database = postgresDatabase(connection);
  const replica = createReplica(connection);
  const known = new Map<number, { version: number; epoch: number; at: number }>();
  let purgedAt = performance.now();

  async function enter(db: Client, worldIds: readonly number[]): Promise<WorldRow[]> {
    // A world that is not known is read as a whole, without its changes.
    const since = worldIds.map((id) => [id, known.get(id)?.version ?? Number.MAX_SAFE_INTEGER] as const);
    const rows = await enterWorlds(db, new Map(since));
    for (const { tables } of rows) requireVersion(database, tables);
    return rows;
  }

  async function look(db: Client, row: WorldRow, wish: JournalWish | undefined): Promise<Seen> {
    const { id, version, epoch, now, head, changes } = row;
    const before = known.get(id);
    const isKnown = before?.epoch === epoch && performance.now() < before.at + longestAbsenceMs;
    know(id, version, epoch);
    const from = wish?.(row.journal);
    const [whole, exchanges] = await Promise.all([
      isKnown ? undefined : readRows(db, row),
      from === undefined ? undefined : readExchanges(db, row, from),
    ]);
    return {
      now,
      ...(whole && { whole }),
      ...(isKnown && before.version !== version && { others: { head, rows: changes } }),
      ...(exchanges && { exchanges }),
    };
  }

  function know(worldId: number, version: number, epoch: number): void {
    known.set(worldId, { version, epoch, at: performance.now() });
  }

  function writingOf(row: WorldRow, changes: TurnChanges): WorldWriting | undefined {
    const { batch, journal } = changes;
    if (!batch && !journal) return undefined;
    const version = row.version + 1;
    const epoch = row.epoch + (batch?.isWhole ? 1 : 0);
    know(row.id, version, epoch);
    return { ...changes, row, version, epoch };
  }

  async function takeTurn(db: Client, members: readonly Member[]): Promise<number[]> {
    const worldIds = members.map(({ worldId }) => worldId);
    const rowOf = new Map((await enter(db, worldIds)).map((row) => [row.id, row]));
    const present = await Promise.all(
      members.map(async (member) => {
        const row = rowOf.get(member.worldId);
        return row && { member, row, seen: await look(db, row, member.wish) };
      }),
    );
    const writings = present.flatMap((one) => (one && writingOf(one.row, one.member.work(one.seen))) ?? []);
    if (writings.length === 0) await db.query('rollback');
    else await replica.commit(db, [...rowOf.keys()], writings);
    return worldIds.filter((worldId) => !rowOf.has(worldId));
  }

  async function purge(db: Client): Promise<void> {
    if (performance.now() < purgedAt + purgeEveryMs) return;
    purgedAt = performance.now();
    await db.query(
      `delete from sitepub_change where world = any($1::bigint[]) and changed_at < now() - interval '${changesFor}'`,
      [[...known.keys()]],
    );
  }

  /** Within `use`, which drops the connection if the tables do not fit. */
  function checkTables(what: string): Promise<void> {
    return database.use(what, async (query) =>
      requireVersion(database, await database.dialect.readVersion(query)),
    );
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
        const [row] = await enter(db, [worldId]);
        const rows = row && (await readRows(db, row));
        if (row && rows) know(worldId, row.version, row.epoch);
        await db.query('rollback');
        return rows;
      }),
    turn: (members) =>
      use('written', async (db) => {
        const gone = await takeTurn(db, members);
        for (const worldId of gone) known.delete(worldId);
        // `findNews` also registers, but does not run while turns follow each other.
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
