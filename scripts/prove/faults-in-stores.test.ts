// @module-tag nightly
// Faults that remember something or wait must be caught also on two mocks that share a world, and on a mock that restarts every few requests.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MockRun, OpenedMock } from '../../contract-tests/self/run-against-mock.ts';
import { startProxy, type TamperingProxy } from '../../contract-tests/self/tampering-proxy.ts';
import { createTurns } from '../../mock/clock/work.ts';
import type { Fault } from '../../mock/faults/fault.ts';
import { faults } from '../../mock/faults/faults.ts';
import { createMemory } from '../../mock/faults/memory.ts';
import { defaultSteps } from '../../mock/server/create-core.ts';
import { type KeptMock, startMock } from '../../mock/start.ts';
import { makeSchema, type PostgresServer, startPostgres } from '../../mock/testing/postgres-server.ts';
import { namedSource } from '../../mock/world/random.ts';
import { turnInMemory } from '../../mock/world/turn.ts';
import { createEmptyWorld } from '../../mock/world/world.ts';
import { expectCaught } from './testing/expect-caught.ts';

const waiting = [
  'ai-calls-at-once-not-limited',
  'creations-at-once-not-recognized',
  'imports-at-once-not-recognized',
  'key-quota-exceeded-at-once',
  'logins-at-once-not-limited',
  'publishes-at-once-not-limited',
  'publishes-at-once-not-recognized',
];
const lasting = faults.filter((fault) => remembers(fault) || waiting.includes(fault.id));

function remembers({ id, wrap }: Fault): boolean {
  const state = { world: createEmptyWorld(1, { mode: 'manual', time: 0 }) };
  let isAsked = false;
  wrap(defaultSteps, {
    draw: namedSource,
    change: turnInMemory,
    get memory() {
      isAsked = true;
      return createMemory(state, id);
    },
  });
  return isAsked;
}

test('finds faults that remember or wait', () => {
  expect(lasting.length).toBeGreaterThan(80);
});

describe('on a mock that restarts every few requests', () => {
  test.for(lasting)('$id fails only $requirement', { timeout: 240_000 }, (fault) =>
    expectCaught(fault, { open: openRestarting }),
  );
});

describe('on two mocks that share a world', () => {
  let database: PostgresServer;
  beforeAll(async () => {
    database = await startPostgres({ isDurable: false });
  });
  afterAll(() => database.stop());

  test.for(lasting)('$id fails only $requirement', (fault) =>
    expectCaught(fault, { open: (trial) => openReplicas(database, trial) }),
  );
});

/** Two mocks that share a world and answer requests in turn. */
async function openReplicas(
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
  return behind(proxy, () => [first, second]);
}

function behind(proxy: TamperingProxy, mocks: () => [KeptMock, ...KeptMock[]]): OpenedMock {
  const [{ tenants }] = mocks();
  const close = async () => {
    for (const one of [proxy, ...mocks()]) await one.close();
  };
  return { origin: proxy.origin, tenants, close };
}

/** Restarts after this many requests. */
const lifetime = 7;

/** Mocks one after another with the same file. */
async function openRestarting({ faults = [], seed = 1 }: MockRun): Promise<OpenedMock> {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-restarting-'));
  const store = `file:${join(folder, 'mock.db')}`;
  let mock = await startMock({ store, faults, seed });
  const underWay = new Set<Promise<unknown>>();
  const inTurn = createTurns();
  let requests = 0;

  /** Waits until no request is running; new requests wait. */
  async function restart(): Promise<void> {
    await Promise.allSettled(underWay);
    await mock.close();
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
  return behind(proxy, () => [mock]);
}

function originOf({ baseUrl }: KeptMock): string {
  return new URL(baseUrl).origin;
}
