// The rows in which an engine stores a world, changes of them, and a world from its rows.
import { type CollectionName, collectionNames, collectionOf, planOf } from '../world/collections.ts';
import { createEmptyWorld, type World } from '../world/world.ts';

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

/** The state of a world besides its entries. */
interface Head extends Pick<World, 'random' | 'clock' | 'counters' | 'faults'> {
  /** The last place of a row. */
  lastOrd: number;
}

export function writeHead(head: Head): string {
  return JSON.stringify(head);
}

export function readHead(text: string): Head {
  return JSON.parse(text) as Head;
}

export function toWorld({ head, rows }: KeptRows): World {
  const { random, clock, counters, faults } = readHead(head);
  const world = createEmptyWorld(random, clock);
  world.faults = faults;
  Object.assign(world.counters, counters);
  const ofKind = Map.groupBy(rows, ({ kind }) => kind);
  for (const name of collectionNames)
    for (const { key, value } of ofKind.get(planOf(name).kind) ?? [])
      collectionOf(world, name).adopt(readKey(name, key), JSON.parse(value) as object);
  return world;
}

/** Callers choose some keys, and databases refuse some texts: NUL and half a surrogate pair are escaped. */
export function writeKey(key: number | string): string {
  const text = String(key);
  return text.includes('\0') || text.startsWith('"') || !text.isWellFormed() ? JSON.stringify(text) : text;
}

export function readKey(name: CollectionName, text: string): number | string {
  if (planOf(name).key === 'number') return Number(text);
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}
