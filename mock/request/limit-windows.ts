// The arithmetic of a limit's minute. A window is the times at which its calls were counted, oldest first.

export type WindowKind = 'fixed' | 'sliding' | 'aligned';

const minute = 60_000;

/** The calls that still count at `now`. */
export function liveCalls(times: readonly number[], now: number, kind: WindowKind): number[] {
  if (kind === 'sliding') return times.filter((time) => time + minute > now);
  return now < freesAt(times, kind) ? [...times] : [];
}

/** When a full window lets the next call through. */
export function freesAt([first = Number.NEGATIVE_INFINITY]: readonly number[], kind: WindowKind): number {
  return kind === 'aligned' ? (Math.floor(first / minute) + 1) * minute : first + minute;
}
