// @module-tag nightly
// Two mocks with a shared world must answer random calls like one mock in memory.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openReceiver } from '../../testing/open-mock.ts';
import { makeSchema } from '../../testing/postgres-server.ts';
import { databaseOfTests } from '../../testing/replicas.ts';
import { viewOf } from '../../testing/test-store.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { toWorld } from '../rows.ts';
import {
  type Answered,
  type Call,
  type CalledMock,
  comparableWorld,
  openCalled,
} from './testing/called-mock.ts';
import { type Caller, createCaller, kindsOfCalls, type Step, stepsOf } from './testing/generated-calls.ts';

const numRuns = Number(process.env.GENERATED_RUNS ?? 60);
const seed = Number(process.env.GENERATED_SEED ?? 1);
const mainId = 1;
const atOnce = 6;

const database = databaseOfTests();
const openPartial = () => openReceiver((path) => ({ status: path.startsWith('/well/') ? 200 : 500 }));

test('two mocks answer like one, and lose nothing', { timeout: 400_000 }, async () => {
  const answered = new Set<string>();
  const { url } = await openPartial();
  const property = fc.asyncProperty(stepsOf(60), (steps) => play(steps, url, answered));
  // Shrinking would take minutes.
  await fc.assert(property, { numRuns, seed, endOnFailure: true });
  // Each kind of call succeeds at least once.
  expect([...answered].sort()).toEqual([...kindsOfCalls].sort());
});

test('concurrent calls leave two mocks with the same world', { timeout: 400_000 }, async () => {
  const { url } = await openPartial();
  const property = fc.asyncProperty(stepsOf(60), (steps) => playAtOnce(steps, url));
  await fc.assert(property, { numRuns, seed, endOnFailure: true });
});

interface Parts {
  sharing: [CalledMock, CalledMock];
  caller: Caller;
  /** Loads the world from the database. */
  stored(): Promise<unknown>;
}

async function withTwo(receiver: string, work: (parts: Parts) => Promise<void>): Promise<void> {
  const store = await makeSchema(database);
  const sharing: Parts['sharing'] = [await openCalled(store), await openCalled(store)];
  const engine = await openPostgres(store);
  const stored = async () => {
    const rows = await engine.load(mainId);
    return rows && viewOf(toWorld(rows));
  };
  const caller = createCaller(receiver);
  try {
    await work({ sharing, caller, stored });
    expect(sharing.flatMap(({ logged }) => logged)).toEqual([]);
  } finally {
    for (const mock of sharing) await mock.close();
    await engine.close();
  }
}

async function play(steps: readonly Step[], receiver: string, accepted: Set<string>): Promise<void> {
  const alone = await openCalled();
  await withTwo(receiver, async ({ sharing, caller, stored }) => {
    for (const step of steps) {
      const call = caller.callOf(step);
      const called = sharing[step.at] as CalledMock;
      const [expected, answered] = [await alone.call(call), await called.call(call)];
      expect(comparable(answered, step), JSON.stringify(call)).toEqual(comparable(expected, step));
      caller.learn(step, expected);
      expect(await stored(), JSON.stringify(call)).toEqual(viewOf(called.service.world));
      if (expected.status === 200) accepted.add(step.name);
    }
  }).finally(alone.close);
}

async function playAtOnce(steps: readonly Step[], receiver: string): Promise<void> {
  await withTwo(receiver, async ({ sharing, caller, stored }) => {
    for (let first = 0; first < steps.length; first += atOnce) {
      const group = steps.slice(first, first + atOnce);
      const calls = group.map(caller.callOf);
      const answers = await Promise.all(
        group.map(({ at }, index) => sharing[at]?.call(calls[index] as Call) as Promise<Answered>),
      );
      for (const [index, answered] of answers.entries()) caller.learn(group[index] as Step, answered);
      // Makes each mock read the changes of the other.
      for (const mock of [...sharing, ...sharing]) await mock.call({ method: 'GET', path: '/_mock/clock' });
      const inDatabase = await stored();
      for (const { service } of sharing)
        expect(viewOf(service.world), JSON.stringify(calls)).toEqual(inDatabase);
    }
  });
}

function comparable(answered: Answered, { name }: Step): Answered {
  return name === 'save' ? { ...answered, body: comparableWorld(answered.body) } : answered;
}
