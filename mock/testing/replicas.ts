// Mocks as processes of their own, which share a world.
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

/** Killed when the test ends. Throws if it does not start. Without a store, its world lives in memory. */
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

/** A server for all tests of a file or a group, which ends with them. It has a URL while they run. */
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

/** Stopped when the test ends. */
export async function openDatabase(): Promise<PostgresServer> {
  const server = await startPostgres();
  onTestFinished(server.stop);
  return server;
}

/** A schema of its own, and what answers SQL there. */
export async function openSchema(database: Pick<PostgresServer, 'url'>) {
  const url = await makeSchema(database);
  const db = new Client({ connectionString: url });
  await db.connect();
  onTestFinished(() => db.end());
  return { url, ask: async (sql: string) => (await db.query<Record<string, unknown>>(sql)).rows };
}

/** A receiver of publishes. `status`: what it answers, after 20 ms. */
export async function openVersionReceiver(status = 200) {
  let holdMs = 20;
  /** How often each version was pushed. */
  const versions = new Map<number, number>();
  /** The bodies of all pushes; those that are the same stand once. */
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
    /** Takes so many milliseconds for each answer from now on. */
    hold(ms: number): void {
      holdMs = ms;
    },
  };
}

/** How many pushes are not settled, as the control API of any replica has it. */
export async function countPending(controlUrl: string): Promise<number> {
  const answer = await fetch(`${controlUrl}/deliveries?state=pending&limit=1`);
  return ((await answer.json()) as { total?: number }).total ?? Number.NaN;
}
