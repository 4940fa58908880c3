import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import type { Engine } from './engine.ts';
import { StoreError } from './store-error.ts';
import { createTurnLoop, type Participant } from './turn-loop.ts';

const nothing = { batch: undefined, nextDue: undefined, calls: 1 };

/** What a turn does: it takes so long, in milliseconds, or is not kept. */
type Turn = number | 'fails';

/** A loop, and the worlds of each turn so far. Further turns take no time. */
function loopOfTurns(...planned: Turn[]) {
  const turns: number[][] = [];
  const engine: Engine = {
    name: 'slow',
    place: 'nowhere',
    worlds: undefined as never,
    load: async () => undefined,
    check: async () => {},
    close: async () => {},
    async turn(members) {
      const turn = planned[turns.push(members.map(({ worldId }) => worldId)) - 1];
      if (turn === 'fails') throw new StoreError('it is gone');
      if (turn) await wait(turn);
      return [];
    },
  };
  const loop = createTurnLoop({ engine, log: () => {}, metrics: createMetrics() });
  const idle = { work: () => nothing, settle() {}, fail: async () => {}, end() {} };
  const worlds: [Participant, Participant] = [
    { worldId: 1, ...idle },
    { worldId: 2, ...idle },
  ];
  return { loop, turns, worlds };
}

/** The worlds of all turns, where both worlds have something to keep in the given one, and after it again, the second one 3 ms later. */
async function turnsOfTwo(turn: Turn): Promise<number[][]> {
  const { loop, turns, worlds } = loopOfTurns(turn);
  const [one, other] = worlds;
  loop.wake(one);
  loop.wake(other);
  await loop.idle();
  loop.wake(one);
  await wait(3);
  loop.wake(other);
  await loop.idle();
  return turns;
}

const together = [1, 2];

test.each<[string, Turn, number[][]]>([
  ['waits a little for a world that was in the last one', 40, [together, together]],
  ['does not wait after one that was short', 0, [together, [1], [2]]],
  ['does not wait after one that was not kept', 'fails', [together, [1], [2]]],
])('a turn %s', async (_what, turn, turns) => {
  expect(await turnsOfTwo(turn)).toEqual(turns);
});

test('a turn does not wait for a world that does not come', async () => {
  const { loop, turns, worlds } = loopOfTurns(200);
  for (const world of worlds) loop.wake(world);
  await loop.idle();
  loop.wake(worlds[0]);
  await loop.idle();
  loop.wake(worlds[1]);
  await loop.idle();
  expect(turns).toEqual([[1, 2], [1], [2]]);
});
