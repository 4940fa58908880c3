import type { Writable } from '../../world/collection.ts';
import type { RobotState } from '../../world/entries.ts';

export interface RateLimit {
  calls: number;
  withinMs: number;
}

/**
 * Counts a call, and returns whether it is within the limits. The windows slide; calls over a limit do not count, all others do
 * (a guess). Keeps no more times than the limits need.
 */
export function countCall(state: Writable<RobotState>, now: number, limits: readonly RateLimit[]): boolean {
  const longest = Math.max(...limits.map(({ withinMs }) => withinMs));
  state.times = state.times.filter((time) => time > now - longest);
  const isFree = limits.every(
    ({ calls, withinMs }) => state.times.filter((time) => time > now - withinMs).length < calls,
  );
  if (isFree) state.times.push(now);
  return isFree;
}
