import { attemptsOfFailure, comparePushes, type PushPair, ratioOf } from '../push-bench.ts';
import type { Figure, Outcome, Row, Scale } from '../row.ts';
import { median } from '../statistics.ts';

/** Failing deliveries, with their 36 minutes of retries on a moved clock. */
export const retries: Row = { id: 'retries', measure };

async function measure({ isQuick }: Scale): Promise<Outcome> {
  const [rounds, count] = isQuick ? [2, 200] : [10, 1000];
  const pairs = await comparePushes({ question: 'retry', status: 500, rounds, count });
  const ratio = { ...ratioOf(pairs), budget: { kind: 'at least', value: 0.75 } } as const;
  return { figures: [ratio, delayOf(pairs, attemptsOfFailure * count)], rounds: pairs };
}

/** How much longer somebody waits who moves the clock over all the retries. */
function delayOf(pairs: readonly PushPair[], attempts: number): Figure {
  const seconds = pairs.map((pair) => pair.map(({ requestsPerSecond }) => attempts / requestsPerSecond));
  const [mock, pool] = [0, 1].map((side) => median(seconds.map((pair) => pair[side] ?? 0)).toFixed(2));
  return {
    measured: `${attempts.toLocaleString('en')} attempts in ${mock} s`,
    against: `bare undici pool: ${pool} s`,
    value: median(seconds.map(([one = 0, other = 0]) => one - other)),
    unit: 's more',
    budget: { kind: 'at most', value: 2 },
  };
}
