/** How many measurements tell how far the clock of an engine is ahead. */
const window = 8;
/** Clocks that differ by less count as the same. */
const mostJitterMs = 50;

/**
 * Returns a function that takes a measurement and tells how many milliseconds the clock of an engine is ahead of this machine's.
 * A measurement is too small by the time that it waited to be read, so the largest of the last ones counts.
 */
export function measureAhead(): (measuredMs: number) => number {
  let aheadMs: number | undefined;
  let last: number[] = [];
  return (measuredMs) => {
    last = [...last, measuredMs].slice(-window);
    const best = Math.max(...last);
    const now = Math.abs(best) < mostJitterMs ? 0 : best;
    // The result goes back only after the clock was set back.
    const isSetBack = last.length === window && now < (aheadMs ?? 0) - mostJitterMs;
    if (aheadMs === undefined || now > aheadMs || isSetBack) aheadMs = now;
    return aheadMs;
  };
}
