/** The one source of time: expiry, limits, timestamps and the log all read it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export const realClock: Clock = { now: () => Date.now() };
