// The latest requests. They are kept as received; secrets are removed when they are shown.
import type { JournalExchange } from './journal-exchange.ts';

export interface Journal {
  add(exchange: JournalExchange): void;
  /** The kept requests, oldest first, numbered from 1. */
  entries(): JournalEntry[];
  /** How many were dropped to make room since the journal was last cleared. */
  evicted(): number;
  /** Removes all requests, or those of one tenant. */
  clear(tenantId?: number): void;
}

export interface JournalEntry {
  id: number;
  exchange: JournalExchange;
}

const capacity = 1000;
/** Of each body, which bounds the size of the journal. */
const keptCharacters = 8192;

export function createJournal(): Journal {
  let entries: JournalEntry[] = [];
  let count = 0;
  let evicted = 0;
  return {
    add(exchange) {
      shorten(exchange);
      entries.push({ id: ++count, exchange });
      // In batches, since removing the first entry of a long array moves all others.
      if (entries.length < 1.2 * capacity) return;
      const tooMany = entries.length - capacity;
      entries = entries.slice(tooMany);
      evicted += tooMany;
    },
    entries: () => [...entries],
    evicted: () => evicted,
    clear(tenantId) {
      entries =
        tenantId === undefined ? [] : entries.filter(({ exchange }) => exchange.tenantId !== tenantId);
      if (tenantId === undefined) evicted = 0;
    },
  };
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
