// The latest requests. They are kept as received; secrets are removed when they are shown.
import { createEntryList, type JournalEntry, shorten, tooManyOf } from './journal-entries.ts';
import type { JournalExchange } from './journal-exchange.ts';

export interface Journal {
  add(exchange: JournalExchange): void;
  /** The kept requests, oldest first, numbered from 1. */
  entries(): readonly JournalEntry[];
  /** The latest of them. */
  last(): JournalEntry | undefined;
  find(id: number): JournalEntry | undefined;
  /** How many were dropped to make room since the journal was last cleared. */
  evicted(): number;
  /** How many bytes they take in memory, about. */
  bytes(): number;
  /** Drops the oldest requests, until about this share of the bytes is left. */
  shrink(share: number): void;
  /** Removes all requests, or those of one tenant. */
  clear(tenantId?: number): void;
}

/** In bytes; over it, the oldest requests go. */
export const journalBound = 32_000_000;

export function createJournal(onAdded: (entry: JournalEntry) => void): Journal {
  const list = createEntryList();
  let count = 0;
  let evicted = 0;

  function drop(tooMany: number): void {
    list.dropOldest(tooMany);
    evicted += tooMany;
  }

  return {
    add(exchange) {
      const entry = { id: ++count, exchange: shorten(exchange) };
      list.add(entry);
      // In batches, since removing the first entry of a long array moves all others.
      if (list.isFull(journalBound)) drop(tooManyOf(list, 0.9 * journalBound));
      onAdded(entry);
    },
    entries: () => [...list.all()],
    last: () => list.all().at(-1),
    find: list.find,
    evicted: () => evicted,
    bytes: list.bytes,
    shrink(share) {
      drop(tooManyOf(list, share * list.bytes()));
    },
    clear(tenantId) {
      list.keep(({ exchange }) => tenantId !== undefined && exchange.tenantId !== tenantId);
      if (tenantId === undefined) evicted = 0;
    },
  };
}
