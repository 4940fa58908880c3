// The network between a mock and its database, for tests: it can be cut, refuse, be slow, go silent, and lose a commit.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { KeptMock, KeptOptions } from '../../../start.ts';
import { makeSchema, type PostgresServer } from '../../../testing/postgres-server.ts';
import { startTestMock } from '../../../testing/started-mock.ts';
import { ask, publish } from './ask.ts';

export type Wire = Awaited<ReturnType<typeof openWire>>;

/** The connection is cut before it arrives, when it has arrived, or while it is still on its way; or it arrives after seven seconds; or the wire is silent from then on. */
export type LostCommit = 'before' | 'after' | 'on its way' | 'late' | 'in silence';

const onItsWayMs = 500;
const lateMs = 7000;

async function openWire(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  /** Sides of the database whose mock is gone. */
  const orphans = new Set<Socket>();
  const held: (() => void)[] = [];
  let delayMs = 0;
  let isSilent = false;
  let losing: { how: LostCommit; done(): void } | undefined;
  const server = createServer((mock) => {
    const database = connect(Number(target.port), target.hostname);
    const pair = { mock, database };
    pairs.add(pair);
    mock.on('data', (chunk) => toDatabase(pair, chunk));
    database.on('data', (chunk) => pass(() => write(mock, chunk)));
    for (const [one, other] of [
      [mock, database],
      [database, mock],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => pass(() => void other.destroy()));
    }
    database.on('close', () => pairs.delete(pair));
  });

  function toDatabase(pair: Pair, chunk: Buffer): void {
    const { mock, database } = pair;
    const lost = chunk.includes('commit\0') ? losing : undefined;
    if (lost) losing = undefined;
    lost?.done();
    isSilent ||= lost?.how === 'in silence';
    if (!lost || isSilent || lost.how === 'late') {
      pass(() => write(database, chunk), lost?.how === 'late' ? lateMs : delayMs);
      return;
    }
    // The database is not told that the mock is gone.
    pairs.delete(pair);
    orphans.add(database);
    mock.removeAllListeners('close').destroy();
    if (lost.how === 'before') database.destroy();
    else setTimeout(() => write(database, chunk), lost.how === 'after' ? 0 : onItsWayMs);
  }

  function pass(send: () => void, afterMs = delayMs): void {
    if (isSilent) held.push(send);
    else if (afterMs > 0) setTimeout(send, afterMs);
    else send();
  }

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  /** Cuts all connections, and refuses others until they are accepted again. */
  function refuse(): void {
    server.close();
    for (const { mock, database } of pairs) {
      mock.destroy();
      database.destroy();
    }
  }

  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    /** Of the database, by this wire. */
    url: url.href,
    refuse,
    accept: () => listen(port),
    /** What is sent in any direction arrives so much later, in milliseconds. */
    delay(ms: number): void {
      delayMs = ms;
    },
    /** Nothing arrives any more, and nobody is told; what was sent arrives when it speaks again. */
    silence(): void {
      isSilent = true;
    },
    speak(): void {
      isSilent = false;
      for (const send of held.splice(0)) send();
    },
    /** What becomes of the next commit. Returns when that has happened. */
    loseCommit(how: LostCommit): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      losing = { how, done: resolve };
      return promise;
    },
    close(): void {
      refuse();
      for (const database of orphans) database.destroy();
    },
  };
}

interface Pair {
  mock: Socket;
  database: Socket;
}

function write(socket: Socket, chunk: Buffer): void {
  if (socket.writable) socket.write(chunk);
}

type Parts = Awaited<ReturnType<typeof openWired>>;

/** `mock` is connected by the wire, `other` without it. */
export async function openWired(database: Pick<PostgresServer, 'url'>, options: Partial<KeptOptions> = {}) {
  const store = await makeSchema(database);
  const wire = await openWire(store);
  onTestFinished(wire.close);
  const other = await startTestMock({ ...options, store, limits: 'off' });
  const mock = await startTestMock({ store: wire.url, limits: 'off' });
  return { store, wire, mock, other, token: String(mock.tenants[0]?.apiKey) };
}

/** The version that comes next, by a mock that is well. */
export async function nextVersion({ other, token }: Parts): Promise<number | undefined> {
  return (await publish(other, token)).body.data?.version;
}

/** Waits for a mock to be ready. */
export async function isReady({ controlUrl }: KeptMock, timeout: number): Promise<void> {
  await expect.poll(async () => (await ask(`${controlUrl}/ready`)).status, { timeout }).toBe(200);
}

/** Both mocks go on when this one is ready, and nothing was published before. */
export async function goesOn(parts: Parts, timeout: number): Promise<void> {
  await isReady(parts.mock, timeout);
  expect((await publish(parts.mock, parts.token)).body.data?.version).toBe(8);
  expect(await nextVersion(parts)).toBe(9);
}
