import { comparePairs, describeSamples, type Sample } from '../pair.ts';
import { openPushBench } from '../push-bench.ts';
import { measureRounds } from '../rounds.ts';
import type { Outcome, Row, Scale } from '../row.ts';
import type { Timing } from '../timed.ts';

/** Rendering, signing, sending and logging of pushes to a receiver in another process. */
export const dispatch: Row = { id: 'dispatch', measure };

async function measure({ isQuick }: Scale): Promise<Outcome> {
  const [rounds, count] = isQuick ? [3, 500] : [20, 2000];
  const bench = await openPushBench(200);
  try {
    const pairs = await measureRounds(rounds, async () => {
      const mock = sampleOf(await bench.sendByMock('push', count), count);
      return [mock, sampleOf(await bench.postByPool(count), count)] as const;
    });
    return outcomeOf(pairs);
  } finally {
    await bench.stop();
  }
}

function sampleOf({ seconds, cpuMs }: Timing, count: number): Sample {
  return { requestsPerSecond: count / seconds, cpuPerRequest: (cpuMs * 1000) / count };
}

function outcomeOf(pairs: readonly (readonly [Sample, Sample])[]): Outcome {
  const { byCpu, bySpeed } = comparePairs(pairs);
  const pool = describeSamples(pairs.map(([, one]) => one));
  return {
    figures: [
      {
        measured: describeSamples(pairs.map(([mock]) => mock)),
        against: `bare undici pool: ${pool} (${bySpeed.toFixed(2)} of its pushes a second)`,
        value: byCpu,
        unit: 'times',
        budget: { kind: 'at least', value: 0.8 },
      },
    ],
    rounds: pairs,
  };
}
