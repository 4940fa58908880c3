import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ClockState, createEmptyWorld, type Job } from '../world/world.ts';
import { clockOf } from './clock.ts';
import { schedule } from './jobs.ts';
import { createScheduler } from './scheduler.ts';

function open(clock: ClockState, perform: (job: Job) => Promise<void> = async () => {}) {
  const world = createEmptyWorld(1, clock);
  const timed = { state: { world }, clock: clockOf({ world }) };
  const done: [id: number, at: number][] = [];
  const timekeeper = createScheduler(timed, {
    perform: async (job) => {
      done.push([job.id, timed.clock.now()]);
      await perform(job);
    },
    abortWaiting: () => {},
  });
  const add = (at: number) => {
    schedule(world, at, { kind: 'attempt', deliveryId: 1, cause: 'retry' });
    timekeeper.wake();
  };
  return { ...timed, world, timekeeper, done, add };
}

test('what is due is done soon, and not before the turn ends', async () => {
  const { timekeeper, done, add } = open({ mode: 'manual', time: 100 });
  add(100);
  add(101);
  expect(done).toEqual([]);
  await timekeeper.settle();
  expect(done).toEqual([[1, 100]]);
});

test('a manual clock does nothing by itself, a real one does what comes due', async () => {
  const manual = open({ mode: 'manual', time: Date.now() });
  const real = open({ mode: 'real', offset: 0 });
  for (const { add } of [manual, real]) add(Date.now() + 20);
  await sleep(60);
  expect([manual.done.length, real.done.length]).toEqual([0, 1]);
});

test('advancing does all that is due on the way at its time, in order, with what that causes', async () => {
  const times = [60_000, 300_000, 1_800_000];
  const { timekeeper, done, add, world, clock } = open({ mode: 'manual', time: 0 }, async () => {
    await sleep(1);
    const wait = times.shift();
    if (wait) schedule(world, clock.now() + wait, { kind: 'attempt', deliveryId: 1, cause: 'retry' });
  });
  add(0);
  await timekeeper.advance(36 * 60_000);
  expect(done.map(([, at]) => at / 60_000)).toEqual([0, 1, 6, 36]);
  expect(clock.now()).toBe(36 * 60_000);
});

test('jobs that are close to each other do not wait for each other', async () => {
  const atOnce: number[] = [];
  let underWay = 0;
  const { timekeeper, add } = open({ mode: 'manual', time: 0 }, async () => {
    atOnce.push(++underWay);
    await sleep(5);
    underWay--;
  });
  for (const at of [1000, 1001, 1999, 60_000]) add(at);
  await timekeeper.advance(60_000);
  expect(atOnce).toEqual([1, 2, 3, 1]);
});

test('who asks at once waits for who asked before', async () => {
  const { timekeeper, clock } = open({ mode: 'manual', time: 0 });
  await Promise.all([timekeeper.advance(5000), timekeeper.advance(9000), timekeeper.advance(7000)]);
  expect(clock.now()).toBe(9000);
});

test('after closing nothing is done any more', async () => {
  const { timekeeper, done, add } = open({ mode: 'manual', time: 0 });
  timekeeper.close();
  add(0);
  await timekeeper.advance(1000);
  expect(done).toEqual([]);
});
