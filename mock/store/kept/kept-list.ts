// The rows of a list: those of items that came and went, and new values of those that changed.
import type { RowChange } from '../rows/row.ts';
import { itemKeys } from '../rows/world-rows.ts';

export interface KeptList<Item> {
  /** What became of its items since the last call. */
  takeChanges(items: readonly Item[]): RowChange[];
  /** The items after what others have done; new ones stand at the end. */
  apply(items: readonly Item[], changes: readonly RowChange[]): Item[];
}

interface ListOptions<Item> {
  kind: number;
  write(item: Item): string;
  read(value: string): Item;
  /** Of items that change. */
  isMutable?: boolean;
  /** Of items in whose place another one is put when they change: what stays the same. */
  idOf?(item: Item): number;
  nextOrd(): number;
}

/** `known`: the items that have rows already. */
export function keepList<Item extends object>(
  known: readonly Item[],
  { kind, write, read, isMutable = false, idOf, nextOrd }: ListOptions<Item>,
): KeptList<Item> {
  /** The last value of each, if items change. */
  const values = new Map(known.map((item) => [item, isMutable ? write(item) : '']));

  function rowOf(item: Item, value: string | undefined): RowChange {
    const key = itemKeys.get(item) ?? '';
    return { kind, key, ord: Number(key), value };
  }

  function add(item: Item, key: string, value: string): Item {
    itemKeys.set(item, key);
    values.set(item, isMutable ? value : '');
    return item;
  }

  return {
    takeChanges(items) {
      const changes: RowChange[] = [];
      const present = new Set(items);
      const gone = [...values.keys()].filter((item) => !present.has(item));
      for (const item of gone) values.delete(item);
      const keyOfGone = new Map(idOf && gone.map((item) => [idOf(item), itemKeys.get(item)]));
      /** The key of the item that it takes the place of, or a new one. */
      const takeKey = (item: Item) => {
        const id = idOf?.(item);
        const key = id === undefined ? undefined : keyOfGone.get(id);
        if (id !== undefined) keyOfGone.delete(id);
        return key ?? String(nextOrd());
      };
      for (const item of items) {
        const before = values.get(item);
        if (before !== undefined && !isMutable) continue;
        const value = write(item);
        if (value === before) continue;
        add(item, before === undefined ? takeKey(item) : (itemKeys.get(item) ?? ''), value);
        changes.push(rowOf(item, value));
      }
      const taken = new Set(changes.map(({ key }) => key));
      const removed = gone.map((item) => rowOf(item, undefined)).filter(({ key }) => !taken.has(key));
      return [...removed, ...changes];
    },
    apply(items, changes) {
      const changed = new Map(changes.map((change) => [change.key, change]));
      const kept = items.flatMap((item) => {
        const key = itemKeys.get(item) ?? '';
        const change = changed.get(key);
        if (!change) return [item];
        changed.delete(key);
        values.delete(item);
        return change.value === undefined ? [] : [add(read(change.value), key, change.value)];
      });
      for (const { key, value } of changed.values())
        if (value !== undefined) kept.push(add(read(value), key, value));
      return kept;
    },
  };
}
