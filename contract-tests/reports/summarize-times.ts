import type { TimesReport } from './report-facts.ts';

/** The median and the 95th percentile of times in milliseconds, each a time that was measured; undefined where none was. */
export function summarizeTimes(times: readonly number[]): TimesReport | undefined {
  if (times.length === 0) return undefined;
  const sorted = times.toSorted((one, other) => one - other);
  return {
    calls: sorted.length,
    median_ms: Math.round(percentile(sorted, 50)),
    p95_ms: Math.round(percentile(sorted, 95)),
  };
}

/** By the nearest rank. */
function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? 0;
}
