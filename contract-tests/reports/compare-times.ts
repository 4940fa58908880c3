// Which operations answer slower or faster than in another report, beyond what chance does.
import type { TimesChange, TimesComparison } from './comparison.ts';
import type { Report } from './report.ts';
import type { TimesReport } from './report-facts.ts';

/** Below that, a change is noise: of a network, of a busy machine, of too few calls. */
const noise = { factor: 2, leastMs: 100, calls: { median: 5, p95: 20 } } as const;

/** The operations whose median or 95th percentile has changed at least twofold and by 100 ms, of at least 5 (20) accepted calls each. */
export function compareTimes(before: Report, after: Report): TimesComparison {
  const known = new Map(before.coverage.map(({ operation, times }) => [operation, times]));
  const changes = after.coverage.flatMap(({ operation, times }) => {
    const then = known.get(operation);
    return then && times ? changesOf(operation, then, times) : [];
  });
  const where = (sign: number) =>
    changes.filter(({ by, before: then, after: now }) => Math.sign(of(by, now) - of(by, then)) === sign);
  return { slower: where(1), faster: where(-1) };
}

function changesOf(operation: string, before: TimesReport, after: TimesReport): TimesChange[] {
  const by = (['median', 'p95'] as const).find((one) => isBeyondNoise(one, before, after));
  return by ? [{ operation, by, before, after }] : [];
}

function isBeyondNoise(by: TimesChange['by'], before: TimesReport, after: TimesReport): boolean {
  if (Math.min(before.calls, after.calls) < noise.calls[by]) return false;
  const [less, more] = [of(by, before), of(by, after)].sort((one, other) => one - other);
  return (
    more !== undefined && less !== undefined && more >= noise.factor * less && more - less >= noise.leastMs
  );
}

function of(by: TimesChange['by'], times: TimesReport): number {
  return by === 'median' ? times.median_ms : times.p95_ms;
}
