/** So many measurements tell how far the clock of an engine is ahead. */
const window = 8;
/** Clocks that differ by less are taken for the same. */
const mostJitterMs = 50;

/** Returns what tells how far the clock of an engine is ahead of that of this machine, after each measurement; in milliseconds. Each measures too little, by as long as it waited to be read: the largest of the last counts. */
export function measureAhead(): (measuredMs: number) => number {
  let aheadMs: number | undefined;
  let last: number[] = [];
  return (measuredMs) => {
    last = [...last, measuredMs].slice(-window);
    const best = Math.max(...last);
    const now = Math.abs(best) < mostJitterMs ? 0 : best;
    // Back only when it was set back: time goes forward.
    const isSetBack = last.length === window && now < (aheadMs ?? 0) - mostJitterMs;
    if (aheadMs === undefined || now > aheadMs || isSetBack) aheadMs = now;
    return aheadMs;
  };
}
