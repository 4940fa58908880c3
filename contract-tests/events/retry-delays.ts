// When retries are due (section 6.5). The document leaves open from when each delay counts (webhook.retry-anchor).
import { minuteMs, retryDelaysMs } from '../core/documented-limits.ts';
import type { Moment } from '../deployment/deployment-clock.ts';

/** By how much a retry may be early (clocks differ) or late (schedulers poll), in milliseconds. */
const earlyMs = 5_000;
export const lateMs = 30_000;

export type Anchor = 'previous-attempt' | 'first-attempt';
export const anchors: readonly Anchor[] = ['previous-attempt', 'first-attempt'];

const minutes = (delaysMs: readonly number[]) =>
  `${delaysMs.reduce((sum, delay) => sum + delay) / minuteMs}m`;

/** How long to wait for the first retry, and for all of them, as a check states it in `needs`. */
export const firstRetryWait = minutes(retryDelaysMs.slice(0, 1));
export const allRetriesWait = minutes(retryDelaysMs);

/** The times at which a moved clock stops, in milliseconds after the first attempt: close enough to measure the delays. */
export const marksMs: readonly number[] = [
  ...new Set([...dueMs('previous-attempt'), ...dueMs('first-attempt')]),
].flatMap((due) => [
  ...[due - 2 * earlyMs, due - earlyMs, due - 1_000, due + 1_000, due + earlyMs],
  ...[due + lateMs, due + lateMs + earlyMs],
]);

/** When the retries are due under an anchor, in milliseconds after the first attempt. */
export function dueMs(anchor: Anchor): number[] {
  let sum = 0;
  return retryDelaysMs.map((delay) => {
    sum = anchor === 'previous-attempt' ? sum + delay : delay;
    return sum;
  });
}

/** Whether attempts, the first one included, came when an anchor requires. Where only a step is known, it counts in their favour. */
export function fits(attempts: readonly Moment[], anchor: Anchor): boolean {
  return attempts.slice(1).every((attempt, index) => {
    const base = anchor === 'previous-attempt' ? attempts[index] : attempts[0];
    const delay = retryDelaysMs[index];
    if (!base || delay === undefined) return true;
    return attempt.to - base.from >= delay - earlyMs && attempt.from - base.to <= delay + lateMs;
  });
}
