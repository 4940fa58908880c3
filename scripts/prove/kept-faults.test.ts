// @module-tag nightly
// Every fault that remembers something, or that waits, fails its requirement and no other on two mocks that share a world, and on one that is started anew
// after every few requests.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checks } from '../../contract-tests/checks/index.ts';
import type { MockRun } from '../../contract-tests/self/run-against-mock.ts';
import type { Fault } from '../../mock/faults/fault.ts';
import { faults } from '../../mock/faults/faults.ts';
import { createMemory } from '../../mock/faults/memory.ts';
import { defaultSteps } from '../../mock/server/create-core.ts';
import { type PostgresServer, startPostgres } from '../../mock/testing/postgres-server.ts';
import { namedSource } from '../../mock/world/random.ts';
import { turnInMemory } from '../../mock/world/turn.ts';
import { createEmptyWorld } from '../../mock/world/world.ts';
import { checksFor } from './cover.ts';
import { tryWithSome } from './kill-matrix.ts';
import { readMatrix } from './matrix.ts';
import { openReplicas, openRestarting } from './testing.ts';

const matrix = readMatrix();

const waiting = [
  'creations-at-once-not-recognized',
  'publishes-at-once-not-recognized',
  'key-quota-exceeded-at-once',
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

async function expectCaught(fault: Fault, open: NonNullable<MockRun['open']>): Promise<void> {
  const recorded = matrix.find((kill) => kill.fault === fault.id);
  if (!recorded) throw new Error(`${fault.id} is not recorded; run npm run prove`);
  const only = checksFor(fault.requirement, checks, 0);
  const kill = await tryWithSome(fault, only, { ...recorded, checks: [] }, open);
  expect(kill).toMatchObject({ verdict: 'caught', failed: fault.remark ? [] : [fault.requirement] });
}

test('there are such faults', () => {
  expect(lasting.length).toBeGreaterThan(80);
});

describe('on a mock that is started anew after every few requests', () => {
  test.for(lasting)('$id fails $requirement alone', { timeout: 240_000 }, (fault) =>
    expectCaught(fault, openRestarting),
  );
});

describe('on two mocks that share a world', () => {
  let database: PostgresServer;
  beforeAll(async () => {
    database = await startPostgres({ isDurable: false });
  });
  afterAll(() => database.stop());

  test.for(lasting)('$id fails $requirement alone', (fault) =>
    expectCaught(fault, (trial) => openReplicas(database, trial)),
  );
});
