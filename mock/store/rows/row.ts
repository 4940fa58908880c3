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

/** What a turn has changed in a world. */
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

/** Two batches as one; undefined: nothing has changed. */
export function joinBatches(first: Batch | undefined, second: Batch | undefined): Batch | undefined {
  if (!first || !second || second.isWhole) return second ?? first;
  const rows = new Map([...first.rows, ...second.rows].map((row) => [nameOf(row), row]));
  return { isWhole: first.isWhole, head: second.head ?? first.head, rows: [...rows.values()] };
}

/** The rows as they would be if the batch had been written. */
export function overlay(kept: KeptRows | undefined, batch: Batch): KeptRows {
  const rows = new Map(batch.isWhole ? [] : kept?.rows.map((row) => [nameOf(row), row]));
  for (const { value, ...place } of batch.rows) {
    if (value === undefined) rows.delete(nameOf(place));
    else rows.set(nameOf(place), { ...place, value });
  }
  return {
    head: batch.head ?? kept?.head ?? '',
    rows: [...rows.values()].sort((one, other) => one.kind - other.kind || one.ord - other.ord),
  };
}

function nameOf({ kind, key }: Pick<Row, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}
