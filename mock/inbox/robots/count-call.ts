import type { RobotState } from '../../world/world.ts';

export interface Allowance {
  calls: number;
  withinMs: number;
}

/**
 * Counts a call, unless it is one too many. The windows slide; those refused for their number do not count, all others do (a guess).
 * No more times are kept than the allowances need.
 */
export function countCall(state: RobotState, now: number, allowances: readonly Allowance[]): boolean {
  const longest = Math.max(...allowances.map(({ withinMs }) => withinMs));
  state.times = state.times.filter((time) => time > now - longest);
  const isFree = allowances.every(
    ({ calls, withinMs }) => state.times.filter((time) => time > now - withinMs).length < calls,
  );
  if (isFree) state.times.push(now);
  return isFree;
}
