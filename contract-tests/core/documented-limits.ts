export const perMinute = 10;

export const minuteMs = 60_000;

/** A minute, and what the clocks of two machines may differ by. */
export const windowMs = 61_000;
