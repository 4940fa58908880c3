// The one source of time: expiry, limits, timestamps, retries and the log all read it.
import { timeOf } from '../world/time.ts';
import type { ClockState, World } from '../world/world.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** The clock of the current world, which can be replaced. */
export function clockOf(state: { readonly world: World }): Clock {
  return { now: () => timeOf(state.world.clock) };
}

/** Forward only: an earlier time is ignored. */
export function moveClock(clock: ClockState, to: number): void {
  const ahead = Math.max(0, to - timeOf(clock));
  if (clock.mode === 'manual') clock.time += ahead;
  else clock.offset += ahead;
}

/** A clock that shows the same time and runs, or stays stopped, from there. */
export function changeClockMode(clock: ClockState, mode: ClockState['mode']): ClockState {
  const time = timeOf(clock);
  if (clock.mode === mode) return clock;
  return mode === 'manual' ? { mode, time } : { mode, offset: time - Date.now() };
}
