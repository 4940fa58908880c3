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
