// A mock that is connected to its database by a wire, and another one that tells what has happened.
import { expect, onTestFinished } from 'vitest';
import type { KeptMock, KeptOptions } from '../../../start.ts';
import { makeSchema, type PostgresServer } from '../../../testing/postgres-server.ts';
import { startTestMock } from '../../../testing/started-mock.ts';
import { ask, publish } from './ask.ts';
import { openWire } from './wire.ts';

type Parts = Awaited<ReturnType<typeof openWired>>;

/** `mock` is connected by the wire, `other` without it. */
export async function openWired(database: Pick<PostgresServer, 'url'>, options: Partial<KeptOptions> = {}) {
  const store = await makeSchema(database);
  const wire = await openWire(store);
  onTestFinished(wire.close);
  const other = await startTestMock({ ...options, store, limits: 'off' });
  const mock = await startTestMock({ store: wire.url, limits: 'off' });
  return { store, wire, mock, other, token: String(mock.tenants[0]?.apiKey) };
}

/** The version that comes next, by a mock that is well. */
export async function nextVersion({ other, token }: Parts): Promise<number | undefined> {
  return (await publish(other, token)).body.data?.version;
}

/** Waits for a mock to be ready. */
export async function isReady({ controlUrl }: KeptMock, timeout: number): Promise<void> {
  await expect.poll(async () => (await ask(`${controlUrl}/ready`)).status, { timeout }).toBe(200);
}

/** Both mocks go on when this one is ready, and nothing was published before. */
export async function goesOn(parts: Parts, timeout: number): Promise<void> {
  await isReady(parts.mock, timeout);
  expect((await publish(parts.mock, parts.token)).body.data?.version).toBe(8);
  expect(await nextVersion(parts)).toBe(9);
}
