// Limits of the interface document (sections 6.5 and 8).

/** Logins, publishes and AI calls of a tenant per minute. */
export const perMinute = 10;

export const minuteMs = 60_000;

/** The allowed difference between the clocks of two machines. */
const clockSkewMs = 1_000;

/** After this time, a minute has passed on both clocks. */
export const windowMs = minuteMs + clockSkewMs;

/** The shortest idempotency window. The suite judges only repeats that were answered within it. */
export const shortestWindowMs = 10_000;

/** After this time, the longest idempotency window (30 s) has passed on both clocks. */
export const pastIdempotencyWindowMs = 30_000 + clockSkewMs;

/** The delays before the three retries of a failed delivery. */
export const retryDelaysMs = [minuteMs, 5 * minuteMs, 30 * minuteMs] as const;
