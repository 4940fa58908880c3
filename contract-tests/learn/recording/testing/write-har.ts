// Recordings for tests, as browsers write them.
import { type HarEntry, harEntriesIn } from '../har-entries.ts';
import { type ReadHar, readEntries } from '../read-har.ts';

/** One call and its answer. */
export interface WrittenCall {
  method?: string;
  /** Below https://api.example.com/api/v1, or an address. */
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  status?: number;
  /** What `data` is in the answer. */
  data?: unknown;
  /** The whole answer. */
  answer?: unknown;
  /** Members of the entry that are put in the place of the usual ones. */
  entry?: Record<string, unknown>;
}

export const api = 'https://api.example.com/api/v1';

const bearer = { Authorization: 'Bearer st_0123456789abcdef01234567' };

/** An entry of `log.entries`. */
export function entryOf(call: WrittenCall, index = 0): Record<string, unknown> {
  const { method = 'GET', path, headers = bearer, body, status = 200, data, answer, entry } = call;
  const whole = answer ?? {
    code: 0,
    message: 'success',
    ...(data !== undefined && { data }),
    trace_id: '0c3a8f2be15d9764',
  };
  return {
    _resourceType: 'fetch',
    startedDateTime: new Date(Date.UTC(2026, 0, 1, 8, 0, index)).toISOString(),
    request: {
      method,
      url: path.startsWith('/') ? `${api}${path}` : path,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: {
      status,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { mimeType: 'application/json', text: JSON.stringify(whole) },
    },
    ...entry,
  };
}

export function harOf(calls: readonly WrittenCall[]): string {
  const entries = calls.map(entryOf);
  return JSON.stringify(
    { log: { version: '1.2', creator: { name: 'WebInspector' }, pages: [], entries } },
    null,
    2,
  );
}

export function entriesIn(text: string | Buffer, pieceLength = 65_536): HarEntry[] {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) pieces.push(bytes.subarray(at, at + pieceLength));
  return [...harEntriesIn(pieces, 'console.har')];
}

export function readText(text: string): ReadHar {
  return readEntries(entriesIn(text), 'console.har');
}
