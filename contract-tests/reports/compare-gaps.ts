// What became of the gaps between two reports: their values, what was observed of them, and whether that is drift.
import { isDeepStrictEqual } from 'node:util';
import type { GapReport } from '../deployment/gap-observations.ts';
import { type GapChange, type GapChangeKind, type GapState, gapChangeKinds } from './comparison.ts';
import type { Report } from './report.ts';

/** The gaps that differ, the most important kinds first. */
export function compareGaps(before: Report, after: Report): GapChange[] {
  const known = new Map(before.gaps.map((gap) => [gap.id, gap]));
  const changes = after.gaps.flatMap((gap) => {
    const then = known.get(gap.id);
    const kind = kindOf(then, gap);
    return kind ? [{ id: gap.id, kind, before: stateOf(then), after: stateOf(gap) }] : [];
  });
  return gapChangeKinds.flatMap((kind) => changes.filter((change) => change.kind === kind));
}

function kindOf(then: GapReport | undefined, now: GapReport): GapChangeKind | undefined {
  const before = then?.outcome ?? 'not-observed';
  if (now.outcome === 'drift' && before !== 'drift') return 'drifts';
  const areObserved = before !== 'not-observed' && now.outcome !== 'not-observed';
  if (before === 'drift' && now.outcome === 'agrees') return 'drift-gone';
  if (then && areObserved && !isSameObservation(then, now)) return 'observed-otherwise';
  if (then && !isDeepStrictEqual(then.value, now.value)) return 'value';
  if (before === 'not-observed' && now.outcome !== 'not-observed') return 'newly-observed';
  return now.outcome === 'not-observed' && before !== 'not-observed' ? 'no-longer-observed' : undefined;
}

/** Whether the same was seen, in whatever order. */
function isSameObservation(then: GapReport, now: GapReport): boolean {
  const parts = ({ observed }: GapReport) => (observed ?? '').split('; ').sort();
  return isDeepStrictEqual(parts(then), parts(now));
}

function stateOf(gap: GapReport | undefined): GapState {
  if (!gap) return null;
  const { value, source, observed, outcome } = gap;
  return { value, source, observed, outcome };
}
