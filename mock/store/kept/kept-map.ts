// Follows a collection: which entries have changed since they were persisted, and which ones others have changed.
import { hash } from 'node:crypto';
import { type CollectionName, collectionOf, planOf } from '../../world/collections.ts';
import type { World } from '../../world/world.ts';
import type { RowChange } from '../rows/row.ts';
import { readKey, writeKey } from '../rows/world-rows.ts';

type Key = number | string;

export interface KeptMap {
  /** The entries that have changed since the last call; with `isWhole`, all of them. `withPlaces`: also the new places of entries that move often. */
  takeChanges(which: { isWhole: boolean; withPlaces: boolean }): readonly RowChange[];
  /** Makes the changes of others, in the order of the places, and tells of each entry that is new or has changed. */
  apply(changes: readonly RowChange[], tell?: Tell): void;
}

type Tell = (before: object | undefined, now: object) => void;

interface Watch {
  nextOrd(): number;
  /** Called when something may have changed. */
  onTouch(): void;
}

/** An entry as it was persisted last. */
interface Known {
  print: string;
  ord: number;
}

/** `rows`: the entries that are persisted already. */
export function keepMap(
  world: World,
  name: CollectionName,
  rows: readonly RowChange[],
  { nextOrd, onTouch }: Watch,
): KeptMap {
  const { kind, movesOften = false } = planOf(name);
  const entries = collectionOf(world, name);
  const keyOf = (text: string) => readKey(name, text);
  const known = new Map<Key, Known>();
  for (const { key, ord, value = '' } of rows) known.set(keyOf(key), { print: printOf(value), ord });
  const takeMarks = entries.follow(onTouch);
  /** The entries that have moved to the end since their places were written, in that order. */
  const moved = new Set<Key>();

  function changeOf(key: Key, ord: number | undefined): RowChange | undefined {
    const before = known.get(key);
    const entry = entries.get(key);
    if (!entry) {
      known.delete(key);
      return before && { kind, key: writeKey(key), ord: before.ord, value: undefined };
    }
    const value = JSON.stringify(entry);
    const now = { print: printOf(value), ord: ord ?? before?.ord ?? nextOrd() };
    if (before?.print === now.print && before.ord === now.ord) return undefined;
    known.set(key, now);
    return { kind, key: writeKey(key), ord: now.ord, value };
  }

  return {
    takeChanges({ isWhole, withPlaces }) {
      const { changed, placed } = takeMarks();
      if (changed.size === 0 && !isWhole && !withPlaces) return nothing;
      const ords = new Map<Key, number>();
      for (const key of isWhole ? entries.keys() : placed) {
        moved.delete(key);
        if (movesOften && known.has(key) && !isWhole) moved.add(key);
        else ords.set(key, nextOrd());
      }
      const places = withPlaces ? [...moved] : [];
      for (const key of places) ords.set(key, nextOrd());
      if (withPlaces) moved.clear();
      const keys = isWhole ? entries.keys() : changed.union(new Set(places));
      return [...keys].map((key) => changeOf(key, ords.get(key))).filter((change) => change !== undefined);
    },
    apply(changes, tell) {
      for (const { key: text, ord, value } of changes) {
        const key = keyOf(text);
        const isInPlace = known.get(key)?.ord === ord;
        const before = entries.get(key);
        if (value === undefined || !isInPlace) entries.adopt(key, undefined);
        if (value === undefined) known.delete(key);
        else {
          const now = JSON.parse(value) as object;
          entries.adopt(key, now);
          tell?.(before, now);
          known.set(key, { print: printOf(value), ord });
        }
      }
    },
  };
}

const nothing: readonly RowChange[] = [];

/** In characters. Longer values are rare. */
const longestPrint = 1000;

/** A text that differs if the value differs, and takes little memory. */
function printOf(value: string): string {
  return value.length <= longestPrint ? value : hash('sha256', value, 'base64');
}
