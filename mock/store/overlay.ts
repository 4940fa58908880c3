import type { Batch, KeptRows, Row } from './row.ts';

/** The rows as they would be if the batches had been written. */
export function overlay(kept: KeptRows, batches: readonly Batch[]): KeptRows {
  let { head } = kept;
  const rows = new Map(kept.rows.map((row) => [nameOf(row), row]));
  for (const batch of batches) {
    head = batch.head ?? head;
    if (batch.isWhole) rows.clear();
    for (const change of batch.rows) {
      const { kind, key } = change;
      const name = nameOf(change);
      const before = rows.get(name);
      if (change.to === 'row') rows.set(name, { kind, key, ord: change.ord, value: change.value });
      else if (change.to === 'nothing') rows.delete(name);
      else if (before && change.to === 'value') rows.set(name, { ...before, value: change.value });
      else if (before && change.to === 'place') rows.set(name, { ...before, ord: change.ord });
    }
  }
  const inOrder = [...rows.values()].sort((one, other) => one.kind - other.kind || one.ord - other.ord);
  return { head, rows: inOrder };
}

function nameOf({ kind, key }: Pick<Row, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}
