// When retries come (section 6.5): after 1, 5 and 30 minutes. From what each counts is left open (webhook.retry-anchor).
import type { Moment } from '../deployment/deployment-clock.ts';

/** The delays of the three retries, in milliseconds. */
export const delaysMs: readonly number[] = [60_000, 300_000, 1_800_000];

/** By how much a retry may be early (clocks differ) or late (schedulers look around at intervals), in milliseconds. */
export const earlyMs = 5_000;
export const lateMs = 30_000;

export type Anchor = 'previous-attempt' | 'first-attempt';
export const anchors: readonly Anchor[] = ['previous-attempt', 'first-attempt'];

/** The times, after the first attempt, between which a moved clock stops, so that the delays are known exactly enough. */
export const marksMs: readonly number[] = [
  ...new Set([...dueMs('previous-attempt'), ...dueMs('first-attempt')]),
].flatMap((due) => [
  ...[due - 2 * earlyMs, due - earlyMs, due - 1_000, due + 1_000, due + earlyMs],
  ...[due + lateMs, due + lateMs + earlyMs],
]);

/** When the retries are due under an anchor, in milliseconds after the first attempt. */
export function dueMs(anchor: Anchor): number[] {
  let sum = 0;
  return delaysMs.map((delay) => {
    sum = anchor === 'previous-attempt' ? sum + delay : delay;
    return sum;
  });
}

/** Whether the retries (the first attempt and those after it) came when an anchor says. What is known to a step only is given the benefit of the doubt. */
export function fits(attempts: readonly Moment[], anchor: Anchor): boolean {
  return attempts.slice(1).every((attempt, index) => {
    const base = anchor === 'previous-attempt' ? attempts[index] : attempts[0];
    const delay = delaysMs[index];
    if (!base || delay === undefined) return true;
    return attempt.to - base.from >= delay - earlyMs && attempt.from - base.to <= delay + lateMs;
  });
}
