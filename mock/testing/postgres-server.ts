// A PostgreSQL server for tests, as Debian packs it: on a free port, in a folder of its own, and as a user without rights.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const versions = '/usr/lib/postgresql';
/** The user nobody, since PostgreSQL refuses to be run by root. */
const nobody = 65_534;

/** Where its commands are; undefined: it is not installed. */
export function findPostgres(): string | undefined {
  if (!existsSync(versions)) return undefined;
  const [latest] = readdirSync(versions).sort((one, other) => Number(other) - Number(one));
  return latest === undefined ? undefined : join(versions, latest, 'bin');
}

export interface PostgresServer {
  /** Of its superuser, who needs no password. */
  url: string;
  port: number;
  /** Starts it again after it was killed. */
  start(): Promise<void>;
  /** Kills all of its processes. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** What its processes have taken of the processors so far, in milliseconds. */
  cpuMs(): number;
}

interface Settings {
  /** Whether what is kept survives the end of the machine: slower. Default: true. */
  isDurable?: boolean;
}

export async function startPostgres({ isDurable = true }: Settings = {}): Promise<PostgresServer> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-postgres-'));
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: nobody, gid: nobody } : {};
  if (isRoot) chownSync(folder, nobody, nobody);
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder, stdio: 'pipe' } as const;
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    options,
  );
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
  let server: ReturnType<typeof spawn> | undefined;

  async function start(): Promise<void> {
    server = spawn(join(bin ?? '', 'postgres'), ['-D', data, ...set], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    });
    for (let count = 0; count < 200; count++) {
      try {
        execFileSync(join(bin ?? '', 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], options);
        return;
      } catch {
        await sleep(50);
      }
    }
    throw new Error('PostgreSQL did not start');
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    for (const pid of [...childrenOf(server.pid), server.pid])
      if (pid !== undefined && (signal === 'SIGKILL' || pid === server.pid)) tryToKill(pid, signal);
    await ended;
  }

  function childrenOf(pid: number | undefined): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((each) => statOf(each)?.parent === pid);
  }

  await start();
  return {
    url: `postgres://tester@127.0.0.1:${port}/postgres`,
    port,
    start,
    kill: () => end('SIGKILL'),
    async stop() {
      // Immediately, as the folder goes anyway.
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
    cpuMs: () =>
      [server?.pid, ...childrenOf(server?.pid)].reduce<number>(
        (sum, pid) => sum + (pid === undefined ? 0 : (statOf(pid)?.cpuMs ?? 0)),
        0,
      ),
  };
}

function tryToKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Of /proc: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function statOf(pid: number): { parent: number; cpuMs: number } | undefined {
  const file = `/proc/${pid}/stat`;
  try {
    const text = readFileSync(file, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system] = [11, 12].map((index) => Number(fields[index]));
    return { parent: Number(fields[1]), cpuMs: ((user ?? 0) + (system ?? 0)) * 10 };
  } catch {
    return undefined;
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
}

/** A database of its own, as far as a mock can see. Returns its URL. */
export async function makeSchema({ url }: Pick<PostgresServer, 'url'>): Promise<string> {
  const { Client } = await import('pg');
  const db = new Client({ connectionString: url });
  await db.connect();
  const schema = `schema_${randomUUID().replaceAll('-', '')}`;
  await db.query(`create schema ${schema}`);
  await db.end();
  return `${url}?options=-csearch_path%3D${schema}`;
}
