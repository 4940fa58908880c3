import { expect } from 'vitest';
import { hook, send } from '../../../testing/started-mock.ts';

export type Answer = Awaited<ReturnType<typeof ask>>;

interface Body {
  code?: number;
  data?: { version?: number; token?: string };
  error?: string;
  trace_id?: string;
  store?: { problem?: string };
}

/** `ms` is the duration of the call. */
export async function ask(url: string, { token, body }: { token?: string; body?: object } = {}) {
  const startedAt = performance.now();
  const { status, headers, body: answered } = await send<Body>(url, { token, body });
  const ms = performance.now() - startedAt;
  return { status, retryAfter: headers.get('retry-after'), body: answered, ms };
}

let publishes = 0;

/** Each note is different, because the mock recognizes a repeated publish. */
export function publish({ baseUrl }: { baseUrl: string }, token: string): Promise<Answer> {
  return ask(`${baseUrl}/tenant/sites/101/publish`, { token, body: { note: `note ${++publishes}` } });
}

export async function subscribe(
  { baseUrl }: { baseUrl: string },
  { token, url }: { token: string; url: string },
): Promise<void> {
  const made = await ask(`${baseUrl}/tenant/sites/101/webhooks`, { token, body: hook(url) });
  expect(made.status).toBe(200);
}

/** The answer when the mock could not persist the changes of a call. */
export const notPersisted = {
  status: 503,
  retryAfter: '1',
  body: { code: 50000, trace_id: expect.any(String) },
};
