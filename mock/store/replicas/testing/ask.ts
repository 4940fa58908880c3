// Calls of a mock over HTTP.
import { expect } from 'vitest';

export interface Answer {
  status: number;
  retryAfter: string | null;
  body: {
    code?: number;
    data?: { version?: number; token?: string };
    error?: string;
    trace_id?: string;
    store?: { problem?: string };
  };
  ms: number;
}

/** With a body, it is a POST. */
export async function ask(
  url: string,
  { token = '', body }: { token?: string; body?: object } = {},
): Promise<Answer> {
  const startedAt = performance.now();
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(40_000),
  });
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: (await answer.json()) as Answer['body'],
    ms: performance.now() - startedAt,
  };
}

let publishes = 0;

/** Never the same twice, which would be taken for a repetition. */
export function publish({ baseUrl }: { baseUrl: string }, token: string): Promise<Answer> {
  return ask(`${baseUrl}/tenant/sites/101/publish`, { token, body: { note: `note ${++publishes}` } });
}

/** Has events of published versions pushed to this address. */
export async function subscribe(
  { baseUrl }: { baseUrl: string },
  { token, url }: { token: string; url: string },
): Promise<void> {
  const body = { url, events: ['publish.complete'], channel: 'custom' };
  expect((await ask(`${baseUrl}/tenant/sites/101/webhooks`, { token, body })).status).toBe(200);
}

/** What a call is answered that has not happened. */
export const notKept = { status: 503, retryAfter: '1', body: { code: 50000, trace_id: expect.any(String) } };
