// Groups unverified requirements by reason, so that a reason shared by many appears once.
import { verdictOf } from './group-by-verdict.ts';
import { leftOut, type Report, type RequirementReport, type Shortfall } from './report.ts';

/** A reason, and the requirements that it left not verified or partly verified. */
interface Cause {
  reason: string;
  whole: RequirementReport[];
  partly: RequirementReport[];
}

/** In the order of their first requirement; skipped requirements come last. */
export function causesOf({ requirements }: Report): Cause[] {
  const open = requirements.filter((one) => ['not-verified', 'partly'].includes(verdictOf(one)));
  return groupByReason(open).map(({ reason, items }) => ({
    reason,
    whole: items.filter(({ outcome }) => outcome === 'not-verified'),
    partly: items.filter(({ outcome }) => outcome === 'partly'),
  }));
}

/** Groups by reason; skipped requirements come last. */
export function groupByReason<T extends { reason: string | null }>(
  items: readonly T[],
): { reason: string; items: T[] }[] {
  const groups = Map.groupBy(items, ({ reason }) => withoutVariableParts(`${reason}`));
  return [...groups.values()]
    .map((some) => ({ reason: `${some[0]?.reason}`, items: some }))
    .toSorted((one, other) => Number(one.reason === leftOut) - Number(other.reason === leftOut));
}

/** Removes what differs between equal reasons: the trace_id and the seconds until the next try. */
function withoutVariableParts(reason: string): string {
  return reason
    .replaceAll(/"trace_id":\s*"[^"]*"/g, '')
    .replace(/run again in \d+ s, or with --max-wait \d+s/, '');
}

/** "AUTH-3, KEY-1; in part: KEY-3". */
export function sayIds({ whole, partly }: Pick<Cause, 'whole' | 'partly'>): string {
  const join = (some: readonly RequirementReport[]) => some.map(({ id }) => id).join(', ');
  if (partly.length === 0) return join(whole);
  return [...(whole.length > 0 ? [join(whole)] : []), `in part: ${join(partly)}`].join('; ');
}

/** An unmet condition, with all requirements that have the same reason. */
export interface ShortfallGroup extends Pick<Shortfall, 'demand' | 'kind' | 'reason'> {
  ids: string[];
}

/** The unmet conditions by flag and reason, regressions first. The reports already say why a run ended early. */
export function shortfallGroups({ shortfalls = [], aborted }: Report): ShortfallGroup[] {
  const same = Map.groupBy(shortfalls, ({ demand, kind }) => `${demand} ${kind}`);
  const groups = [...same.values()].flatMap((some) =>
    groupByReason(some).map(({ reason, items }) => ({
      demand: items[0]?.demand ?? 'require',
      kind: items[0]?.kind ?? 'not-verified',
      reason: reason === aborted?.reason ? 'the run ended early' : reason,
      ids: items.flatMap(({ id }) => (id === null ? [] : [id])),
    })),
  );
  return groups.toSorted(
    (one, other) => Number(other.kind === 'regressed') - Number(one.kind === 'regressed'),
  );
}

/** "--require: needs an API key; set SITEPUB_API_KEY (AUTH-3, KEY-1)". */
export function sayShortfall({ demand, reason, ids }: ShortfallGroup): string {
  return `--${demand}: ${reason}${ids.length > 0 ? ` (${ids.join(', ')})` : ''}`;
}

export const shortfallsTitle = 'Conditions not met';
