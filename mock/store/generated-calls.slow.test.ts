// Calls that nobody has thought of, each given to one of two mocks that share a world: nothing that they do is forgotten, and they answer as one mock in memory does.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Answered, type CalledMock, comparableWorld, openCalled } from '../testing/called-mock.ts';
import { createCaller, kindsOfCalls, type Step, stepsOf } from '../testing/generated-calls.ts';
import { makeSchema, type PostgresServer, startPostgres } from '../testing/postgres-server.ts';
import { inPostgres } from '../testing/replicas.ts';
import { viewOf } from '../testing/test-store.ts';
import { openPostgres } from './postgres.ts';
import { toWorld } from './world-rows.ts';

/** More of them, or others, by these variables. */
const numRuns = Number(process.env.SITEPUB_GENERATED_RUNS ?? 60);
const seed = Number(process.env.SITEPUB_GENERATED_SEED ?? 1);
const mainId = 1;

let database: PostgresServer;
const receiver = createServer((request, response) => {
  request.resume();
  response.statusCode = request.url?.startsWith('/well/') ? 200 : 500;
  response.sendDate = false;
  response.end();
});
beforeAll(async () => {
  database = await startPostgres({ isDurable: false });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(async () => {
  receiver.close();
  await database.stop();
});

inPostgres('two mocks forget nothing, and answer as one does', { timeout: 200_000 }, async () => {
  const answered = new Set<string>();
  await fc.assert(
    fc.asyncProperty(stepsOf(60), (steps) => play(steps, answered)),
    // To look for a shorter example would take minutes.
    { numRuns, seed, endOnFailure: true },
  );
  // None of them is only refused.
  expect([...answered].sort()).toEqual([...kindsOfCalls].sort());
});

async function play(steps: readonly Step[], accepted: Set<string>): Promise<void> {
  const store = await makeSchema(database);
  const alone = await openCalled();
  const sharing = [await openCalled(store), await openCalled(store)];
  const engine = await openPostgres(store);
  const caller = createCaller(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}`);
  try {
    for (const step of steps) {
      const call = caller.callOf(step);
      const called = sharing[step.at] as CalledMock;
      const [expected, answered] = [await alone.call(call), await called.call(call)];
      expect(comparable(answered, step), JSON.stringify(call)).toEqual(comparable(expected, step));
      caller.learn(step, expected);
      const rows = await engine.load(mainId);
      expect(rows && viewOf(toWorld(rows)), JSON.stringify(call)).toEqual(viewOf(called.service.world));
      if (expected.status === 200) accepted.add(step.name);
    }
  } finally {
    for (const mock of [alone, ...sharing]) await mock.close();
    await engine.close();
  }
}

function comparable(answered: Answered, { name }: Step): Answered {
  return name === 'save' ? { ...answered, body: comparableWorld(answered.body) } : answered;
}
