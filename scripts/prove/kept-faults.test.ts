// @module-tag nightly
// Every fault that remembers something, or that waits, fails its requirement and no other on two mocks that share a world, and on one that is started anew
// after every few requests.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fault } from '../../mock/faults/fault.ts';
import { faults } from '../../mock/faults/faults.ts';
import { createMemory } from '../../mock/faults/memory.ts';
import { defaultSteps } from '../../mock/server/create-core.ts';
import { type PostgresServer, startPostgres } from '../../mock/testing/postgres-server.ts';
import { namedSource } from '../../mock/world/random.ts';
import { turnInMemory } from '../../mock/world/turn.ts';
import { createEmptyWorld } from '../../mock/world/world.ts';
import { expectCaught } from './testing/expect-caught.ts';
import { openReplicas, openRestarting } from './testing/open-mocks.ts';

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

test('there are such faults', () => {
  expect(lasting.length).toBeGreaterThan(80);
});

describe('on a mock that is started anew after every few requests', () => {
  test.for(lasting)('$id fails $requirement alone', { timeout: 240_000 }, (fault) =>
    expectCaught(fault, { open: openRestarting }),
  );
});

describe('on two mocks that share a world', () => {
  let database: PostgresServer;
  beforeAll(async () => {
    database = await startPostgres({ isDurable: false });
  });
  afterAll(() => database.stop());

  test.for(lasting)('$id fails $requirement alone', (fault) =>
    expectCaught(fault, { open: (trial) => openReplicas(database, trial) }),
  );
});
