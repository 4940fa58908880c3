// The figures of the interface document that more than one room needs (sections 6.5 and 8).

/** Logins of a tenant within a minute; as many publishes and AI calls. */
export const perMinute = 10;

export const minuteMs = 60_000;

/** By how much the clocks of two machines may differ. */
const clockSkewMs = 1_000;

/** A minute that is over on both clocks. */
export const windowMs = minuteMs + clockSkewMs;

/** The shortest idempotency window (10 seconds), within which a repeat must have been answered to be judged. */
export const shortestWindowMs = 10_000;

/** The longest idempotency window (30 seconds), over on both clocks. */
export const pastIdempotencyWindowMs = 30_000 + clockSkewMs;

/** The delays of the three retries of a failed delivery. */
export const retryDelaysMs = [minuteMs, 5 * minuteMs, 30 * minuteMs] as const;
