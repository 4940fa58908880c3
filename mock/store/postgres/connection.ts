// The connection of this process to PostgreSQL; a lost one is replaced at the next use.
import type { Client } from 'pg';
import { createTurns } from '../../clock/work.ts';
import { StoreError } from '../store-error.ts';
import { passwordIn, showStoreUrl } from '../store-url.ts';

const connectMs = 2000;
const queryMs = 10_000;

/** Generic plans save a fifth of a call's time; after many changes in few worlds, the planner would scan tables and compile queries. */
const planning = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set jit = off';

export type Connection = Awaited<ReturnType<typeof openConnection>>;

/** Throws a StoreError if the driver is not installed. */
export async function openConnection(url: string) {
  const { default: pg } = await loadDriver();
  const [place, password] = [showStoreUrl(url), passwordIn(url)];
  let client: Client | undefined;
  const inOrder = createTurns();

  function createClient(): Client {
    const created = new pg.Client({
      connectionString: url,
      application_name: 'sitepub',
      connectionTimeoutMillis: connectMs,
      query_timeout: queryMs,
      idle_in_transaction_session_timeout: 5000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
    });
    created.on('error', () => drop(created));
    return created;
  }

  async function connect(db: Client): Promise<void> {
    await db.connect();
    await db.query(planning);
    client = db;
  }

  function drop(broken: Client | undefined): void {
    if (client === broken) client = undefined;
    broken?.end().catch(() => {});
  }

  /** Reconnects for a caller within `use` that has lost the connection. */
  async function useAgain<Result>(what: string, work: (db: Client) => Promise<Result>): Promise<Result> {
    let db = client;
    try {
      db ??= createClient();
      if (db !== client) await connect(db);
      return await work(db);
    } catch (error) {
      drop(db);
      throw explainPostgres(error, `store ${place} can't be ${what}`, password);
    }
  }

  return {
    place,
    /** Runs one caller after the other. Throws a StoreError after dropping the connection, whose state is unknown then. */
    use: <Result>(what: string, work: (db: Client) => Promise<Result>) => inOrder(() => useAgain(what, work)),
    useAgain,
    drop,
    close: (last: (db: Client) => Promise<unknown>) =>
      inOrder(async () => {
        const db = client;
        client = undefined;
        if (!db) return;
        await last(db).catch(() => {});
        await db.end().catch(() => {});
      }),
  };
}

async function loadDriver(): Promise<typeof import('pg')> {
  try {
    return await import('pg');
  } catch {
    throw new StoreError(
      'a PostgreSQL store needs the package pg, which is not installed; run npm install pg, or use a file, for example file:mock.db',
    );
  }
}

/** By code of Node, SQLSTATE or SQLSTATE class: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const reasons: Readonly<Record<string, string>> = {
  '28': 'the server rejects the login; check the user and the password',
  '3D000': 'the database does not exist; create it',
  '42P01': 'the tables are missing; run `sitepub mock store migrate`',
  '42501': 'the user lacks a permission; grant it rights on the tables, or the right to create them',
  '42': 'its tables differ from those that sitepub creates; undo the changes, or use another store',
  '53': 'the server is out of disk, memory or connections; free some',
  '57P01': 'the server is shutting down',
  '57P03': 'the server is starting',
  ECONNREFUSED: 'nothing listens at this address',
  ENOTFOUND: 'the host does not exist',
  ECONNRESET: 'the connection was lost',
  ETIMEDOUT: 'no answer',
};

/** Hides `password`, which messages of the driver and the server may contain. */
function explainPostgres(error: unknown, where: string, password: string | undefined): StoreError {
  if (error instanceof StoreError) return error;
  const { code = '', message } = error as { code?: string; message: string };
  const shown = password === undefined ? message : message.replaceAll(password, '…');
  const why = reasons[code] ?? reasons[code.slice(0, 2)] ?? shown;
  // A retry can't help against these SQLSTATE classes: login, missing database, rights or tables, data, constraints.
  const isTransient = !/^(?:28|3D|42|22|23)/.test(code);
  // Every SQLSTATE has a digit, and Node's codes have none; class 57 means that the server stops or starts.
  const isRefused = /\d/.test(code) && !code.startsWith('57');
  const reason = code.startsWith('53') ? 'full' : isRefused ? 'refused' : 'unreachable';
  return new StoreError(`${where}: ${why}`, { isTransient, reason });
}
