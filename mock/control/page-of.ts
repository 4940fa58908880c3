// Long lists of the control API come by the hundred, whatever the profile says about lists of the service.
import { countWhile } from '../world/count-while.ts';

export const pageSize = 100;

/** The pages of a list have one order. */
export interface PageRequest {
  /** As the answer with the page before had it under `next`. */
  cursor?: number;
  limit?: number;
  /** Which come first. */
  order?: 'oldest' | 'newest';
}

type Listed<Name extends string, Shown> = Record<Name, Shown[]> & { total: number; next?: number };

/** An answer with a page of a list, by the name of the list. Entries without numbers as ids need others. */
export function listOf<Name extends string, Entry, Shown>(
  name: Name,
  entries: Iterable<Entry>,
  page: PageRequest,
  show: (entry: Entry) => Shown,
  numberOf: NumberOf<Entry> = idOf,
): Listed<Name, Shown> {
  const { shown, total, more } = pageOf([...entries], page, numberOf);
  return { [name]: shown.map(show), total, ...more } as Listed<Name, Shown>;
}

function idOf(entry: unknown): number {
  return (entry as { id: number }).id;
}

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
  const ordered = inOrder(entries, numberOf);
  const isNewestFirst = order === 'newest';
  const placeOf = (number: number) => countWhile(ordered, (entry, index) => numberOf(entry, index) < number);
  const from = isNewestFirst || cursor === undefined ? 0 : placeOf(cursor + 1);
  const to = isNewestFirst && cursor !== undefined ? placeOf(cursor) : ordered.length;
  const page = isNewestFirst
    ? ordered.slice(Math.max(from, to - limit), to).reverse()
    : ordered.slice(from, from + limit);
  const lastPlace = isNewestFirst ? to - page.length : from + page.length - 1;
  const last = ordered[lastPlace];
  const isWhole = page.length === to - from || last === undefined;
  return { shown: page, total: entries.length, more: isWhole ? {} : { next: numberOf(last, lastPlace) } };
}

type NumberOf<Entry> = (entry: Entry, index: number) => number;

/** The entries by their numbers. Nearly always they are in this order already. */
function inOrder<Entry>(entries: readonly Entry[], numberOf: NumberOf<Entry>): readonly Entry[] {
  let before = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index];
    const number = entry === undefined ? before : numberOf(entry, index);
    if (number < before) return entries.toSorted((one, other) => numberOf(one, 0) - numberOf(other, 0));
    before = number;
  }
  return entries;
}
