// A PostgreSQL server for tests, from the Debian package, on a free port and in a temporary folder.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const versions = '/usr/lib/postgresql';
/** User ID of `nobody`, because PostgreSQL refuses to run as root. */
const nobody = 65_534;

/** Folder of the commands of PostgreSQL, if it is installed. */
export function findPostgres(): string | undefined {
  if (!existsSync(versions)) return undefined;
  const [latest] = readdirSync(versions).sort((one, other) => Number(other) - Number(one));
  return latest === undefined ? undefined : join(versions, latest, 'bin');
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** With `isDurable`, commits survive a crash of the machine, but tests are slower. */
export async function startPostgres({ isDurable = true } = {}) {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-postgres-'));
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: nobody, gid: nobody } : {};
  if (isRoot) chownSync(folder, nobody, nobody);
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder, stdio: 'ignore' } as const;
  const run = (command: string, ...args: string[]) => execFileSync(join(bin, command), args, options);
  run('initdb', '-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: isDurable ? 'on' : 'off',
    max_connections: 200,
    log_min_messages: 'fatal',
  };
  const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess | undefined;

  const start = async () => {
    server = spawn(join(bin, 'postgres'), ['-D', data, ...set], options);
    for (let count = 0; count < 200; count++) {
      try {
        run('pg_isready', '-h', '127.0.0.1', '-p', String(port));
        return;
      } catch {
        await sleep(50);
      }
    }
    throw new Error('PostgreSQL did not start');
  };

  const end = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    if (signal === 'SIGKILL') spawnSync('pkill', ['-KILL', '-P', String(server.pid)]);
    server.kill(signal);
    await ended;
  };

  await start();
  return {
    /** For the superuser, without a password. */
    url: `postgres://tester@127.0.0.1:${port}/postgres`,
    port,
    start,
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
}

/** Returns the URL of a new schema, which a mock uses like a separate database. */
export async function makeSchema({ url }: Pick<PostgresServer, 'url'>): Promise<string> {
  const { Client } = await import('pg');
  const db = new Client({ connectionString: url });
  await db.connect();
  const schema = `schema_${randomUUID().replaceAll('-', '')}`;
  await db.query(`create schema ${schema}`);
  await db.end();
  return `${url}?options=-csearch_path%3D${schema}`;
}
