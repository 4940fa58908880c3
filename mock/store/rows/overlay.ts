import type { Batch, KeptRows, Row } from './row.ts';

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
