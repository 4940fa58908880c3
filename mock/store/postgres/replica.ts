// Registers this process for others that share the database, and finds out whether its last turn was persisted.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { messageOf, StoreError } from '../store-error.ts';
import type { Connection } from './connection.ts';
import { lockWorlds, sendTogether, type WorldWriting, writeWorlds } from './statements.ts';

const goneAfter = '10 seconds';
const seenEveryMs = 2000;
/** Without an answer to a commit after this time, the process asks whether the turn was persisted. */
const commitMs = 5000;
/** The process stops asking this long after it sent the commit. */
const outcomeMs = 10_000;
const againMs = 100;

export function createReplica(connection: Connection) {
  const id = randomUUID();
  let turns = 0;
  let counts = { replicas: 1, worlds: 1 };
  let seenAt = Number.NEGATIVE_INFINITY;

  /** Throws a permanent StoreError if there is no answer until `askUntil`, since a retry might do the work twice. */
  async function wasPersisted(worldIds: readonly number[], askUntil: number): Promise<boolean> {
    const statements = [
      { text: 'begin' },
      // The turn may still be in progress; its locks are free once it has ended.
      lockWorlds(worldIds),
      { text: 'select last_turn from sitepub_replica where id = $1', values: [id] },
      { text: 'rollback' },
    ];
    for (;;) {
      const leftMs = askUntil - performance.now();
      const ask = (db: Client) => sendTogether(db, statements, Math.max(againMs, leftMs));
      try {
        const answers = await connection.useAgain('read', ask);
        return Number(answers[2]?.[0]?.[0]) === turns;
      } catch (error) {
        if (leftMs < againMs)
          throw new StoreError(`${messageOf(error)}; it is unknown whether the last calls were persisted`);
        await sleep(againMs);
      }
    }
  }

  return {
    id,
    async register(db: Client): Promise<void> {
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
    },
    counts: () => counts,
    /** Writes and commits; `worldIds` are all locked worlds. Throws if the turn was not persisted. */
    async commit(db: Client, worldIds: readonly number[], writings: readonly WorldWriting[]): Promise<void> {
      const askUntil = performance.now() + outcomeMs;
      const statements = writeWorlds(writings, { replica: id, turn: ++turns });
      try {
        // After an error in the same message, the server does not commit.
        await sendTogether(db, [...statements, { text: 'commit' }], commitMs);
      } catch (error) {
        // An error with a severity is an answer of the server, which has not committed.
        if (error instanceof Error && 'severity' in error) throw error;
        connection.drop(db);
        if (!(await wasPersisted(worldIds, askUntil))) throw error;
      }
    },
    leave: (db: Client) => db.query('delete from sitepub_replica where id = $1', [id]),
  };
}
