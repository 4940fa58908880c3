// When calls count against a limit per minute. A window is the list of the times of its calls, oldest first.

export type WindowKind = 'fixed' | 'sliding' | 'aligned';

const minute = 60_000;

/** The calls that still count at `now`. */
export function liveCalls(times: readonly number[], now: number, kind: WindowKind): number[] {
  if (kind === 'sliding') return times.filter((time) => time + minute > now);
  return now < freesAt(times, kind) ? [...times] : [];
}

/** When a full window accepts the next call. */
export function freesAt([first = Number.NEGATIVE_INFINITY]: readonly number[], kind: WindowKind): number {
  return kind === 'aligned' ? (Math.floor(first / minute) + 1) * minute : first + minute;
}
