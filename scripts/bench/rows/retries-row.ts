import { openPushBench } from '../push-bench.ts';
import type { Outcome, Row, Scale } from '../row.ts';
import { median } from '../statistics.ts';

/** Failing deliveries, with their 36 minutes of retries on a moved clock. */
export const retries: Row = { id: 'retries', measure };

/** Attempts of a failing delivery: the first and three retries. */
const attempts = 4;

async function measure({ isQuick }: Scale): Promise<Outcome> {
  const [rounds, count] = isQuick ? [2, 200] : [5, 1000];
  const bench = await openPushBench(500);
  try {
    const pairs: { mock: number; pool: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const { seconds: mock } = await bench.sendByMock('retry', count);
      pairs.push({ mock, pool: (await bench.postByPool(attempts * count)).seconds });
    }
    const pushes = (attempts * count).toLocaleString('en');
    return {
      figures: [
        {
          measured: `${pushes} attempts in ${median(pairs.map(({ mock }) => mock)).toFixed(2)} s`,
          against: `bare undici pool: ${median(pairs.map(({ pool }) => pool)).toFixed(2)} s`,
          value: median(pairs.map(({ mock, pool }) => mock - pool)),
          unit: 's more',
          budget: { kind: 'at most', value: 2 },
        },
      ],
      rounds: pairs,
    };
  } finally {
    await bench.stop();
  }
}
