import type { ClockState, World } from './world.ts';

/** Node fires a timer of more milliseconds at once. */
export const longestTimerMs = 2 ** 31 - 1;
/** Includes leap days. */
export const tenYearsMs = 3653 * 86_400_000;

export function timeOf(clock: ClockState): number {
  return clock.mode === 'manual' ? clock.time : Date.now() + clock.offset;
}

export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** ISO 8601 durations, without years and months, whose length varies. */
const form = /^P(?=\d|T\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/;

const unitsMs = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000] as const;

/** Milliseconds of a duration such as PT36M or P1DT12H; undefined if it is malformed. */
export function parseDuration(text: string): number | undefined {
  const [, ...amounts] = form.exec(text) ?? [];
  if (amounts.length === 0) return undefined;
  const parts = unitsMs.map((unit, index) => unit * Number(amounts[index] ?? 0));
  return Math.round(parts.reduce((sum, part) => sum + part, 0));
}

/** The clock of a world, which callers can stop and move; times of a world never come from Date.now(). */
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
