// Follows a world: finds what has changed since it was persisted, and makes the changes of others.
import { hash } from 'node:crypto';
import {
  type CollectionName,
  collectionNames,
  collectionOf,
  collections,
  planOf,
} from '../world/collections.ts';
import type { Attempt, Delivery, InboxMessage } from '../world/entries.ts';
import type { ClockState, World } from '../world/world.ts';
import { type Batch, type KeptRows, type RowChange, readHead, readKey, writeHead, writeKey } from './rows.ts';

export type KeptWorld = ReturnType<typeof keepWorld>;

/** How often the places of sessions are written: each call moves the session that it uses to the end. */
const placesEveryMs = 60_000;

/** `found`: the rows of the world, if it has any. `onTouch` is called when something may have changed. */
export function keepWorld(world: World, found: KeptRows | undefined, onTouch: () => void) {
  let isWhole = found === undefined;
  let head = found?.head;
  let lastOrd = found ? readHead(found.head).lastOrd : 0;
  const nextOrd = () => ++lastOrd;
  const rowsOf = Map.groupBy(found?.rows ?? [], ({ kind }) => kind);
  const maps = new Map<number, ReturnType<typeof keepMap>>();
  for (const name of collectionNames) {
    const { kind } = planOf(name);
    maps.set(kind, keepMap(world, name, rowsOf.get(kind) ?? [], { nextOrd, onTouch }));
  }
  rowsOf.clear();
  let placedAt = performance.now();
  let aheadMs = 0;

  return {
    /** The changes since the last call; all of a world without rows. Undefined: none. With `isLast`, nothing is left for later. */
    takeChanges({ isLast } = { isLast: false }): Batch | undefined {
      const withPlaces = isLast || performance.now() >= placedAt + placesEveryMs;
      if (withPlaces) placedAt = performance.now();
      const which = { isWhole, withPlaces };
      const rows: RowChange[] = [];
      for (const map of maps.values()) for (const change of map.takeChanges(which)) rows.push(change);
      const { random, counters, faults } = world;
      const now = writeHead({ random, clock: shift(world.clock, -aheadMs), counters, faults, lastOrd });
      const batch = { isWhole, head: now === head ? undefined : now, rows };
      head = now;
      isWhole = false;
      return batch.isWhole || batch.head !== undefined || batch.rows.length > 0 ? batch : undefined;
    },
    /** Makes the changes of others. */
    apply(others: { head: string; rows: readonly RowChange[] }): News {
      const news: News = { attempts: [], deliveries: [], messages: [], hasClockMoved: false };
      const { random, clock, counters, faults, ...rest } = readHead(others.head);
      news.hasClockMoved = hasMoved(shift(world.clock, -aheadMs), clock);
      Object.assign(world, { random, clock: shift(clock, aheadMs), faults });
      Object.assign(world.counters, counters);
      ({ lastOrd } = rest);
      ({ head } = others);
      const inOrder = [...others.rows].sort((one, other) => one.ord - other.ord);
      const byKind = Map.groupBy(inOrder, ({ kind }) => kind);
      for (const [kind, changes] of byKind) maps.get(kind)?.apply(changes, tellers(news)[kind]);
      return news;
    },
    /** Says how many milliseconds the clock of the engine is ahead of this machine's; 0 at first. A running clock shows the engine's time. */
    setAhead(ms: number): void {
      world.clock = shift(world.clock, ms - aheadMs);
      aheadMs = ms;
    },
  };
}

/** A manual clock moves with each job on the way. */
function hasMoved(before: ClockState, now: ClockState): boolean {
  if (before.mode === 'manual') return now.mode !== 'manual' || now.time !== before.time;
  return now.mode === 'manual' || now.offset !== before.offset;
}

function shift(clock: ClockState, ms: number): ClockState {
  return ms === 0 || clock.mode === 'manual' ? clock : { ...clock, offset: clock.offset + ms };
}

/** Note the news of changed entries, by the kind of their rows. */
function tellers(news: News): Record<number, Tell> {
  return {
    [collections.deliveries.kind]: (before, now) => noteDelivery(news, before as Delivery, now as Delivery),
    [collections.messages.kind]: (before, now) => {
      if (!before) news.messages.push(now as InboxMessage);
    },
  };
}

