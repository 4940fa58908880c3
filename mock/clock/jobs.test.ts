import { expect, test } from 'vitest';
import type { Task } from '../world/entries.ts';
import { createEmptyWorld } from '../world/world.ts';
import { createOwnAgenda, scheduleJob } from './jobs.ts';

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
  [99, [10, 10, 20, 30], Number.POSITIVE_INFINITY],
])('by %i, %j are due and %s is next', (until, due, next) => {
  const agenda = createOwnAgenda({ world: worldWithJobs(30, 10, 20, 10) });
  expect(agenda.take(until).map(({ job }) => job.at)).toEqual(due);
  expect(agenda.nextAt()).toBe(next);
});
