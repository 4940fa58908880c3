// A mock that is connected to its database by a wire, and another one that tells what has happened.
import { expect, onTestFinished } from 'vitest';
import { type KeptMock, startMock } from '../../../start.ts';
import { makeSchema, type PostgresServer } from '../../../testing/postgres-server.ts';
import { openWire, type Wire } from './wire.ts';

interface Parts {
  wire: Wire;
  /** Connected by the wire. */
  mock: KeptMock;
  /** Connected without it. */
  other: KeptMock;
  token: string;
}

export async function openWired(database: Pick<PostgresServer, 'url'>): Promise<Parts> {
  const store = await makeSchema(database);
  const wire = await openWire(store);
  const other = await startMock({ store, limits: 'off' });
  const mock = await startMock({ store: wire.url, limits: 'off' });
  onTestFinished(async () => {
    await mock.close();
    await other.close();
    wire.close();
  });
  return { wire, mock, other, token: String(mock.tenants[0]?.apiKey) };
}

interface Answer {
  status: number;
  retryAfter: string | null;
  body: { code?: number; data?: { version: number }; error?: string; trace_id?: string } & {
    store?: { problem?: string };
  };
  ms: number;
}

export async function ask(
  url: string,
  { token = '', body }: { token?: string; body?: object },
): Promise<Answer> {
  const startedAt = performance.now();
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
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
export function publish({ baseUrl }: KeptMock, token: string): Promise<Answer> {
  return ask(`${baseUrl}/tenant/sites/101/publish`, { token, body: { note: `${++publishes}` } });
}

/** The version that comes next, by a mock that is well. */
export async function nextVersion({ other, token }: Parts): Promise<number | undefined> {
  return (await publish(other, token)).body.data?.version;
}

/** What a call is answered that has not happened. */
export const notKept = { status: 503, retryAfter: '1', body: { code: 50000, trace_id: expect.any(String) } };
