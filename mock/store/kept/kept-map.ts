// The rows of a collection: which entries have changed since they were last kept, and what others have changed.
import { hash } from 'node:crypto';
import type { AnyCollection } from '../../world/collections.ts';
import type { RowChange } from '../rows/row.ts';
import { readKey, writeKey } from '../rows/world-rows.ts';

type Key = number | string;

export interface KeptMap {
  /** What became of its entries since the last call; of all of them, if none has a row. */
  takeChanges(isWhole: boolean): RowChange[];
  /** Of a collection whose places are written later: the rows of those that have moved to the end since the last call. */
  takePlaces(): RowChange[];
  /** Does what others have done, in the order of the places, and tells of each entry that is new or has changed. */
  apply(changes: readonly RowChange[], tell?: Tell): void;
}

type Tell = (before: object | undefined, now: object) => void;

export interface MapOptions {
  kind: number;
  entries: AnyCollection;
  hasNumbers: boolean;
  /** Entries move to the end with each use: their places are written now and then. */
  movesOften: boolean;
  nextOrd(): number;
  onTouch(): void;
}

/** What was last kept of an entry. */
interface Known {
  print: string;
  ord: number;
}

/** `rows`: those that its entries have already. */
export function keepMap(rows: readonly RowChange[], options: MapOptions): KeptMap {
  const { kind, entries, hasNumbers, movesOften, nextOrd } = options;
  const known = new Map<Key, Known>();
  for (const { key, ord, value = '' } of rows) known.set(keyOf(key), { print: printOf(value), ord });
  const takeMarks = entries.follow(options.onTouch);
  /** In the order in which they moved. */
  let moved = new Set<Key>();

  function keyOf(text: string): Key {
    return hasNumbers ? Number(text) : readKey(text);
  }

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

  function changesOf(keys: Iterable<Key>, ords: ReadonlyMap<Key, number>): RowChange[] {
    return [...keys].map((key) => changeOf(key, ords.get(key))).filter((change) => change !== undefined);
  }

  function move(key: Key): void {
    moved.delete(key);
    moved.add(key);
  }

  return {
    takeChanges(isWhole) {
      const { changed, placed } = takeMarks();
      const ords = new Map<Key, number>();
      for (const key of isWhole ? entries.keys() : placed)
        if (movesOften && known.has(key) && !isWhole) move(key);
        else ords.set(key, nextOrd());
      return changesOf(isWhole ? [...entries.keys()] : changed, ords);
    },
    takePlaces() {
      const keys = [...moved].filter((key) => entries.has(key));
      moved = new Set();
      return changesOf(keys, new Map(keys.map((key) => [key, nextOrd()])));
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

/** In characters: what is longer is rare. */
const longestPrint = 1000;

/** By which two values are told apart, in as much memory as needed. */
function printOf(value: string): string {
  return value.length <= longestPrint ? value : hash('sha256', value, 'base64');
}
