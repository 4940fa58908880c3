import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { Mock } from '../service.ts';
import type { RootMock } from './create-mock.ts';

export interface Shutdown {
  /** Accepts no new connections, waits up to 5 seconds for requests and pushes in progress, and closes. A shared world is first served until it gets no calls for a second, at most 3 seconds. */
  drain(): Promise<void>;
  /** Closes at once, and drops requests and pushes in progress. */
  close(): Promise<void>;
}

const longestDrainMs = 5000;
const pollMs = 20;

interface Ending {
  /** Servers in addition to the servers of the apps. */
  elsewhere?: readonly Server[];
  store?: { close(): Promise<void> } | undefined;
}

export function createShutdown(main: RootMock, { elsewhere = [], store: opened }: Ending = {}): Shutdown {
  const { worlds } = main;
  const apps = [...new Set([main.app, main.controlApp])];
  const mocks = (): Mock[] => [main, ...worlds.list().map(({ mock }) => mock)];
  const servers = () => [...elsewhere, ...apps.map(({ server }) => server)];
  const stopListening = () => {
    for (const server of servers()) server.close();
  };

  async function close(): Promise<void> {
    // Gives jobs back first, so that dropped pushes are sent after the next start.
    const all = mocks();
    await Promise.all(all.map(({ scheduler }) => scheduler.giveBack()));
    for (const { store } of all) await store?.close();
    await worlds.endAll();
    for (const server of elsewhere) server.close();
    for (const app of apps) await app.close();
    await opened?.close();
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

  /** Still answers, but begins no pushes, until the load balancer knows that this mock is not ready. */
  async function leaveToOthers(signal: AbortSignal): Promise<void> {
    const isDone = awaitQuiet(apps);
    while (!signal.aborted && !isDone()) {
      // A world may have been loaded since.
      for (const { scheduler } of mocks()) scheduler.leaveToOthers();
      await sleep(pollMs);
    }
    stopListening();
  }

  /** Closes keep-alive connections once their requests have been answered. */
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

/** A load balancer that polls twice a second has noticed by then that the mock is not ready. */
const quietMs = 1000;
/** After this time, calls from a load balancer that does not poll are refused. */
const longestMs = 3000;

/** Closes each connection after its next answer; the returned function reports whether calls have stopped. */
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
