// The rows in which an engine stores a world, and changes of them.

/** An entry of a world. */
export interface Row {
  kind: number;
  key: string;
  /** Orders the rows of a kind as the world has them. */
  ord: number;
  /** JSON. */
  value: string;
}

/** A changed entry; without a value, it was deleted. */
export interface RowChange extends Omit<Row, 'value'> {
  value: string | undefined;
}

/** What a turn has changed in a world. */
export interface Batch {
  /** Whether all rows from before are deleted first. */
  isWhole: boolean;
  /** The state besides the entries, as JSON; undefined: unchanged. */
  head: string | undefined;
  rows: RowChange[];
}

/** A stored world. The rows are in their order. */
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
