// @module-tag nightly
// Calls that nobody has thought of, each given to one of two mocks that share a world: nothing that they do is forgotten, and they answer as one mock in memory does.
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

/** More of them, or others, by these variables. */
const numRuns = Number(process.env.GENERATED_RUNS ?? 60);
const seed = Number(process.env.GENERATED_SEED ?? 1);
const mainId = 1;
/** So many calls. */
const atOnce = 6;

const database = databaseOfTests();
const openPartial = () => openReceiver((path) => ({ status: path.startsWith('/well/') ? 200 : 500 }));

test('two mocks forget nothing, and answer as one does', { timeout: 400_000 }, async () => {
  const answered = new Set<string>();
  const { url } = await openPartial();
  const property = fc.asyncProperty(stepsOf(60), (steps) => play(steps, url, answered));
  // To look for a shorter example would take minutes.
  await fc.assert(property, { numRuns, seed, endOnFailure: true });
  // None of them is only refused.
  expect([...answered].sort()).toEqual([...kindsOfCalls].sort());
});

test('calls at the same time leave two mocks with the same world', { timeout: 400_000 }, async () => {
  const { url } = await openPartial();
  const property = fc.asyncProperty(stepsOf(60), (steps) => playAtOnce(steps, url));
  await fc.assert(property, { numRuns, seed, endOnFailure: true });
});

interface Parts {
  sharing: [CalledMock, CalledMock];
  caller: Caller;
  /** What is in the database. */
  kept(): Promise<unknown>;
}

async function withTwo(receiver: string, work: (parts: Parts) => Promise<void>): Promise<void> {
  const store = await makeSchema(database);
  const sharing: Parts['sharing'] = [await openCalled(store), await openCalled(store)];
  const engine = await openPostgres(store);
  const kept = async () => {
    const rows = await engine.load(mainId);
    return rows && viewOf(toWorld(rows));
  };
  const caller = createCaller(receiver);
  try {
    await work({ sharing, caller, kept });
    expect(sharing.flatMap(({ logged }) => logged)).toEqual([]);
  } finally {
    for (const mock of sharing) await mock.close();
    await engine.close();
  }
}

async function play(steps: readonly Step[], receiver: string, accepted: Set<string>): Promise<void> {
  const alone = await openCalled();
  await withTwo(receiver, async ({ sharing, caller, kept }) => {
    for (const step of steps) {
      const call = caller.callOf(step);
      const called = sharing[step.at] as CalledMock;
      const [expected, answered] = [await alone.call(call), await called.call(call)];
      expect(comparable(answered, step), JSON.stringify(call)).toEqual(comparable(expected, step));
      caller.learn(step, expected);
      expect(await kept(), JSON.stringify(call)).toEqual(viewOf(called.service.world));
      if (expected.status === 200) accepted.add(step.name);
    }
  }).finally(alone.close);
}

async function playAtOnce(steps: readonly Step[], receiver: string): Promise<void> {
  await withTwo(receiver, async ({ sharing, caller, kept }) => {
    for (let first = 0; first < steps.length; first += atOnce) {
      const group = steps.slice(first, first + atOnce);
      const calls = group.map(caller.callOf);
      const answers = await Promise.all(
        group.map(({ at }, index) => sharing[at]?.call(calls[index] as Call) as Promise<Answered>),
      );
      for (const [index, answered] of answers.entries()) caller.learn(group[index] as Step, answered);
      // Each learns what the other one has done last.
      for (const mock of [...sharing, ...sharing]) await mock.call({ method: 'GET', path: '/_mock/clock' });
      const inDatabase = await kept();
      for (const { service } of sharing)
        expect(viewOf(service.world), JSON.stringify(calls)).toEqual(inDatabase);
    }
  });
}

function comparable(answered: Answered, { name }: Step): Answered {
  return name === 'save' ? { ...answered, body: comparableWorld(answered.body) } : answered;
}
