// How long calls count against a limit per minute. A window is the list of the times at which its calls cease to count, the first to go first.
import type { Profile } from '../../openapi/profile.ts';

export type WindowKind = Profile['values']['limits.window'];

const minute = 60_000;

/** Those of the calls that still count at `now`. */
export function liveCalls(ends: readonly number[], now: number): number[] {
  return ends.filter((end) => end > now);
}

/** When a full window accepts the next call. */
export function freesAt([first = Number.NEGATIVE_INFINITY]: readonly number[]): number {
  return first;
}

export interface WindowRule {
  kind: WindowKind;
  /** How many calls are accepted a minute. */
  most: number;
  /** By how much the window is longer than a minute. */
  extraMs: number;
}

/** How many calls can count at the same time. */
export function mostAtOnce({ kind, most }: WindowRule): number {
  return kind === 'paced' ? 1 : most;
}

/** Until when a call counts that is made at `now`, after those that still count. */
export function countsUntil(
  live: readonly number[],
  now: number,
  { kind, most, extraMs }: WindowRule,
): number {
  const length = minute + extraMs;
  if (kind === 'sliding') return now + length;
  if (kind === 'fixed') return live[0] ?? now + length;
  if (kind === 'aligned') return (Math.floor(now / minute) + 1) * minute + extraMs;
  // A bucket gets its tokens back one after the other.
  return Math.max(now, live.at(-1) ?? now) + length / most;
}
