import { comparePushes, ratioOf } from '../push-bench.ts';
import type { Outcome, Row, Scale } from '../row.ts';

/** Rendering, signing, sending and logging of pushes to a receiver in another process. */
export const dispatch: Row = { id: 'dispatch', measure };

async function measure({ isQuick }: Scale): Promise<Outcome> {
  const [rounds, count] = isQuick ? [3, 500] : [20, 2000];
  const pairs = await comparePushes({ question: 'push', status: 200, rounds, count });
  return { figures: [{ ...ratioOf(pairs), budget: { kind: 'at least', value: 0.8 } }], rounds: pairs };
}
