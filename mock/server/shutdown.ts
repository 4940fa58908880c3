// Ends a mock.
import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { Mock } from '../service.ts';

export interface Shutdown {
  /** Accepts no new connections, waits up to 5 seconds for requests and pushes in progress, and closes. A mock that shares its world answers on until nobody calls it for a second, 3 seconds at most, and leaves pushes that come due to the others. */
  drain(): Promise<void>;
  /** Ends at once, and drops requests and pushes in progress. */
  close(): Promise<void>;
}

const longestDrainMs = 5000;
const pollMs = 20;

/** What ends with a mock. */
interface Ending {
  apps: readonly FastifyInstance[];
  /** What listens at further addresses for their servers. */
  elsewhere?: readonly Server[];
  /** Of all its worlds, as they are now. */
  mocks(): readonly Mock[];
  endWorlds(): Promise<void>;
  /** When they have ended. Never fails. */
  closeStore(): Promise<void>;
}

export function createShutdown({ apps, elsewhere = [], mocks, endWorlds, closeStore }: Ending): Shutdown {
  const servers = () => [...elsewhere, ...apps.map(({ server }) => server)];
  const stopListening = () => {
    for (const server of servers()) server.close();
  };

  async function close(): Promise<void> {
    // First, so that pushes that are dropped now are made after the next start.
    const all = mocks();
    await Promise.all(all.map(({ scheduler }) => scheduler.giveBack()));
    for (const { store } of all) await store?.close();
    await endWorlds();
    for (const server of elsewhere) server.close();
    for (const app of apps) await app.close();
    await closeStore();
  }

  async function drain(): Promise<void> {
    for (const { events } of mocks()) events.emit('closing');
    const ended = new AbortController();
    const isShared = mocks().some(({ store }) => store?.shared);
    const leaving = isShared ? leaveToOthers(ended.signal) : undefined;
    if (!leaving) stopListening();
    await Promise.race([
      finish(ended.signal, leaving),
      sleep(longestDrainMs, undefined, { signal: ended.signal }).catch(() => {}),
    ]);
    ended.abort();
    await close();
  }

  /** Answers on, and begins no more pushes, until whoever leads calls here knows that this mock is not ready. */
  async function leaveToOthers(signal: AbortSignal): Promise<void> {
    const isDone = awaitQuiet(apps);
    while (!signal.aborted && !isDone()) {
      // A world may have been loaded meanwhile.
      for (const { scheduler } of mocks()) scheduler.leaveToOthers();
      await sleep(pollMs);
    }
    stopListening();
  }

  /** Waits until nothing is in progress. Kept-alive connections are closed once their request has been answered. */
  async function finish(signal: AbortSignal, leaving: Promise<void> | undefined): Promise<void> {
    await leaving;
    await Promise.all(mocks().map(({ scheduler }) => scheduler.settle({ isOwn: true })));
    while (!signal.aborted && (await hasConnections())) {
      for (const { server } of apps) server.closeIdleConnections();
      await sleep(pollMs);
    }
  }

  async function hasConnections(): Promise<boolean> {
    const counts = servers().map((server) => promisify(server.getConnections.bind(server))());
    return (await Promise.all(counts)).some((count) => count > 0);
  }

  return { drain, close };
}

/** A balancer that asks twice a second has learned by then that a mock is not ready. */
const quietMs = 1000;
/** One that does not ask calls on, and is refused then. */
const longestMs = 3000;

/** Each connection ends with its next answer from now on. Returns what tells whether no more calls come. */
function awaitQuiet(apps: readonly FastifyInstance[]): () => boolean {
  const startedAt = performance.now();
  let calledAt = startedAt;
  for (const { server } of apps)
    server.prependListener('request', ({ url }, response) => {
      response.setHeader('connection', 'close');
      if (url !== '/_mock/ready' && url !== '/_mock/live') calledAt = performance.now();
    });
  return () => performance.now() > Math.min(calledAt + quietMs, startedAt + longestMs);
}
