// Reads a recording in the format HAR 1.2.
import { parseJson } from '../../core/parse-json.ts';
import { type NoCall, readEntry } from './exchange-of-entry.ts';
import { type HarEntry, harEntriesOf, harLimits } from './har-entries.ts';
import { type RecordedExchange, RecordingError } from './recorded-exchange.ts';

export interface ReadHar {
  /** By when they began. */
  exchanges: RecordedExchange[];
  /** Of entries that are no calls, what they hold: redirected logins, messages of WebSockets. */
  others: RecordedExchange[];
  /** How many entries are no calls of an API, by the reason. */
  leftOut: Map<string, number>;
}

/** Reads a file. `name` is what messages and places call it. Throws RecordingError where it is no such recording, and what Node throws where it can't be read. */
export function readHar(path: string, name: string): ReadHar {
  return readEntries(harEntriesOf(path, name), name);
}

/** The same of its entries. */
export function readEntries(entries: Iterable<HarEntry>, name: string): ReadHar {
  const leftOut = new Map<string, number>();
  const exchanges: RecordedExchange[] = [];
  const others: RecordedExchange[] = [];
  const leave = (reason: NoCall | string) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  for (const { number, line, text } of entries) {
    if (text === undefined) leave(`longer than ${harLimits.entry / 1_048_576} MB`);
    else {
      const entry = parseJson(text);
      if (entry === undefined)
        throw new RecordingError(`entry ${number} of ${name}, at line ${line}, is no JSON; save it again`);
      const { exchange, noCall } = readEntry(entry, `entry ${number} of ${name}`);
      if (noCall !== undefined) leave(noCall);
      if (exchange) (noCall === undefined ? exchanges : others).push(exchange);
    }
  }
  exchanges.sort((one, other) => one.startedAt - other.startedAt);
  return { exchanges, others, leftOut };
}
