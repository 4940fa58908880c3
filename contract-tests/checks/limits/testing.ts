// Ways in which deployments count calls.
import { exchangeOf } from '../../testing.ts';

/** Whether a call may pass at a time in milliseconds. */
export type Limiter = (now: number) => boolean;

export function sliding(most = 10, spanMs = 60_000): Limiter {
  const times: number[] = [];
  return (now) => {
    while ((times[0] ?? now) <= now - spanMs) times.shift();
    if (times.length >= most) return false;
    times.push(now);
    return true;
  };
}

/** A window starts with the first call after the end of the one before. */
export function fixed(most = 10, spanMs = 60_000): Limiter {
  return inWindows(most, (now, start) => (now >= start + spanMs ? now : start));
}

export function aligned(most = 10, spanMs = 60_000): Limiter {
  return inWindows(most, (now) => Math.floor(now / spanMs) * spanMs);
}

/** `startOf`: when the window of a call starts. */
function inWindows(most: number, startOf: (now: number, last: number) => number): Limiter {
  let start = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (now) => {
    const last = start;
    start = startOf(now, last);
    count = start === last ? count + 1 : 1;
    return count <= most;
  };
}

/** `refillMs`: time per refilled call. */
export function tokenBucket(size: number, refillMs = 6_000): Limiter {
  let tokens = size;
  let last = 0;
  return (now) => {
    tokens = Math.min(size, tokens + (now - last) / refillMs);
    last = now;
    if (tokens < 1) return false;
    tokens--;
    return true;
  };
}

/** Ten a minute, of which another client uses one every `everyMs`. */
export function sharedWithOthers(everyMs: number): Limiter {
  const limiter = sliding();
  let next: number | undefined;
  return (now) => {
    next ??= now;
    for (; next <= now; next += everyMs) limiter(next);
    return limiter(now);
  };
}

/** Forgets all earlier calls when it refuses one. */
export function forgetful(): Limiter {
  let limiter = sliding();
  return (now) => {
    const isTaken = limiter(now);
    if (!isTaken) limiter = sliding();
    return isTaken;
  };
}

/** Answers limited and plain calls; both count towards the quota. */
export function answering(limiter: Limiter, quota: Limiter = () => true) {
  return (now: number, isPlain: boolean) => {
    if (!quota(now)) return exchangeOf({ code: 42_901 }, { status: 429 });
    return isPlain || limiter(now) ? exchangeOf({ code: 0 }) : exchangeOf({ code: 42_900 }, { status: 429 });
  };
}
