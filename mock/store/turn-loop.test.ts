import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import type { Engine } from './engine.ts';
import { StoreError } from './store-error.ts';
import { createTurnLoop, type Participant } from './turn-loop.ts';

/** The duration of a turn in milliseconds, or its failure. */
type Turn = number | 'fails';

const together = [1, 2];

test.each<[string, Turn, number, number[][]]>([
  ['waits a little for a world of the last turn', 40, 3, [together, together]],
  ['does not wait after a short turn', 0, 3, [together, [1], [2]]],
  ['does not wait after a failed turn', 'fails', 3, [together, [1], [2]]],
  ['does not wait long for a missing world', 200, 100, [together, [1], [2]]],
])('a turn %s', async (_what, first, otherAfterMs, want) => {
  const turns: number[][] = [];
  const engine: Engine = {
    name: 'slow',
    place: 'nowhere',
    worlds: undefined as never,
    load: async () => undefined,
    check: async () => {},
    close: async () => {},
    async turn(members) {
      if (turns.push(members.map(({ worldId }) => worldId)) > 1) return [];
      if (first === 'fails') throw new StoreError('it is gone');
      if (first > 0) await wait(first);
      return [];
    },
  };
  const loop = createTurnLoop({ engine, log: () => {}, metrics: createMetrics() });
  const work = () => ({ batch: undefined, nextDue: undefined, calls: 1 });
  const idle = { work, settle() {}, fail: async () => {}, end() {} };
  const [one, other]: [Participant, Participant] = [
    { worldId: 1, ...idle },
    { worldId: 2, ...idle },
  ];
  loop.wake(one);
  loop.wake(other);
  await loop.idle();
  loop.wake(one);
  await wait(otherAfterMs);
  loop.wake(other);
  await loop.idle();
  expect(turns).toEqual(want);
});
