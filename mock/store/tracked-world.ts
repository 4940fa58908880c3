// Tracks what has changed in a world since it was persisted, and applies the changes of other processes.
import { type CollectionName, collectionNames, collectionOf, planOf } from '../world/collections.ts';
import type { Attempt, Delivery, InboxMessage } from '../world/entries.ts';
import type { ClockState, World } from '../world/world.ts';
import {
  type Batch,
  type Head,
  type RowChange,
  readHead,
  readKey,
  type StoredRows,
  writeKey,
} from './rows.ts';

/** Limits how often the order of sessions is written, since each call moves its session to the end. */
const placesEveryMs = 60_000;

/** `found`: the rows, if the world is persisted. `onTouch`: called when entries change. */
export function trackWorld(world: World, found: StoredRows | undefined, onTouch: () => void) {
  let isWhole = found === undefined;
  let head = found?.head;
  let lastOrd = found ? readHead(found.head).lastOrd : 0;
  const nextOrd = () => ++lastOrd;
  const rowsOf = Map.groupBy(found?.rows ?? [], ({ kind }) => kind);
  const followed = collectionNames.map((name) =>
    followCollection(world, name, { rows: rowsOf.get(planOf(name).kind) ?? [], nextOrd, onTouch }),
  );
  rowsOf.clear();
  let placedAt = performance.now();
  let aheadMs = 0;

  return {
    /** Returns the changes since the last call, if any; `isLast` always includes the order of sessions. */
    takeChanges({ isLast }: { isLast: boolean }): Batch | undefined {
      const withPlaces = isLast || performance.now() >= placedAt + placesEveryMs;
      if (withPlaces) placedAt = performance.now();
      const which = { isWhole, withPlaces };
      const rows: RowChange[] = [];
      for (const one of followed) for (const change of one.takeChanges(which)) rows.push(change);
      const { random, counters, faults } = world;
      const state: Head = { random, clock: shift(world.clock, -aheadMs), counters, faults, lastOrd };
      const now = JSON.stringify(state);
      const batch = { isWhole, head: now === head && !isWhole ? undefined : now, rows };
      head = now;
      isWhole = false;
      return batch.head !== undefined || batch.rows.length > 0 ? batch : undefined;
    },
    forget(): void {
      isWhole = true;
    },
    apply(others: { head: string; rows: readonly RowChange[] }): News {
      const { random, clock, counters, faults, ...rest } = readHead(others.head);
      const hasClockMoved = hasMoved(shift(world.clock, -aheadMs), clock);
      Object.assign(world, { random, clock: shift(clock, aheadMs), faults });
      Object.assign(world.counters, counters);
      ({ lastOrd } = rest);
      ({ head } = others);
      const inOrder = [...others.rows].sort((one, other) => one.ord - other.ord);
      const rowsNow = Map.groupBy(inOrder, ({ kind }) => kind);
      const changed = followed.flatMap((one) => one.apply(rowsNow.get(one.kind) ?? []));
      return { ...newsOf(changed), hasClockMoved };
    },
    /** Makes a running clock show the time of the engine, whose clock is `ms` ahead of this machine's. */
    setAhead(ms: number): void {
      world.clock = shift(world.clock, ms - aheadMs);
      aheadMs = ms;
    },
  };
}

function hasMoved(before: ClockState, now: ClockState): boolean {
  if (before.mode === 'manual') return now.mode !== 'manual' || now.time !== before.time;
  return now.mode === 'manual' || now.offset !== before.offset;
}

function shift(clock: ClockState, ms: number): ClockState {
  return ms === 0 || clock.mode === 'manual' ? clock : { ...clock, offset: clock.offset + ms };
}

type Key = number | string;

interface Changed {
  name: CollectionName;
  before: object | undefined;
  now: object;
}

interface Followed {
  rows: readonly RowChange[];
  nextOrd(): number;
  onTouch(): void;
}

function followCollection(world: World, name: CollectionName, { rows, nextOrd, onTouch }: Followed) {
  const { kind, movesOften = false } = planOf(name);
  const entries = collectionOf(world, name);
  const ords = new Map<Key, number>(rows.map(({ key, ord }) => [readKey(name, key), ord]));
  const takeMarks = entries.follow(onTouch);
  /** Entries that moved to the end since their `ord` was written, in the order of their moves. */
  const moved = new Set<Key>();

  function changeOf(key: Key): RowChange | undefined {
    const before = ords.get(key);
    const entry = entries.get(key);
    if (!entry) {
      ords.delete(key);
      moved.delete(key);
      return before === undefined ? undefined : { kind, key: writeKey(key), ord: before, value: undefined };
    }
    const ord = before ?? nextOrd();
    ords.set(key, ord);
    return { kind, key: writeKey(key), ord, value: JSON.stringify(entry) };
  }

  return {
    kind,
    /** `isWhole`: returns all entries; `withPlaces`: also the moved ones of a collection that `movesOften`. */
    takeChanges({ isWhole, withPlaces }: { isWhole: boolean; withPlaces: boolean }): readonly RowChange[] {
      const { changed, placed } = takeMarks();
      if (changed.size === 0 && placed.size === 0 && !isWhole && !withPlaces) return [];
      for (const key of isWhole ? entries.keys() : placed) {
        moved.delete(key);
        moved.add(key);
      }
      const places = isWhole || withPlaces || !movesOften ? [...moved] : [];
      for (const key of places) {
        moved.delete(key);
        if (entries.has(key)) ords.set(key, nextOrd());
      }
      const keys = isWhole ? entries.keys() : changed.union(new Set(places));
      return [...keys].map(changeOf).filter((change) => change !== undefined);
    },
    /** `changes` must be sorted by `ord`, since new and moved entries go to the end. */
    apply(changes: readonly RowChange[]): Changed[] {
      return changes.flatMap(({ key: text, ord, value }) => {
        const key = readKey(name, text);
        const before = entries.get(key);
        if (value === undefined || ords.get(key) !== ord) entries.adopt(key, undefined);
        if (value === undefined) {
          ords.delete(key);
          return [];
        }
        const now = JSON.parse(value) as object;
        entries.adopt(key, now);
        ords.set(key, ord);
        return [{ name, before, now }];
      });
    },
  };
}

export interface News {
  attempts: { delivery: Delivery; attempt: Attempt }[];
  /** Added or changed without a new attempt. */
  deliveries: Delivery[];
  messages: InboxMessage[];
  hasClockMoved: boolean;
}

function newsOf(changed: readonly Changed[]): Omit<News, 'hasClockMoved'> {
  const news: Omit<News, 'hasClockMoved'> = { attempts: [], deliveries: [], messages: [] };
  for (const { name, before, now } of changed) {
    if (name === 'messages' && !before) news.messages.push(now as InboxMessage);
    if (name !== 'deliveries') continue;
    const delivery = now as Delivery;
    const fresh = delivery.attempts.slice((before as Delivery | undefined)?.attempts.length ?? 0);
    for (const attempt of fresh) news.attempts.push({ delivery, attempt });
    if (fresh.length === 0) news.deliveries.push(delivery);
  }
  return news;
}
