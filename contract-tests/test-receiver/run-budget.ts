// How long a run waits for one receiver in all: each push has a deadline, but there are hundreds of them.
import { type Answer, isLate } from './push-answer.ts';

export interface RunBudget {
  /** How long the body of an answer may take after its head, in milliseconds: its status is what counts. */
  bodyMs(): number;
  /** Counts an answer that has just come. */
  count(answer: Answer): void;
  /** Why no further push is sent, if that is so. */
  spent(): string | undefined;
}

/** So many bodies without an end are waited for; after them, only what comes with the head is read. */
const mostUnended = 10;
const [bodyMs, shortBodyMs] = [1_000, 50];

/** For so many times the longest time of an answer a run waits for those that come too late, and so long it sends pushes, but 10 minutes at least. */
const [mostLate, mostInAll, leastInAllMs] = [15, 60, 600_000];

/** For one run, whose answers may take so many milliseconds each. */
export function createRunBudget(timeoutMs: number, now = () => performance.now()): RunBudget {
  const startedAt = now();
  let [unended, lateMs, countedUntil] = [0, 0, startedAt];
  return {
    bodyMs: () => (unended < mostUnended ? bodyMs : shortBodyMs),
    count: (answer) => {
      if (isLate(answer)) {
        // Pushes that wait at the same time are waited for once.
        lateMs += Math.max(0, Math.min(answer.ms, now() - countedUntil));
        countedUntil = now();
      }
      if (answer.kind === 'answered' && answer.isUnended) unended++;
    },
    spent: () => {
      if (lateMs >= mostLate * timeoutMs)
        return `${seconds(lateMs)} s were waited for answers that did not come, so no more pushes are sent; raise --timeout where the receiver needs longer`;
      const ms = now() - startedAt;
      if (ms >= Math.max(mostInAll * timeoutMs, leastInAllMs))
        return `the run has taken ${seconds(ms)} s, so no more pushes are sent; raise --timeout, or choose checks with --only`;
      return undefined;
    },
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}
