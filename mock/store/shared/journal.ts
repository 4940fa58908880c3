// The journal of a world that several processes share: one numbering, and the same requests for all of them.
import {
  capacity,
  createEntryList,
  type Journal,
  type JournalEntry,
  type JournalExchange,
  journalBound,
  shorten,
  tooManyOf,
} from '../../http/journal.ts';

/** How far the journal has come, for all processes. */
export interface JournalPlace {
  /** The number of the latest request. */
  last: number;
  /** Requests up to this number were dropped to make room. */
  dropped: number;
  /** The number of the latest request when all were removed last. */
  cleared: number;
  /** Grows when requests are removed. */
  epoch: number;
  /** By tenant, up to which number its requests were removed. */
  removed?: Readonly<Record<string, number>>;
}

/** The requests of a turn. One row for each request would cost the database more than everything else. */
export interface ExchangesRow {
  /** The number of the last of them. */
  last: number;
  /** A JSON array of them, in order. */
  value: string;
}

/** What a turn changes in the journal. */
export interface JournalChange {
  place: JournalPlace;
  added: ExchangesRow | undefined;
}

type Step = { exchange: JournalExchange } | { removes: number | undefined };

/** `onAdded` is told of each persisted request, and whether another process received it; `onWaiting` of what a turn has to persist. */
export function createSharedJournal(
  onAdded: (entry: JournalEntry, isElsewhere: boolean) => void,
  onWaiting: () => void,
) {
  const list = createEntryList();
  let place: JournalPlace = { last: 0, dropped: 0, cleared: 0, epoch: 0 };
  /** All requests up to this number are in the list. */
  let readUpTo = 0;
  let waiting: Step[] = [];
  /** How many steps waited before the turn under way. */
  let before = 0;
  let taken: { change: JournalChange; entries: readonly JournalEntry[]; steps: number } | undefined;
  let followers = 0;
  /** Requests up to this number were dropped by this process alone. */
  let droppedHere = 0;

  function dropOld(): void {
    const first = Math.max(place.dropped, droppedHere);
    if ((list.all()[0]?.id ?? first + 1) <= first) list.keep(({ id }) => id > first);
  }

  function isThere({ id, exchange: { tenantId } }: JournalEntry): boolean {
    const removed = tenantId === undefined ? 0 : (place.removed?.[tenantId] ?? 0);
    return id > Math.max(place.dropped, droppedHere, removed);
  }

  function drop(tooMany: number): void {
    droppedHere = Math.max(droppedHere, list.all()[tooMany - 1]?.id ?? 0);
    list.dropOldest(tooMany);
  }

  function add(entry: JournalEntry, isElsewhere: boolean): void {
    list.add(entry);
    if (list.bytes() > journalBound) drop(tooManyOf(list, 0.9 * journalBound));
    onAdded(entry, isElsewhere);
  }

  function wait(step: Step): void {
    waiting.push(step);
    onWaiting();
  }

  return {
    add: (exchange: JournalExchange) => wait({ exchange: shorten(exchange) }),
    clear(tenantId?: number) {
      // The same turn may read the journal.
      list.keep(({ exchange }) => tenantId !== undefined && exchange.tenantId !== tenantId);
      wait({ removes: tenantId });
    },
    entries: () => [...list.all()],
    find: list.find,
    evicted() {
      const isCleared = waiting.some((step) => 'removes' in step && step.removes === undefined);
      return isCleared ? 0 : Math.max(0, Math.max(place.dropped, droppedHere) - place.cleared);
    },
    bytes: list.bytes,
    shrink: (share: number) => drop(tooManyOf(list, share * list.bytes())),

    /** The number after which a turn has to read what others have added; undefined: it need not read. */
    wish(now: JournalPlace, isAsked: boolean): number | undefined {
      if (place.epoch !== now.epoch) {
        list.keep(() => false);
        readUpTo = now.dropped;
      }
      place = now;
      dropOld();
      return (isAsked || followers > 0) && readUpTo < now.last ? Math.max(readUpTo, now.dropped) : undefined;
    },

    /** A turn begins, which `keep` or `undo` ends. It may have read requests of others. */
    begin(rows?: readonly ExchangesRow[]): void {
      before = waiting.length;
      if (!rows) return;
      const known = new Set(list.all().map(({ id }) => id));
      for (const entry of rows.flatMap(entriesOf))
        if (!known.has(entry.id) && isThere(entry)) add(entry, true);
      readUpTo = place.last;
    },

    /** The changes that are not persisted yet; undefined: none. */
    take(): JournalChange | undefined {
      if (waiting.length === 0) return undefined;
      const next = { ...place };
      const entries: JournalEntry[] = [];
      for (const step of waiting)
        if ('exchange' in step) entries.push({ id: ++next.last, exchange: step.exchange });
        else {
          const { last, removed } = next;
          next.epoch++;
          if (step.removes === undefined) Object.assign(next, { cleared: last, dropped: last, removed: {} });
          else next.removed = { ...removed, [step.removes]: last };
        }
      // Drop in batches: a fifth more than the capacity may wait.
      if (next.last - next.dropped >= 1.2 * capacity) next.dropped = next.last - capacity;
      const change = { place: next, added: rowOf(entries, next.last) };
      taken = { change, entries, steps: waiting.length };
      return change;
    },

    /** The changes taken last are persisted. */
    keep(): void {
      if (!taken) return;
      const { change, entries, steps } = taken;
      taken = undefined;
      waiting = waiting.slice(steps);
      if (readUpTo === place.last) readUpTo = change.place.last;
      const isRemoved = change.place.epoch !== place.epoch;
      ({ place } = change);
      for (const entry of entries) add(entry, false);
      if (isRemoved) list.keep(isThere);
      dropOld();
    },

    /** The changes taken last are not persisted. Those from before the turn wait for the next one. */
    undo(): void {
      const undone = waiting.splice(before, (taken?.steps ?? before) - before);
      taken = undefined;
      // The next turn reads the journal anew.
      if (undone.some((step) => 'removes' in step)) place = { ...place, epoch: -1 };
    },

    /** Reads what others add at once, until the returned function is called. */
    follow() {
      followers++;
      return () => void followers--;
    },
  } satisfies Journal & Record<string, unknown>;
}

function rowOf(entries: readonly JournalEntry[], last: number): ExchangesRow | undefined {
  if (entries.length === 0) return undefined;
  const values = entries.map(({ exchange }) => JSON.stringify({ ...exchange, startedAt: 0 }));
  return { last, value: `[${values.join(',')}]` };
}

function entriesOf({ last, value }: ExchangesRow): JournalEntry[] {
  // JSON leaves out what is undefined.
  const exchanges = JSON.parse(value) as JournalExchange[];
  return exchanges.map((exchange, index) => ({ id: last - exchanges.length + 1 + index, exchange }));
}
