// The faults that `npm test` tries: few enough for every run, and enough for every check.
import type { Kill } from './kill-matrix.ts';

/** Faults, by id, among which every check has one that makes it fail, as recorded; few, but not the fewest. */
export function coverOf(kills: readonly Kill[]): string[] {
  const chosen = new Set<Kill>();
  const missing = new Set(kills.flatMap(({ checks }) => checks));
  const gain = ({ checks }: Kill) => checks.filter((id) => missing.has(id)).length;
  while (missing.size > 0) {
    const best = kills.reduce((most, kill) => (gain(kill) > gain(most) ? kill : most));
    chosen.add(best);
    for (const id of best.checks) missing.delete(id);
  }
  return kills.filter((kill) => chosen.has(kill)).map(({ fault }) => fault);
}
