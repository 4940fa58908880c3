// Mocks that listen until the test ends, and HTTP calls to them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Json } from '../../openapi/json.ts';
import { type KeptMock, type KeptOptions, type StartedMock, type StartOptions, startMock } from '../start.ts';

export function startTestMock(options: KeptOptions): Promise<KeptMock>;
export function startTestMock(options?: StartOptions): Promise<StartedMock>;
export async function startTestMock(options: StartOptions = {}): Promise<StartedMock | KeptMock> {
  const mock = await startMock(options);
  onTestFinished(() => mock.close());
  return mock;
}

interface Call {
  method?: string;
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Without a body, the default method is GET. */
export async function send<Body = Json>(url: string, { method, token, body, headers }: Call = {}) {
  const hasBody = body !== undefined;
  const response = await fetch(url, {
    method: method ?? (hasBody ? 'POST' : 'GET'),
    headers: {
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(hasBody && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

export function hook(url: string, event = 'publish.complete') {
  return { url, events: [event], channel: 'custom' };
}

/** Returns a session token for the first user of the demo world. */
export async function logIn({ baseUrl }: { baseUrl: string }): Promise<string> {
  const body = { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' };
  const answer = await send<{ data: { token: string } }>(`${baseUrl}/auth/tenant/login`, { body });
  return answer.body.data.token;
}

/** `pattern` matches the name and labels of a metric. Returns 0 if the metric is missing. */
export async function readMetric({ controlUrl }: { controlUrl: string }, pattern: string): Promise<number> {
  const text = await (await fetch(`${controlUrl}/metrics`)).text();
  return Number(new RegExp(`^${pattern} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
