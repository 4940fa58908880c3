// How a mock comes to its end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.ts';

export interface Shutdown {
  /** Takes no new connections, lets requests and pushes that are under way come to their end, 5 seconds at most, and closes. */
  drain(): Promise<void>;
  /** Ends at once, whatever is under way. */
  close(): Promise<void>;
}

const longestDrainMs = 5000;
const pollMs = 20;

export function createShutdown(apps: readonly FastifyInstance[], service: Service): Shutdown {
  async function close(): Promise<void> {
    for (const app of apps) await app.close();
  }

  async function drain(): Promise<void> {
    for (const { server } of apps) server.close();
    service.events.emit('closing');
    const isUp = new AbortController();
    await Promise.race([
      finish(isUp.signal),
      sleep(longestDrainMs, undefined, { signal: isUp.signal }).catch(() => {}),
    ]);
    isUp.abort();
    await close();
  }

  /** A connection that was kept alive ends when its request has been answered. */
  async function finish(signal: AbortSignal): Promise<void> {
    await service.scheduler.settle();
    while (!signal.aborted && (await countConnections()) > 0) {
      for (const { server } of apps) server.closeIdleConnections();
      await sleep(pollMs);
    }
  }

  async function countConnections(): Promise<number> {
    const counts = apps.map(
      ({ server }) => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  return { drain, close };
}
