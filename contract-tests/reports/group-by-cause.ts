// What was not verified, by what was missing: one cause that stops eighty requirements is said once.
import { verdictOf } from './group-by-verdict.ts';
import { leftOut, type Report, type RequirementReport, type Shortfall } from './report.ts';

/** What was missing, and which requirements were not verified for it, or only in part. */
interface Cause {
  reason: string;
  whole: RequirementReport[];
  partly: RequirementReport[];
}

/** The causes of a report, in the order of their first requirement; what was left out on purpose comes last. */
export function causesOf({ requirements }: Report): Cause[] {
  const open = requirements.filter((one) => ['not-verified', 'partly'].includes(verdictOf(one)));
  return groupByReason(open).map(({ reason, items }) => ({
    reason,
    whole: items.filter(({ outcome }) => outcome === 'not-verified'),
    partly: items.filter(({ outcome }) => outcome === 'partly'),
  }));
}

/** Groups by reason; what was left out on purpose comes last. */
export function groupByReason<T extends { reason: string | null }>(
  items: readonly T[],
): { reason: string; items: T[] }[] {
  const groups = Map.groupBy(items, ({ reason }) => withoutAccidents(`${reason}`));
  return [...groups.values()]
    .map((some) => ({ reason: `${some[0]?.reason}`, items: some }))
    .toSorted((one, other) => Number(one.reason === leftOut) - Number(other.reason === leftOut));
}

/** Two texts that differ in a trace_id, or in the seconds until the next try, are the same cause. */
function withoutAccidents(reason: string): string {
  return reason
    .replaceAll(/"trace_id":\s*"[^"]*"/g, '')
    .replace(/run again in \d+ s, or with --max-wait \d+s/, '');
}

/** The requirements of a cause in one line: "AUTH-3, KEY-1; in part: KEY-3". */
export function sayIds({ whole, partly }: Pick<Cause, 'whole' | 'partly'>): string {
  const join = (some: readonly RequirementReport[]) => some.map(({ id }) => id).join(', ');
  if (partly.length === 0) return join(whole);
  return [...(whole.length > 0 ? [join(whole)] : []), `in part: ${join(partly)}`].join('; ');
}

/** What a run falls short of, with the requirements that have the same reason. */
export interface ShortfallGroup extends Pick<Shortfall, 'demand' | 'kind' | 'reason'> {
  ids: string[];
}

/** The shortfalls by demand and reason, what regressed first. Why a run ended early is said elsewhere. */
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

/** The title of the shortfalls. */
export const shortfallsTitle = 'Demanded, and not shown by this run';
