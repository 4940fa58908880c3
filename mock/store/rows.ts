import { type CollectionName, collectionNames, collectionOf, planOf } from '../world/collections.ts';
import { createEmptyWorld, type World } from '../world/world.ts';

export interface Row {
  kind: number;
  key: string;
  /** Orders the rows of one kind. */
  ord: number;
  value: string;
}

/** Without a value, the row was deleted. */
export interface RowChange extends Omit<Row, 'value'> {
  value: string | undefined;
}

export interface Batch {
  /** Whether to delete all rows of the world first. */
  isWhole: boolean;
  /** A `Head` as JSON; undefined: unchanged. */
  head: string | undefined;
  rows: RowChange[];
}

/** A `Head` as JSON, and the rows sorted by kind and `ord`. */
export interface StoredRows {
  head: string;
  rows: Row[];
}

/** The state of a world apart from its collections. */
export interface Head extends Pick<World, 'random' | 'clock' | 'counters' | 'faults'> {
  lastOrd: number;
}

export function readHead(text: string): Head {
  return JSON.parse(text) as Head;
}

export function toWorld({ head, rows }: StoredRows): World {
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

/** Escapes NUL and lone surrogates, which databases refuse; callers choose some keys. */
export function writeKey(key: number | string): string {
  const text = String(key);
  return text.includes('\0') || text.startsWith('"') || !text.isWellFormed() ? JSON.stringify(text) : text;
}

export function readKey(name: CollectionName, text: string): number | string {
  if (planOf(name).key === 'number') return Number(text);
  return text.startsWith('"') ? String(JSON.parse(text)) : text;
}
