// Limits the time for lost answers, because a deployment that answers only some calls would delay a run for hours.
import { requestTimeoutMs } from './suite-options.ts';

/** The total wait for lost answers, as a multiple of the timeout of one answer. */
const mostTimeouts = 15;

export interface LossBudget {
  hasLost: boolean;
  /** The number of consecutive lost answers. */
  inARow: number;
  /** The total wait for lost answers, in milliseconds. */
  waitedMs: number;
  /** Waits for an answer, and adds the time if it is lost. */
  measure<T>(answer: Promise<T>): Promise<T>;
  note(): void;
  /** Why the run ends; undefined within the budget. `last`: the message of the last loss. */
  explain(last: string): string | undefined;
}

/** `longestMs`: the timeout of one answer, in milliseconds. */
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
        : `${Math.round(budget.waitedMs / 1_000)} s were spent waiting for lost answers (the last: ${last})`,
  };
  return budget;
}
