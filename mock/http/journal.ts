// The latest requests. They are kept as received; secrets are removed when they are shown.
import { bytesOf } from '../world/bytes.ts';
import type { JournalExchange } from './journal-exchange.ts';

export interface Journal {
  add(exchange: JournalExchange): void;
  /** The kept requests, oldest first, numbered from 1. */
  entries(): JournalEntry[];
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

export interface JournalEntry {
  id: number;
  exchange: JournalExchange;
}

const capacity = 1000;
/** In bytes; over it, the oldest requests go. */
export const journalBound = 32_000_000;
/** Of each body. */
const keptCharacters = 8192;

interface KeptEntry extends JournalEntry {
  bytes: number;
}

export function createJournal(): Journal {
  let entries: KeptEntry[] = [];
  let bytes = 0;
  let count = 0;
  let evicted = 0;

  function keep(kept: KeptEntry[]): void {
    entries = kept;
    bytes = kept.reduce((sum, entry) => sum + entry.bytes, 0);
  }

  function drop(tooMany: number): void {
    keep(entries.slice(tooMany));
    evicted += tooMany;
  }

  return {
    add(exchange) {
      shorten(exchange);
      const entry = { id: ++count, exchange, bytes: bytesOf(exchange) };
      entries.push(entry);
      bytes += entry.bytes;
      // In batches, since removing the first entry of a long array moves all others.
      if (entries.length < 1.2 * capacity && bytes <= journalBound) return;
      drop(tooManyOf(entries, bytes, 0.9 * journalBound));
    },
    entries: () => [...entries],
    last: () => entries.at(-1),
    find: (id) => entries.find((entry) => entry.id === id),
    evicted: () => evicted,
    bytes: () => bytes,
    shrink(share) {
      drop(tooManyOf(entries, bytes, share * bytes));
    },
    clear(tenantId) {
      keep(tenantId === undefined ? [] : entries.filter(({ exchange }) => exchange.tenantId !== tenantId));
      if (tenantId === undefined) evicted = 0;
    },
  };
}

/** How many of the oldest entries go, so that no more bytes than these are left. */
function tooManyOf(entries: readonly KeptEntry[], bytes: number, most: number): number {
  let count = Math.max(0, entries.length - capacity);
  let left = entries.slice(0, count).reduce((sum, entry) => sum - entry.bytes, bytes);
  for (; left > most; count++) left -= entries[count]?.bytes ?? left;
  return count;
}

function shorten(exchange: JournalExchange): void {
  const { requestBody, answer } = exchange;
  if (requestBody && requestBody.length > keptCharacters) exchange.requestBody = cut(requestBody);
  if (answer && answer.body.length > keptCharacters) exchange.answer = { ...answer, body: cut(answer.body) };
}

/** Copied, since a slice would keep the whole text in memory. */
function cut(text: string): string {
  return Buffer.from(text.slice(0, keptCharacters)).toString();
}
