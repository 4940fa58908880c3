import type { ClockState } from './world.ts';

export function timeOf(clock: ClockState): number {
  return clock.mode === 'manual' ? clock.time : Date.now() + clock.offset;
}

/** A time as answers show it. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}
