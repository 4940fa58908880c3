// Mocks whose world is kept, behind one address: the suite shall not notice that it talks to several of them, or to one that ends now and then.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MockRun, OpenedMock } from '../../../contract-tests/self/run-against-mock.ts';
import { startProxy } from '../../../contract-tests/self/tampering-proxy.ts';
import { createTurns } from '../../../mock/clock/work.ts';
import { type KeptMock, startMock } from '../../../mock/start.ts';
import { makeSchema, type PostgresServer } from '../../../mock/testing/postgres-server.ts';

/** Two mocks that share a world; each answers every second request. */
export async function openReplicas(
  database: Pick<PostgresServer, 'url'>,
  { faults = [], seed = 1 }: MockRun,
): Promise<OpenedMock> {
  const store = await makeSchema(database);
  const first = await startMock({ store, faults, seed });
  // It finds the faults in the world.
  const second = await startMock({ store });
  let requests = 0;
  const proxy = await startProxy(
    (path) => originOf(requests++ % 2 ? second : first) + path,
    (message, forward) => forward(message),
  );
  return {
    origin: proxy.origin,
    tenants: first.tenants,
    async close() {
      await proxy.close();
      await first.close();
      await second.close();
    },
  };
}

/** After so many requests a mock is started anew. */
const lifetime = 7;

/** One after the other on the same file. */
export async function openRestarting({ faults = [], seed = 1 }: MockRun): Promise<OpenedMock> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-restarting-'));
  const store = `file:${join(folder, 'mock.db')}`;
  let mock = await startMock({ store, faults, seed });
  const { tenants } = mock;
  const underWay = new Set<Promise<unknown>>();
  const inTurn = createTurns();
  let requests = 0;

  /** When nothing is under way; what comes meanwhile waits. */
  async function restart(): Promise<void> {
    await Promise.allSettled(underWay);
    await mock.close();
    // It finds the faults in the world.
    mock = await startMock({ store });
  }

  const proxy = await startProxy(
    (path) => originOf(mock) + path,
    async (message, forward) => {
      const { answer } = await inTurn(async () => {
        if (++requests % lifetime === 0) await restart();
        const begun = forward(message);
        underWay.add(begun);
        return { answer: begun.finally(() => underWay.delete(begun)) };
      });
      return answer;
    },
  );
  return {
    origin: proxy.origin,
    tenants,
    async close() {
      await proxy.close();
      await mock.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function originOf({ baseUrl }: KeptMock): string {
  return new URL(baseUrl).origin;
}
