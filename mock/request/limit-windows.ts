// How long calls count against a limit per minute. A window is the list of the times from which its calls count for a minute, the first first.
import type { Profile } from '../../openapi/profile.ts';

export type WindowKind = Profile['values']['limits.window'];

const minute = 60_000;

/** Those of the calls that still count at `now`. */
export function liveCalls(starts: readonly number[], now: number): number[] {
  return starts.filter((start) => start + minute > now);
}

/** When a full window accepts the next call. */
export function freesAt([first = Number.NEGATIVE_INFINITY]: readonly number[]): number {
  return first + minute;
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

/** From when a call counts for a minute that is made at `now`, after those that still count: earlier than `now` if it counts for less. */
export function countsFrom(
  live: readonly number[],
  now: number,
  { kind, most, extraMs }: WindowRule,
): number {
  if (kind === 'sliding') return now + extraMs;
  if (kind === 'fixed') return live[0] ?? now + extraMs;
  if (kind === 'aligned') return Math.floor(now / minute) * minute + extraMs;
  // A bucket gets its tokens back one after the other.
  return Math.max(now - minute, live.at(-1) ?? now - minute) + (minute + extraMs) / most;
}
