// Entries contain requests as received; secrets are removed when they are shown.
import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId } from '../../openapi/operations.ts';
import { bytesOfText, filled } from '../world/bytes.ts';
import type { Answer } from './render-envelope.ts';

export interface Journal {
  add(exchange: JournalExchange): void;
  /** Oldest first. */
  entries(): readonly JournalEntry[];
  find(id: number): JournalEntry | undefined;
  /** How many requests were evicted since the journal was last cleared as a whole. */
  evicted(): number;
  bytes(): number;
  shrink(share: number): void;
  clear(tenantId?: number): void;
}

/** In bytes; beyond it, the oldest requests are evicted. */
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
      if (list.isFull(journalBound)) drop(tooManyOf(list, filled * journalBound));
      onAdded(entry);
    },
    entries: () => [...list.all()],
    find: list.find,
    evicted: () => evicted,
    bytes: list.bytes,
    shrink(share) {
      drop(tooManyOf(list, share * list.bytes()));
    },
    clear(tenantId) {
      list.retain(({ exchange }) => tenantId !== undefined && exchange.tenantId !== tenantId);
      if (tenantId === undefined) evicted = 0;
    },
  };
}

export interface JournalExchange {
  at: number;
  /** By performance.now(), in milliseconds. */
  startedAt: number;
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  operation: OperationId | undefined;
  traceId: string;
  tenantId: number | undefined;
  /** The caller's username or API key, or the user who logs in, if the world has that user. */
  who: string | undefined;
  requestBody: string | undefined;
  refusal: string | undefined;
  forcedBy: 'prefer' | 'override' | undefined;
  delayReason: string | undefined;
  answer: Answer | undefined;
  durationMs: number;
}

export interface JournalEntry {
  id: number;
  exchange: JournalExchange;
}

/** How many requests an eviction leaves. */
export const capacity = 1000;
/** Eviction starts at this multiple of the capacity. */
export const slack = 1.2;
const longestText = 8192;

export interface SizedEntry extends JournalEntry {
  bytes: number;
}

export function createEntryList() {
  let entries: SizedEntry[] = [];
  let bytes = 0;

  function replace(retained: SizedEntry[]): void {
    entries = retained;
    bytes = retained.reduce((sum, entry) => sum + entry.bytes, 0);
  }

  return {
    all: (): readonly SizedEntry[] => entries,
    bytes: () => bytes,
    find: (id: number): JournalEntry | undefined => entries.find((entry) => entry.id === id),
    add({ id, exchange }: JournalEntry): void {
      const entry = { id, exchange, bytes: bytesOf(exchange) };
      bytes += entry.bytes;
      if (id > (entries.at(-1)?.id ?? 0)) entries.push(entry);
      else entries.splice(entries.findLastIndex((one) => one.id < id) + 1, 0, entry);
    },
    dropOldest(amount: number): void {
      if (amount > 0) replace(entries.slice(amount));
    },
    retain(fits: (entry: JournalEntry) => boolean): void {
      replace(entries.filter(fits));
    },
    isFull: (mostBytes: number) => entries.length >= slack * capacity || bytes > mostBytes,
  };
}

/** How many of the oldest entries to evict, so that at most `most` bytes and `capacity` entries remain. */
export function tooManyOf(
  list: Pick<ReturnType<typeof createEntryList>, 'all' | 'bytes'>,
  most: number,
): number {
  const entries = list.all();
  let count = Math.max(0, entries.length - capacity);
  let left = entries.slice(0, count).reduce((sum, entry) => sum - entry.bytes, list.bytes());
  for (; left > most; count++) left -= entries[count]?.bytes ?? left;
  return count;
}

/** Estimated bytes of an exchange without its texts. */
const exchangeBytes = 2048;

/** Counts only texts that may be long, since measuring every member would slow down each request. */
function bytesOf({ url, headers, requestBody = '', answer }: JournalExchange): number {
  let bytes = exchangeBytes + bytesOfText(url) + bytesOfText(requestBody) + bytesOfText(answer?.body ?? '');
  for (const name in headers) bytes += bytesOfText(String(headers[name]));
  return bytes;
}

/** Cuts long bodies, in place. */
export function shorten(exchange: JournalExchange): JournalExchange {
  const { requestBody, answer } = exchange;
  if (requestBody && requestBody.length > longestText) exchange.requestBody = cut(requestBody);
  if (answer && answer.body.length > longestText) exchange.answer = { ...answer, body: cut(answer.body) };
  return exchange;
}

/** Copies the text, because a slice would retain the whole text in memory. */
function cut(text: string): string {
  return Buffer.from(text.slice(0, longestText)).toString();
}
