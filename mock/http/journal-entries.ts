// The entries of a journal, and how much of them there is.
import { bytesOfText } from '../world/bytes.ts';
import type { JournalExchange } from './journal-exchange.ts';

export interface JournalEntry {
  id: number;
  exchange: JournalExchange;
}

/** So many requests are kept. */
export const capacity = 1000;
/** They go in batches: when there are so many times as many. */
const slack = 1.2;
/** Of each body. */
const keptCharacters = 8192;

interface KeptEntry extends JournalEntry {
  bytes: number;
}

export type EntryList = ReturnType<typeof createEntryList>;

/** In the order of their ids. */
export function createEntryList() {
  let entries: KeptEntry[] = [];
  let bytes = 0;

  function replace(kept: KeptEntry[]): void {
    entries = kept;
    bytes = kept.reduce((sum, entry) => sum + entry.bytes, 0);
  }

  return {
    all: (): readonly KeptEntry[] => entries,
    bytes: () => bytes,
    find: (id: number): JournalEntry | undefined => entries.find((entry) => entry.id === id),
    /** Most often at the end. */
    add({ id, exchange }: JournalEntry): void {
      const entry = { id, exchange, bytes: bytesOf(exchange) };
      bytes += entry.bytes;
      if (id > (entries.at(-1)?.id ?? 0)) entries.push(entry);
      else entries.splice(entries.findLastIndex((one) => one.id < id) + 1, 0, entry);
    },
    dropOldest(amount: number): void {
      if (amount > 0) replace(entries.slice(amount));
    },
    keep(fits: (entry: JournalEntry) => boolean): void {
      replace(entries.filter(fits));
    },
    isFull: (mostBytes: number) => entries.length >= slack * capacity || bytes > mostBytes,
  };
}

/** How many of the oldest entries go, so that no more bytes than these are left. */
export function tooManyOf(list: Pick<EntryList, 'all' | 'bytes'>, most: number): number {
  const entries = list.all();
  let count = Math.max(0, entries.length - capacity);
  let left = entries.slice(0, count).reduce((sum, entry) => sum - entry.bytes, list.bytes());
  for (; left > most; count++) left -= entries[count]?.bytes ?? left;
  return count;
}

/** About how much an exchange takes besides its texts. */
const exchangeBytes = 2048;

/** By the texts that may be long: looking at all members would cost each request. */
function bytesOf({ url, headers, requestBody = '', answer }: JournalExchange): number {
  let bytes = exchangeBytes + bytesOfText(url) + bytesOfText(requestBody) + bytesOfText(answer?.body ?? '');
  for (const name in headers) bytes += bytesOfText(String(headers[name]));
  return bytes;
}

/** Cuts its bodies, in place. */
export function shorten(exchange: JournalExchange): JournalExchange {
  const { requestBody, answer } = exchange;
  if (requestBody && requestBody.length > keptCharacters) exchange.requestBody = cut(requestBody);
  if (answer && answer.body.length > keptCharacters) exchange.answer = { ...answer, body: cut(answer.body) };
  return exchange;
}

/** Copied, since a slice would keep the whole text in memory. */
function cut(text: string): string {
  return Buffer.from(text.slice(0, keptCharacters)).toString();
}
