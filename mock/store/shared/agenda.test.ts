import { expect, test } from 'vitest';
import { clockOf } from '../../clock/clock.ts';
import { scheduleJob } from '../../clock/jobs.ts';
import { createEmptyWorld } from '../../world/world.ts';
import { createSharedAgenda, measureAhead } from './agenda.ts';

test('a returned job is free at once, and marked as begun', () => {
  const world = createEmptyWorld(1, { mode: 'manual', time: 20 });
  const mock = { world, clock: clockOf({ world }) };
  scheduleJob(world, 10, { kind: 'attempt', deliveryId: 10, cause: 'retry' });
  const options = { holdMs: 1000, targetOf: () => '', onPlace() {} };
  const agendaOf = (id: string) => createSharedAgenda(mock, { ...options, holder: { id, now: () => 500 } });
  const [first, second] = [agendaOf('first'), agendaOf('second')];
  expect(first.take(10)).toMatchObject([{ claim: { isAgain: false } }]);
  expect(second.take(10)).toEqual([]);
  // The end of the claim.
  expect(second.nextAt()).toBe(1020);
  expect([first.isBusyElsewhere(), second.isBusyElsewhere()]).toEqual([false, true]);
  first.giveBack();
  expect(second.nextAt()).toBe(10);
  expect(second.take(10)).toMatchObject([{ claim: { isAgain: true } }]);
});

test.each([
  ['the same machine, despite late answers', [-3, -200, -1, 2], [0, 0, 0, 0]],
  ['another machine, after a late first answer', [4800, 5000, 4999], [4800, 5000, 5000]],
  ['the same machine, after a late first answer', [-200, -1], [-200, 0]],
  ['an engine that was set ahead, at once', [0, 60_000], [0, 60_000]],
  [
    'an engine that was set back, once all answers agree',
    [60_000, ...Array.from({ length: 8 }, () => 10)],
    [...Array.from({ length: 8 }, () => 60_000), 0],
  ],
])('follows the clock of %s', (_what, measured, ahead) => {
  expect(measured.map(measureAhead())).toEqual(ahead);
});
