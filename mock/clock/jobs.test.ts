import { expect, test } from 'vitest';
import type { Task } from '../world/entries.ts';
import { createEmptyWorld } from '../world/world.ts';
import { giveBackJobs, holdDueJobs, nextDueAt, nextFree, scheduleJob, takeDueJobs } from './jobs.ts';

function worldWithJobs(...times: number[]) {
  const world = createEmptyWorld(1, { mode: 'manual', time: 0 });
  for (const at of times) scheduleJob(world, at, attemptOf(at));
  return world;
}

function attemptOf(deliveryId: number): Task {
  return { kind: 'attempt', deliveryId, cause: 'retry' };
}

test('jobs are ordered by when they are due, then by when they were scheduled', () => {
  const world = worldWithJobs(30, 10, 20, 10);
  expect(world.jobs.order.map(({ at, id }) => [at, id])).toEqual([
    [10, 2],
    [10, 4],
    [20, 3],
    [30, 1],
  ]);
});

test.each([
  [9, [], 10],
  [10, [10, 10], 20],
  [25, [10, 10, 20], 30],
  [99, [10, 10, 20, 30], undefined],
])('by %i, %j are due and %s is next', (until, due, next) => {
  const world = worldWithJobs(30, 10, 20, 10);
  expect(takeDueJobs(world, until).map(({ at }) => at)).toEqual(due);
  expect(nextDueAt(world)).toBe(next);
});

test('a job that is given back is free at once, and stays begun', () => {
  const world = worldWithJobs(10);
  const hold = { id: 'first', now: 20, holdMs: 1000, mayHold: () => true };
  expect(holdDueJobs(world, 10, hold)).toMatchObject([{ isAgain: false }]);
  expect(nextFree(world, 20)).toEqual({ at: Number.POSITIVE_INFINITY, holdEndsAt: 1020 });
  giveBackJobs(world, 'first');
  expect(nextFree(world, 20)).toMatchObject({ at: 10 });
  expect(holdDueJobs(world, 10, { ...hold, id: 'second' })).toMatchObject([{ isAgain: true }]);
});
