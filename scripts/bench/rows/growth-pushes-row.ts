import { curvesOf, microsOf, type Round, worstFigure } from '../growth.ts';
import { openPushBench } from '../push-bench.ts';
import { measureRounds } from '../rounds.ts';
import type { Outcome, Row, Scale } from '../row.ts';

/** One push, rendered, signed, sent and logged, while many others wait for their retries. */
export const growthPushes: Row = { id: 'growth-pushes', measure };

/** More would be over the bound in bytes of the log, which drops them then. */
const sizes = [10, 100, 1000, 15_000];
const compared = { small: 1000, large: 15_000 };

async function measure({ isQuick }: Scale): Promise<Outcome> {
  const [rounds, count] = isQuick ? [3, 200] : [15, 500];
  const benches = await Promise.all(sizes.map(async (size) => ({ size, ...(await openPushBench(200)) })));
  try {
    for (const { size, leaveWaiting } of benches) await leaveWaiting(size);
    const measured = await measureRounds(rounds, async (): Promise<Round> => {
      const costs = [];
      for (const { size, sendByMock } of benches)
        costs.push({ name: 'a push', size, micros: microsOf(await sendByMock('push', count), count) });
      return costs;
    });
    const figure = worstFigure(measured, compared, { noun: 'pushes that wait', budget: 1.5 });
    return { figures: [figure], rounds: measured, curves: curvesOf(measured) };
  } finally {
    for (const { stop } of benches) await stop();
  }
}
