// Long lists of the control API come by the hundred, whatever the profile says about lists of the service.
import type { PageRequest } from './control-views.ts';

const pageSize = 100;

export interface PageOf<Entry> {
  shown: Entry[];
  /** How many there are on all pages. */
  total: number;
  /** The cursor of the next page; none in the last one. */
  more: { next?: number };
}

/** A page of entries, by numbers that only grow: what is added or dropped meanwhile shifts nothing. */
export function pageOf<Entry>(
  entries: readonly Entry[],
  { cursor, limit = pageSize, order = 'oldest' }: PageRequest,
  numberOf: (entry: Entry, index: number) => number,
): PageOf<Entry> {
  const isNewestFirst = order === 'newest';
  const numbered = entries.map((entry, index) => ({ entry, number: numberOf(entry, index) }));
  const left = numbered
    .filter(({ number }) => cursor === undefined || (isNewestFirst ? number < cursor : number > cursor))
    .sort((one, other) => (isNewestFirst ? other.number - one.number : one.number - other.number));
  const page = left.slice(0, limit);
  const last = page.at(-1);
  const next = last && page.length < left.length ? last.number : undefined;
  return {
    shown: page.map(({ entry }) => entry),
    total: entries.length,
    more: next === undefined ? {} : { next },
  };
}
