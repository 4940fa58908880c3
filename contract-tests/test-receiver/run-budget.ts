// Limits the total time that a run waits for a receiver, because hundreds of pushes each have their own deadline.
import { type Answer, isLate } from './push-answer.ts';

export interface RunBudget {
  /** The time limit for the body after the head, in milliseconds. It is short, because only the status counts. */
  bodyMs(): number;
  count(answer: Answer): void;
  /** Why the run sends no further push; undefined if it does. */
  spent(): string | undefined;
}

/** After this many endless bodies, the run reads only what arrives with the head. */
const mostUnended = 10;
const [bodyMs, shortBodyMs] = [1_000, 50];

/** Multiples of the timeout: the total wait for late answers, and the duration of the run (at least 10 minutes). */
const [mostLate, mostInAll, leastInAllMs] = [15, 60, 600_000];

export function createRunBudget(timeoutMs: number, now = () => performance.now()): RunBudget {
  const startedAt = now();
  let [unended, lateMs, countedUntil] = [0, 0, startedAt];
  return {
    bodyMs: () => (unended < mostUnended ? bodyMs : shortBodyMs),
    count: (answer) => {
      if (isLate(answer)) {
        // Simultaneous waits count once.
        lateMs += Math.max(0, Math.min(answer.ms, now() - countedUntil));
        countedUntil = now();
      }
      if (answer.kind === 'answered' && answer.isUnended) unended++;
    },
    spent: () => {
      if (lateMs >= mostLate * timeoutMs)
        return `the run waited ${seconds(lateMs)} s for answers that did not arrive and sends no more pushes; raise --timeout if the receiver needs longer`;
      const ms = now() - startedAt;
      if (ms >= Math.max(mostInAll * timeoutMs, leastInAllMs))
        return `the run has taken ${seconds(ms)} s and sends no more pushes; raise --timeout or select checks with --only`;
      return undefined;
    },
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}
