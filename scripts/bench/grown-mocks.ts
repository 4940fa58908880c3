// Measures the same calls in mocks whose worlds have grown to different sizes.
import { type Child, startChild } from './child.ts';
import { microsOf, type Round } from './growth.ts';
import { measureRounds } from './rounds.ts';
import type { Timing } from './timed.ts';

/** What is measured: its name, and what a mock of servers/grown-server.ts is asked. */
export interface Subject {
  name: string;
  ask: 'calls' | 'views';
  about: object;
}

interface Plan {
  rounds: number;
  /** How often each subject is repeated in a round. */
  amount: number;
  /** Entries of the tenant that calls. */
  own: number;
  subjects: readonly Subject[];
}

/** How many entries others have of each kind. */
const sizes = [10, 100, 1000, 5000];
export const compared = { small: 10, large: 5000 };

interface Sized {
  size: number;
  child: Child<object>;
}

export async function measureGrown({ rounds, amount, own, subjects }: Plan): Promise<Round[]> {
  const mocks: Sized[] = [];
  try {
    for (const size of sizes) mocks.push({ size, child: await startChild('grown', { foreign: size, own }) });
    return await measureRounds(rounds, () => measureRound(mocks, subjects, amount));
  } finally {
    for (const { child } of mocks) await child.stop();
  }
}

async function measureRound(
  mocks: readonly Sized[],
  subjects: readonly Subject[],
  amount: number,
): Promise<Round> {
  for (const { child } of mocks) await child.ask('refresh');
  const costs = [];
  for (const { name, ask, about } of subjects)
    for (const { size, child } of mocks) {
      const timing = (await child.ask(ask, { ...about, amount })) as Timing;
      costs.push({ name, size, micros: microsOf(timing, amount) });
    }
  return costs;
}
