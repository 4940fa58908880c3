// What a store is told, and what it gives back.

/** An entry of a world. */
export interface Row {
  kind: number;
  key: string;
  /** Orders the rows of a kind as the world has them. */
  ord: number;
  /** JSON. */
  value: string;
}

/** What has become of an entry; without a value, it is no more. */
export interface RowChange extends Omit<Row, 'value'> {
  value: string | undefined;
}

/** Changes that belong together. */
export interface Batch {
  /** Whether all rows that were there before go first. */
  isWhole: boolean;
  /** What is no entry, as JSON; undefined where it is as it was. */
  head: string | undefined;
  rows: RowChange[];
}

/** A world as it was kept. Its rows are in their order. */
export interface KeptRows {
  head: string;
  rows: Row[];
}

/** The rows as they would be if the batches had been written. */
export function overlay(kept: KeptRows, batches: readonly Batch[]): KeptRows {
  let { head } = kept;
  const rows = new Map(kept.rows.map((row) => [nameOf(row), row]));
  for (const batch of batches) {
    head = batch.head ?? head;
    if (batch.isWhole) rows.clear();
    for (const { value, ...place } of batch.rows) {
      if (value === undefined) rows.delete(nameOf(place));
      else rows.set(nameOf(place), { ...place, value });
    }
  }
  return {
    head,
    rows: [...rows.values()].sort((one, other) => one.kind - other.kind || one.ord - other.ord),
  };
}

function nameOf({ kind, key }: Pick<Row, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}
