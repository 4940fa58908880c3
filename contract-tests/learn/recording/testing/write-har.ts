export interface WrittenCall {
  method?: string;
  /** Path below https://api.example.com/api/v1, or a URL. */
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  status?: number;
  /** `data` of the answer. */
  data?: unknown;
  /** Replaces the whole answer. */
  answer?: unknown;
  /** Replaces members of the entry. */
  entry?: Record<string, unknown>;
}

export const api = 'https://api.example.com/api/v1';

const bearer = { Authorization: 'Bearer st_0123456789abcdef01234567' };

function entryOf(call: WrittenCall): Record<string, unknown> {
  const { method = 'GET', path, headers = bearer, body, status = 200, data, answer, entry } = call;
  const whole = answer ?? {
    code: 0,
    message: 'success',
    ...(data !== undefined && { data }),
    trace_id: '0c3a8f2b',
  };
  return {
    _resourceType: 'fetch',
    request: {
      method,
      url: path.startsWith('/') ? `${api}${path}` : path,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: { status, content: { mimeType: 'application/json', text: JSON.stringify(whole) } },
    ...entry,
  };
}

export function harOf(calls: readonly WrittenCall[]): string {
  const log = { version: '1.2', creator: { name: 'WebInspector' }, pages: [], entries: calls.map(entryOf) };
  return JSON.stringify({ log }, null, 2);
}
