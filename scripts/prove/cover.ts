// The faults that are tried again in tests: few enough for every run of CI, and enough for every check.
import type { Check } from '../../contract-tests/check.ts';
import type { Kill } from './kill-matrix.ts';

/** Faults among which every check has one that makes it fail, as recorded; few, but not the fewest. */
export function coverOf(kills: readonly Kill[]): Kill[] {
  const chosen = new Set<Kill>();
  const missing = new Set(kills.flatMap(({ checks }) => checks));
  const gain = ({ checks }: Kill) => checks.filter((id) => missing.has(id)).length;
  while (missing.size > 0) {
    const best = kills.reduce((most, kill) => (gain(kill) > gain(most) ? kill : most));
    chosen.add(best);
    for (const id of best.checks) missing.delete(id);
  }
  return kills.filter((kill) => chosen.has(kill));
}

/** How many checks of other topics a fault is tried with. */
const others = 4;

/**
 * The checks, by id, that a fault of the cover is tried with: all of its topic (HOOK for HOOK-3), to which it would most likely be
 * attributed by mistake, and a few others, the next ones with each turn, so that every check meets faults of other topics.
 */
export function checksFor(
  requirement: string,
  checks: readonly Pick<Check, 'id' | 'requirement'>[],
  turn: number,
): string[] {
  const isNear = (check: Pick<Check, 'requirement'>) => topicOf(check.requirement) === topicOf(requirement);
  const near = checks.filter(isNear);
  const far = checks.filter((check) => !isNear(check));
  const start = turn * others;
  const sample = Array.from(
    { length: Math.min(others, far.length) },
    (_, at) => far[(start + at) % far.length],
  );
  return [...near, ...sample].flatMap((check) => check?.id ?? []);
}

function topicOf(requirement: string): string {
  return requirement.slice(0, requirement.lastIndexOf('-'));
}
