// Follows a world: finds what has changed since it was persisted, and makes the changes of others.
import { collectionNames, collections, planOf } from '../../world/collections.ts';
import type { Delivery, InboxMessage } from '../../world/entries.ts';
import type { ClockState, World } from '../../world/world.ts';
import type { Batch, KeptRows, RowChange } from '../rows/row.ts';
import { readHead, writeHead } from '../rows/world-rows.ts';
import { type News, noNews, noteDelivery } from '../shared/news.ts';
import { type KeptMap, keepMap } from './kept-map.ts';

export interface KeptWorld {
  /** The changes since the last call; all of a world without rows. Undefined: none. With `isLast`, nothing is left for later. */
  takeChanges(how?: { isLast: boolean }): Batch | undefined;
  /** Makes the changes of others. */
  apply(others: { head: string; rows: readonly RowChange[] }): News;
  /** Says how many milliseconds the clock of the engine is ahead of this machine's; 0 at first. A running clock shows the engine's time. */
  setAhead(ms: number): void;
}

/** How often the places of sessions are written: each call moves the session that it uses to the end. */
const placesEveryMs = 60_000;

/** `found`: the rows of the world, if it has any. `onTouch` is called when something may have changed. */
export function keepWorld(world: World, found: KeptRows | undefined, onTouch: () => void): KeptWorld {
  let isWhole = found === undefined;
  let head = found?.head;
  let lastOrd = found ? readHead(found.head).lastOrd : 0;
  const nextOrd = () => ++lastOrd;
  const rowsOf = Map.groupBy(found?.rows ?? [], ({ kind }) => kind);
  const maps = new Map<number, KeptMap>();
  for (const name of collectionNames) {
    const { kind } = planOf(name);
    maps.set(kind, keepMap(world, name, rowsOf.get(kind) ?? [], { nextOrd, onTouch }));
  }
  rowsOf.clear();
  let placedAt = performance.now();
  let aheadMs = 0;

  return {
    takeChanges({ isLast } = { isLast: false }) {
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
    apply(others) {
      const news = noNews();
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
    setAhead(ms) {
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
function tellers(news: News): Record<number, (before: object | undefined, now: object) => void> {
  return {
    [collections.deliveries.kind]: (before, now) => noteDelivery(news, before as Delivery, now as Delivery),
    [collections.messages.kind]: (before, now) => {
      if (!before) news.messages.push(now as InboxMessage);
    },
  };
}
