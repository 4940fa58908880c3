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

/** The state of a world besides its entries. */
export interface Head extends Pick<World, 'random' | 'clock' | 'counters' | 'faults'> {
  /** The last place of a row. */
  lastOrd: number;
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
