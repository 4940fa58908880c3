// Times inside a world come from this clock, never from Date.now(), so that callers can stop and move them.
import { timeOf } from '../world/time.ts';
import type { ClockState, World } from '../world/world.ts';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Looks up the world on each call, since a reset replaces it. */
export function clockOf(state: { readonly world: World }): Clock {
  return { now: () => timeOf(state.world.clock) };
}

export function moveClock(clock: ClockState, to: number): void {
  const ahead = Math.max(0, to - timeOf(clock));
  if (clock.mode === 'manual') clock.time += ahead;
  else clock.offset += ahead;
}

export function changeClockMode(clock: ClockState, mode: ClockState['mode']): ClockState {
  const time = timeOf(clock);
  if (clock.mode === mode) return clock;
  return mode === 'manual' ? { mode, time } : { mode, offset: time - Date.now() };
}
