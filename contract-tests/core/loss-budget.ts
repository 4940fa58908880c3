// Counts lost answers: a deployment that answers some calls and keeps others waiting would hold a run for hours.
import { requestTimeoutMs } from './suite-options.ts';

/** The wait for lost answers, all together, as a multiple of the longest time of one answer. */
const mostTimeouts = 15;

export interface LossBudget {
  hasLost: boolean;
  /** How many answers in a row were lost. */
  inARow: number;
  /** How long was waited for answers that did not come, in milliseconds. */
  waitedMs: number;
  /** Waits for an answer, and counts the time where none comes. */
  measure<T>(answer: Promise<T>): Promise<T>;
  /** Counts a lost answer. */
  note(): void;
  /** Why too much time is lost, in words; undefined where it is not. `last`: what the last loss says. */
  explain(last: string): string | undefined;
}

/** `longestMs`: how long one answer may take, in milliseconds. */
export function createLossBudget(longestMs = requestTimeoutMs): LossBudget {
  const budget: LossBudget = {
    hasLost: false,
    inARow: 0,
    waitedMs: 0,
    measure: async (answer) => {
      const startedAt = performance.now();
      try {
        return await answer;
      } catch (error) {
        budget.waitedMs += performance.now() - startedAt;
        throw error;
      }
    },
    note: () => {
      budget.hasLost = true;
      budget.inARow++;
    },
    explain: (last) =>
      budget.waitedMs < mostTimeouts * longestMs
        ? undefined
        : `${Math.round(budget.waitedMs / 1_000)} s were waited for answers that did not come (the last: ${last})`,
  };
  return budget;
}