type Key = number | string;

type Tell = (before: object | undefined, now: object) => void;

/** An entry as it was persisted last. */
interface Known {
  print: string;
  ord: number;
}

/** Follows a collection. `rows`: the entries that are persisted already. `onTouch` is called when something may have changed. */
function keepMap(
  world: World,
  name: CollectionName,
  rows: readonly RowChange[],
  { nextOrd, onTouch }: { nextOrd(): number; onTouch(): void },
) {
  const { kind, movesOften = false } = planOf(name);
  const entries = collectionOf(world, name);
  const keyOf = (text: string) => readKey(name, text);
  const known = new Map<Key, Known>();
  for (const { key, ord, value = '' } of rows) known.set(keyOf(key), { print: printOf(value), ord });
  const takeMarks = entries.follow(onTouch);
  /** The entries that have moved to the end since their places were written, in that order. */
  const moved = new Set<Key>();

  function changeOf(key: Key, ord: number | undefined): RowChange | undefined {
    const before = known.get(key);
    const entry = entries.get(key);
    if (!entry) {
      known.delete(key);
      return before && { kind, key: writeKey(key), ord: before.ord, value: undefined };
    }
    const value = JSON.stringify(entry);
    const now = { print: printOf(value), ord: ord ?? before?.ord ?? nextOrd() };
    if (before?.print === now.print && before.ord === now.ord) return undefined;
    known.set(key, now);
    return { kind, key: writeKey(key), ord: now.ord, value };
  }

  return {
    /** The entries that have changed since the last call; with `isWhole`, all of them. `withPlaces`: also the new places of entries that move often. */
    takeChanges({ isWhole, withPlaces }: { isWhole: boolean; withPlaces: boolean }): readonly RowChange[] {
      const { changed, placed } = takeMarks();
      if (changed.size === 0 && !isWhole && !withPlaces) return nothing;
      const ords = new Map<Key, number>();
      for (const key of isWhole ? entries.keys() : placed) {
        moved.delete(key);
        if (movesOften && known.has(key) && !isWhole) moved.add(key);
        else ords.set(key, nextOrd());
      }
      const places = withPlaces ? [...moved] : [];
      for (const key of places) ords.set(key, nextOrd());
      if (withPlaces) moved.clear();
      const keys = isWhole ? entries.keys() : changed.union(new Set(places));
      return [...keys].map((key) => changeOf(key, ords.get(key))).filter((change) => change !== undefined);
    },
    /** Makes the changes of others, in the order of the places, and tells of each entry that is new or has changed. */
    apply(changes: readonly RowChange[], tell?: Tell): void {
      for (const { key: text, ord, value } of changes) {
        const key = keyOf(text);
        const isInPlace = known.get(key)?.ord === ord;
        const before = entries.get(key);
        if (value === undefined || !isInPlace) entries.adopt(key, undefined);
        if (value === undefined) known.delete(key);
        else {
          const now = JSON.parse(value) as object;
          entries.adopt(key, now);
          tell?.(before, now);
          known.set(key, { print: printOf(value), ord });
        }
      }
    },
  };
}

const nothing: readonly RowChange[] = [];

/** In characters. Longer values are rare. */
const longestPrint = 1000;

/** A text that differs if the value differs, and takes little memory. */
function printOf(value: string): string {
  return value.length <= longestPrint ? value : hash('sha256', value, 'base64');
}

export interface News {
  /** Attempts that others have made. */
  attempts: { delivery: Delivery; attempt: Attempt }[];
  /** Deliveries that others have added, or changed without an attempt. */
  deliveries: Delivery[];
  /** Messages that came to an inbox of another process. */
  messages: InboxMessage[];
  hasClockMoved: boolean;
}

/** Notes what is new about a delivery. */
function noteDelivery(news: News, before: Delivery | undefined, now: Delivery): void {
  const fresh = now.attempts.slice(before?.attempts.length ?? 0);
  for (const attempt of fresh) news.attempts.push({ delivery: now, attempt });
  if (fresh.length === 0) news.deliveries.push(now);
}
