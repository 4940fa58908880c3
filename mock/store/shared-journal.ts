// The journal of a world that several processes share: numbered through, and the same for all of them.
import type { Journal } from '../http/journal.ts';
import { journalBound } from '../http/journal.ts';
import { capacity, createEntryList, type JournalEntry, shorten, tooManyOf } from '../http/journal-entries.ts';
import type { JournalExchange } from '../http/journal-exchange.ts';

/** How far the journal is, as all of them know it. */
export interface JournalPlace {
  /** The number of the latest request. */
  last: number;
  /** Those up to it were dropped to make room. */
  dropped: number;
  /** The number of the latest request when all were removed last. */
  cleared: number;
  /** Grows when requests are removed. */
  epoch: number;
}

const emptyJournal: JournalPlace = { last: 0, dropped: 0, cleared: 0, epoch: 0 };

export interface ExchangeRow {
  id: number;
  tenantId: number | undefined;
  /** JSON. */
  value: string;
}

/** What a turn does with the journal. */
export interface JournalChange {
  place: JournalPlace;
  added: ExchangeRow[];
  /** Removes those up to a number, or those of one tenant. */
  removed: { upTo: number; tenantId: number | undefined }[];
}

type Step = { exchange: JournalExchange } | { removes: number | undefined };

export interface SharedJournal extends Journal {
  /** From which number on a turn is to read what others have added; undefined: it need not. */
  wish(now: JournalPlace, isAsked: boolean): number | undefined;
  /** What a turn has read. */
  adopt(rows: readonly ExchangeRow[]): void;
  /** What was added and removed and is not kept yet. */
  take(): JournalChange | undefined;
  /** What was taken last is kept. */
  keep(): void;
  /** How much is not kept yet; `undo` goes back to that. */
  mark(): number;
  undo(mark: number): void;
  /** Wants what others add at once, until the returned function is called. */
  follow(): () => void;
  isFollowed(): boolean;
}

interface Told {
  /** Whether it came to another process. */
  isElsewhere: boolean;
}

export function createSharedJournal(
  onAdded: (entry: JournalEntry, told: Told) => void,
  onWaiting: () => void,
): SharedJournal {
  const list = createEntryList();
  let place = emptyJournal;
  /** All up to it are here. */
  let readUpTo = 0;
  let waiting: Step[] = [];
  let taken: { change: JournalChange; entries: JournalEntry[]; steps: number } | undefined;
  let followers = 0;
  /** Those up to it were dropped here alone. */
  let droppedHere = 0;

  function dropOld(): void {
    const first = Math.max(place.dropped, droppedHere);
    if ((list.all()[0]?.id ?? first + 1) <= first) list.keep(({ id }) => id > first);
  }

  function drop(tooMany: number): void {
    droppedHere = Math.max(droppedHere, list.all()[tooMany - 1]?.id ?? 0);
    list.dropOldest(tooMany);
  }

  function add(entry: JournalEntry, told: Told): void {
    list.add(entry);
    if (list.bytes() > journalBound) drop(tooManyOf(list, 0.9 * journalBound));
    onAdded(entry, told);
  }

  function wait(step: Step): void {
    waiting.push(step);
    onWaiting();
  }

  return {
    add: (exchange) => wait({ exchange: shorten(exchange) }),
    clear(tenantId) {
      // At once, for what is read in the same turn.
      list.keep(({ exchange }) => tenantId !== undefined && exchange.tenantId !== tenantId);
      wait({ removes: tenantId });
    },
    entries: () => [...list.all()],
    last: () => list.all().at(-1),
    find: list.find,
    evicted() {
      const isCleared = waiting.some((step) => 'removes' in step && step.removes === undefined);
      return isCleared ? 0 : Math.max(0, Math.max(place.dropped, droppedHere) - place.cleared);
    },
    bytes: list.bytes,
    shrink: (share) => drop(tooManyOf(list, share * list.bytes())),

    wish(now, isAsked) {
      if (place.epoch !== now.epoch) {
        list.keep(() => false);
        readUpTo = now.dropped;
      }
      place = now;
      dropOld();
      return (isAsked || followers > 0) && readUpTo < now.last ? Math.max(readUpTo, now.dropped) : undefined;
    },

    adopt(rows) {
      const known = new Set(list.all().map(({ id }) => id));
      for (const { id, value } of rows)
        if (!known.has(id) && id > droppedHere) add(readEntry(id, value), { isElsewhere: true });
      readUpTo = place.last;
    },

    take() {
      if (waiting.length === 0) return undefined;
      const next = { ...place };
      const entries: JournalEntry[] = [];
      const removed: JournalChange['removed'] = [];
      for (const step of waiting) {
        if ('exchange' in step) entries.push({ id: ++next.last, exchange: step.exchange });
        else removed.push({ upTo: next.last, tenantId: step.removes });
        if ('removes' in step) Object.assign(next, afterRemoval(next, step.removes));
      }
      // In batches.
      if (next.last - next.dropped >= 1.2 * capacity) next.dropped = next.last - capacity;
      taken = { change: { place: next, added: entries.map(rowOf), removed }, entries, steps: waiting.length };
      return taken.change;
    },

    keep() {
      if (!taken) return;
      const { change, entries, steps } = taken;
      taken = undefined;
      waiting = waiting.slice(steps);
      if (readUpTo === place.last) readUpTo = change.place.last;
      ({ place } = change);
      for (const entry of entries) add(entry, { isElsewhere: false });
      for (const { upTo, tenantId } of change.removed)
        list.keep(
          ({ id, exchange }) => id > upTo || (tenantId !== undefined && exchange.tenantId !== tenantId),
        );
      dropOld();
    },

    mark: () => waiting.length,
    undo(mark) {
      const undone = waiting.splice(mark, (taken?.steps ?? mark) - mark);
      taken = undefined;
      // It is read anew.
      if (undone.some((step) => 'removes' in step)) place = { ...place, epoch: -1 };
    },

    follow() {
      followers++;
      return () => void followers--;
    },
    isFollowed: () => followers > 0,
  };
}

function afterRemoval(
  { last, epoch, cleared, dropped }: JournalPlace,
  tenantId: number | undefined,
): Partial<JournalPlace> {
  if (tenantId !== undefined) return { epoch: epoch + 1, cleared, dropped };
  return { epoch: epoch + 1, cleared: last, dropped: last };
}

function rowOf({ id, exchange }: JournalEntry): ExchangeRow {
  return { id, tenantId: exchange.tenantId, value: JSON.stringify({ ...exchange, startedAt: 0 }) };
}

/** JSON leaves out what is undefined. */
function readEntry(id: number, value: string): JournalEntry {
  return { id, exchange: JSON.parse(value) as JournalExchange };
}
