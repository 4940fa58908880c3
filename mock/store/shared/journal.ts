// The request journal of a world that several processes share, with one numbering for all of them.
import {
  capacity,
  createEntryList,
  type Journal,
  type JournalEntry,
  type JournalExchange,
  journalBound,
  shorten,
  slack,
  tooManyOf,
} from '../../http/journal.ts';
import { filled } from '../../world/bytes.ts';

export interface JournalPosition {
  /** The number of the latest request. */
  last: number;
  /** Requests up to this number were dropped to stay within the limit. */
  dropped: number;
  /** The value of `last` when the journal was last cleared. */
  cleared: number;
  /** Incremented whenever a caller removes requests. */
  epoch: number;
  /** By tenant id, the number up to which its requests were removed. */
  removed?: Readonly<Record<string, number>>;
}

/** The requests of a turn in one row, since a row for each would cost the database more than everything else. */
export interface ExchangesRow {
  last: number;
  /** A JSON array of exchanges, oldest first. */
  value: string;
}

export interface JournalChange {
  position: JournalPosition;
  added: ExchangesRow | undefined;
}

type Step = { exchange: JournalExchange } | { removes: number | undefined };

/** `onAdded` gets each persisted request, also of other processes; `onWaiting` is called when there is something to persist. */
export function createSharedJournal(
  onAdded: (entry: JournalEntry, isElsewhere: boolean) => void,
  onWaiting: () => void,
) {
  const list = createEntryList();
  let position: JournalPosition = { last: 0, dropped: 0, cleared: 0, epoch: 0 };
  let readUpTo = 0;
  let waiting: Step[] = [];
  /** How many steps waited when the current turn began. */
  let before = 0;
  let taken: { change: JournalChange; entries: readonly JournalEntry[]; steps: number } | undefined;
  let followers = 0;
  /** This process has dropped requests up to this number to limit its memory. */
  let droppedHere = 0;

  function dropOld(): void {
    const first = Math.max(position.dropped, droppedHere);
    if ((list.all()[0]?.id ?? first + 1) <= first) list.retain(({ id }) => id > first);
  }

  function isThere({ id, exchange: { tenantId } }: JournalEntry): boolean {
    const removed = tenantId === undefined ? 0 : (position.removed?.[tenantId] ?? 0);
    return id > Math.max(position.dropped, droppedHere, removed);
  }

  function drop(tooMany: number): void {
    droppedHere = Math.max(droppedHere, list.all()[tooMany - 1]?.id ?? 0);
    list.dropOldest(tooMany);
  }

  function add(entry: JournalEntry, isElsewhere: boolean): void {
    list.add(entry);
    if (list.bytes() > journalBound) drop(tooManyOf(list, filled * journalBound));
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
      list.retain(({ exchange }) => tenantId !== undefined && exchange.tenantId !== tenantId);
      wait({ removes: tenantId });
    },
    entries: () => [...list.all()],
    find: list.find,
    evicted() {
      const isCleared = waiting.some((step) => 'removes' in step && step.removes === undefined);
      return isCleared ? 0 : Math.max(0, Math.max(position.dropped, droppedHere) - position.cleared);
    },
    bytes: list.bytes,
    shrink: (share: number) => drop(tooManyOf(list, share * list.bytes())),

    /** Returns the number after which a turn has to read requests of others; undefined: none. */
    wish(now: JournalPosition, isAsked: boolean): number | undefined {
      if (position.epoch !== now.epoch) {
        list.retain(() => false);
        readUpTo = now.dropped;
      }
      position = now;
      dropOld();
      return (isAsked || followers > 0) && readUpTo < now.last ? Math.max(readUpTo, now.dropped) : undefined;
    },

    /** Begins a turn, which `commit` or `undo` ends. `rows`: what `wish` asked for. */
    begin(rows?: readonly ExchangesRow[]): void {
      before = waiting.length;
      if (!rows) return;
      const known = new Set(list.all().map(({ id }) => id));
      for (const entry of rows.flatMap(entriesOf))
        if (!known.has(entry.id) && isThere(entry)) add(entry, true);
      readUpTo = position.last;
    },

    take(): JournalChange | undefined {
      if (waiting.length === 0) return undefined;
      const next = { ...position };
      const entries: JournalEntry[] = [];
      for (const step of waiting)
        if ('exchange' in step) entries.push({ id: ++next.last, exchange: step.exchange });
        else {
          const { last, removed } = next;
          next.epoch++;
          if (step.removes === undefined) Object.assign(next, { cleared: last, dropped: last, removed: {} });
          else next.removed = { ...removed, [step.removes]: last };
        }
      // Most turns need no delete statement, since requests are dropped in batches.
      if (next.last - next.dropped >= slack * capacity) next.dropped = next.last - capacity;
      const change = { position: next, added: rowOf(entries, next.last) };
      taken = { change, entries, steps: waiting.length };
      return change;
    },

    commit(): void {
      if (!taken) return;
      const { change, entries, steps } = taken;
      taken = undefined;
      waiting = waiting.slice(steps);
      if (readUpTo === position.last) readUpTo = change.position.last;
      const isRemoved = change.position.epoch !== position.epoch;
      ({ position } = change);
      for (const entry of entries) add(entry, false);
      if (isRemoved) list.retain(isThere);
      dropOld();
    },

    /** Called if the turn was not persisted. Discards its steps; older ones wait for the next turn. */
    undo(): void {
      const undone = waiting.splice(before, (taken?.steps ?? before) - before);
      taken = undefined;
      // `clear` has removed entries from the list, so the next turn rereads the journal.
      if (undone.some((step) => 'removes' in step)) position = { ...position, epoch: -1 };
    },

    /** Makes each turn read the requests of others, until the returned function is called. */
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
  const exchanges = JSON.parse(value) as JournalExchange[];
  return exchanges.map((exchange, index) => ({ id: last - exchanges.length + 1 + index, exchange }));
}
