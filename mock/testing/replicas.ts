// Mocks in separate processes that share a world.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { openReceiver } from './open-mock.ts';
import { makeSchema, type PostgresServer, startPostgres } from './postgres-server.ts';

const cli = fileURLToPath(new URL('../../cli/cli.ts', import.meta.url));

export type Replica = Awaited<ReturnType<typeof startReplica>>;

/** Without a store URL, the world is in memory. The end of the test kills the process. */
export async function startReplica(store: string, args: readonly string[] = ['--limits', 'off']) {
  const child = spawn(process.execPath, [cli, 'mock', '--port', '0', '--json', ...args], {
    env: { ...process.env, ...(store && { SITEPUB_STORE: store }) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface(child.stdout);
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
  if (line === undefined) throw new Error('the mock did not start');
  const { base_url: baseUrl, control_url: controlUrl, tenants } = JSON.parse(line);
  const token = String(tenants[0].api_key);
  return { process: child, baseUrl: String(baseUrl), controlUrl: String(controlUrl), token };
}

/** A server for all tests of a file or group. Its URL is set while they run. */
export function databaseOfTests(): Pick<PostgresServer, 'url'> {
  const database = { url: '' };
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres({ isDurable: false });
    database.url = server.url;
  });
  afterAll(() => server?.stop());
  return database;
}

export async function openDatabase(): Promise<PostgresServer> {
  const server = await startPostgres();
  onTestFinished(server.stop);
  return server;
}

/** A new schema and a function that queries it. */
export async function openSchema(database: Pick<PostgresServer, 'url'>) {
  const url = await makeSchema(database);
  const db = new Client({ connectionString: url });
  await db.connect();
  onTestFinished(() => db.end());
  return { url, ask: async (sql: string) => (await db.query<Record<string, unknown>>(sql)).rows };
}

/** A receiver of publish events that answers after 20 ms. */
export async function openVersionReceiver(status = 200) {
  let holdMs = 20;
  /** Pushes by version. */
  const versions = new Map<number, number>();
  /** The different bodies of all pushes. */
  const bodies = new Set<string>();
  const { url } = await openReceiver(async (_path, body) => {
    const { data } = JSON.parse(body) as { data: { version: number } };
    bodies.add(body);
    versions.set(data.version, (versions.get(data.version) ?? 0) + 1);
    await sleep(holdMs);
    return { status };
  });
  return {
    url: `${url}/`,
    versions,
    bodies,
    /** Sets the time before each answer. */
    hold(ms: number): void {
      holdMs = ms;
    },
  };
}
