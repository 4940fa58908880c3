import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSharedAgenda } from '../store/shared/agenda.ts';
import type { Job } from '../world/entries.ts';
import { emptyWorld } from '../world/testing.ts';
import { clockOf } from '../world/time.ts';
import { turnInMemory } from '../world/turn.ts';
import { type ClockState, createEmptyWorld } from '../world/world.ts';
import { createOwnAgenda, scheduleJob } from './jobs.ts';
import { Lane } from './lane.ts';
import { createScheduler } from './scheduler.ts';

function open(clock: ClockState, perform: (job: Job) => Promise<void> = async () => {}, isShared = false) {
  const world = createEmptyWorld(1, clock);
  const timed = { world, clock: clockOf({ world }), turn: turnInMemory };
  const done: [id: number, at: number][] = [];
  const agenda = isShared
    ? createSharedAgenda(timed, {
        holder: { id: 'this', now: () => 0 },
        holdMs: 1000,
        targetOf: (job) => String(job.id),
        onPlace: () => scheduler.wake(),
      })
    : createOwnAgenda(timed);
  const scheduler = createScheduler(timed, {
    agenda,
    begin(job, claim) {
      done.push([job.id, timed.clock.now()]);
      return (done) =>
        void perform(job).then(() => {
          claim?.release();
          done();
        });
    },
    report: () => {},
    abortWaiting: () => {},
  });
  const add = (at: number) => {
    scheduleJob(world, at, { kind: 'attempt', deliveryId: 1, cause: 'retry' });
    scheduler.wake();
  };
  return { ...timed, world, scheduler, done, add };
}

test('takes jobs in the order of their due times, then of their ids', () => {
  const world = emptyWorld();
  for (const at of [30, 10, 20, 10])
    scheduleJob(world, at, { kind: 'attempt', deliveryId: at, cause: 'retry' });
  const agenda = createOwnAgenda({ world });
  const takeBy = (until: number) => [agenda.take(until).map(({ job }) => job.id), agenda.nextAt()];
  expect([9, 10, 25, 99].map(takeBy)).toEqual([
    [[], 10],
    [[2, 4], 20],
    [[3], 30],
    [[1], Number.POSITIVE_INFINITY],
  ]);
});

test('runs a later job by itself on a real clock, but not on a manual one', async () => {
  const manual = open({ mode: 'manual', time: Date.now() });
  const real = open({ mode: 'real', offset: 0 });
  for (const { add } of [manual, real]) add(Date.now() + 20);
  await sleep(60);
  expect([manual.done.length, real.done.length]).toEqual([0, 1]);
});

test('runs jobs within a second of each other together', async () => {
  const atOnce: number[] = [];
  let running = 0;
  const { scheduler, add } = open({ mode: 'manual', time: 0 }, async () => {
    atOnce.push(++running);
    await sleep(5);
    running--;
  });
  for (const at of [1000, 1001, 1999, 60_000]) add(at);
  await scheduler.advance(60_000);
  expect(atOnce).toEqual([1, 2, 3, 1]);
});

test('runs no job after it is closed', async () => {
  const { scheduler, done, add } = open({ mode: 'manual', time: 0 });
  scheduler.close();
  add(0);
  await scheduler.advance(1000);
  expect(done).toEqual([]);
});

test('leaves due jobs to other processes until a caller moves the clock', async () => {
  const { scheduler, done, add } = open({ mode: 'manual', time: 0 });
  scheduler.leaveToOthers();
  add(0);
  await scheduler.settle({ isOwn: true });
  await sleep(20);
  expect(done).toEqual([]);
  await scheduler.advance(1000);
  expect(done).toEqual([[1, 0]]);
});

test('claims at most 128 jobs at a time in a shared world', async () => {
  let begun = 0;
  const gate = Promise.withResolvers<void>();
  const perform = () => {
    begun++;
    return gate.promise;
  };
  const { scheduler, add, world } = open({ mode: 'manual', time: 0 }, perform, true);
  for (let count = 0; count < 300; count++) add(0);
  await expect.poll(() => begun).toBeGreaterThanOrEqual(128);
  expect([begun, world.jobs.order.filter((job) => job.held).length]).toEqual([128, 128]);
  gate.resolve();
  await scheduler.settle();
  expect(world.jobs.size).toBe(0);
});

test('a lane queues work over its limit, runs heavier work alone, and never delays light work', () => {
  const lane = new Lane({ most: 100_000, light: 16_384 });
  const started: string[] = [];
  const enter = (name: string, weight: number) => lane.enter('', weight, () => void started.push(name));
  const leave = (weight: number) => lane.leave('', weight);
  enter('a', 60_000);
  enter('b', 60_000);
  enter('c', 20_000);
  enter('d', 1_000);
  expect(started).toEqual(['a', 'd']);
  leave(60_000);
  expect(started).toEqual(['a', 'd', 'b', 'c']);
  enter('e', 500_000);
  for (const weight of [60_000, 20_000]) leave(weight);
  expect(started).toHaveLength(4);
  leave(1_000);
  expect(started.at(-1)).toBe('e');
});

test('a lane lets 100,000 pieces of work leave as soon as they start', () => {
  const lane = new Lane({ most: 1 });
  let started = 0;
  lane.enter('a', 1, () => {});
  for (let count = 0; count < 100_000; count++)
    lane.enter('a', 1, () => {
      started++;
      lane.leave('a', 1);
    });
  lane.leave('a', 1);
  expect(started).toBe(100_000);
});
