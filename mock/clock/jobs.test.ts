import { expect, test } from 'vitest';
import { createEmptyWorld } from '../world/world.ts';
import { createOwnAgenda, scheduleJob } from './jobs.ts';

test('jobs are taken in the order in which they are due, then in that in which they were scheduled', () => {
  const world = createEmptyWorld(1, { mode: 'manual', time: 0 });
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
