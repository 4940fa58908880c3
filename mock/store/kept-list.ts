// The rows of a list: those of items that came and went, and new values of those that changed.
import type { RowChange } from './row.ts';
import { itemKeys } from './world-rows.ts';

export interface KeptList<Item> {
  /** What became of its rows since the last call. */
  takeChanges(items: readonly Item[]): RowChange[];
}

interface ListOptions<Item> {
  kind: number;
  write(item: Item): string;
  /** Of items that change. */
  isMutable?: boolean;
  nextOrd(): number;
}

/** `known`: the items that have rows already. */
export function keepList<Item extends object>(
  known: readonly Item[],
  { kind, write, isMutable = false, nextOrd }: ListOptions<Item>,
): KeptList<Item> {
  /** The last value of each, if items change. */
  const values = new Map(known.map((item) => [item, isMutable ? write(item) : '']));

  return {
    takeChanges(items) {
      const changes: RowChange[] = [];
      const present = new Set(items);
      for (const item of values.keys()) {
        if (present.has(item)) continue;
        changes.push({ kind, key: keyOf(item), to: 'nothing' });
        values.delete(item);
      }
      for (const item of items) {
        const before = values.get(item);
        if (before !== undefined && !isMutable) continue;
        const value = write(item);
        values.set(item, isMutable ? value : '');
        if (before === undefined) {
          const ord = nextOrd();
          itemKeys.set(item, String(ord));
          changes.push({ kind, key: String(ord), to: 'row', ord, value });
        } else if (value !== before) changes.push({ kind, key: keyOf(item), to: 'value', value });
      }
      return changes;
    },
  };
}

function keyOf(item: object): string {
  return itemKeys.get(item) ?? '';
}
