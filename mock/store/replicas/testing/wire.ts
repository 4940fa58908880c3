// A proxy between a mock and its database for tests. It can cut, refuse, delay or silence connections, and lose a commit.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { KeptMock, KeptOptions } from '../../../start.ts';
import { makeSchema, type PostgresServer } from '../../../testing/postgres-server.ts';
import { startTestMock } from '../../../testing/started-mock.ts';
import { type Answer, ask, publish } from './ask.ts';

export type Wire = Awaited<ReturnType<typeof openWire>>;

/** Cuts the connection before, after or during the commit, delays the commit by seven seconds, or silences the proxy. */
export type LostCommit = 'before' | 'after' | 'on its way' | 'late' | 'in silence';

const onItsWayMs = 500;
const lateMs = 7000;

async function openWire(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const pairs = new Set<Pair>();
  /** Database connections whose mock was killed. */
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
    const follow = (one: Socket, other: Socket) =>
      one.on('error', () => {}).on('close', () => pass(() => void other.destroy()));
    follow(mock, database);
    follow(database, mock);
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
    // The database must not notice that the mock was killed.
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

  /** Cuts all connections and refuses new ones until `accept`. */
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
    /** Leads to the database through the proxy. */
    url: url.href,
    refuse,
    accept: () => listen(port),
    delay(ms: number): void {
      delayMs = ms;
    },
    /** Holds all data until `speak`, with open connections. */
    silence(): void {
      isSilent = true;
    },
    speak(): void {
      isSilent = false;
      for (const send of held.splice(0)) send();
    },
    /** Applies to the next commit. Returns when that was sent. */
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

/** `mock` uses the proxy, `other` the database itself. */
export async function openWired(database: Pick<PostgresServer, 'url'>, options: Partial<KeptOptions> = {}) {
  const store = await makeSchema(database);
  const wire = await openWire(store);
  onTestFinished(wire.close);
  const other = await startTestMock({ ...options, store, limits: 'off' });
  const mock = await startTestMock({ store: wire.url, limits: 'off' });
  const token = String(mock.tenants[0]?.apiKey);
  const publishNow = (): Promise<Answer> => publish(mock, token);
  /** Publishes a version through the other mock. */
  const nextVersion = async () => (await publish(other, token)).body.data?.version;
  /** Expects that both mocks work when this one is ready, and that nothing was published before. */
  const goesOn = async (timeout: number) => {
    await isReady(mock, timeout);
    expect((await publishNow()).body.data?.version).toBe(8);
    expect(await nextVersion()).toBe(9);
  };
  return { store, wire, mock, other, token, publishNow, nextVersion, goesOn };
}

export async function isReady({ controlUrl }: KeptMock, timeout: number): Promise<void> {
  await expect.poll(async () => (await ask(`${controlUrl}/ready`)).status, { timeout }).toBe(200);
}
