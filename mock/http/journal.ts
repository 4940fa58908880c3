// The latest requests of the service. They are kept as they came and are made readable, without their secrets, when somebody asks.
import type { JournalExchange } from './journal-exchange.ts';

export interface Journal {
  add(exchange: JournalExchange): void;
  /** The requests that are kept, oldest first, with their numbers (from 1 up). */
  entries(): Entry[];
  /** How many were dropped to make room since the journal was last emptied. */
  evicted(): number;
  /** Forgets all, or those of one tenant. */
  clear(tenantId?: number): void;
}

export interface Entry {
  id: number;
  exchange: JournalExchange;
}

const capacity = 1000;
/** Of each body; so the journal's size is bounded too. */
const keptCharacters = 8192;

export function createJournal(): Journal {
  let entries: Entry[] = [];
  let count = 0;
  let evicted = 0;
  return {
    add(exchange) {
      shorten(exchange);
      entries.push({ id: ++count, exchange });
      // In batches, since taking the first out of a long array moves all others.
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

/** A text of its own: a mere slice would keep the whole in memory. */
function cut(text: string): string {
  return Buffer.from(text.slice(0, keptCharacters)).toString();
}
