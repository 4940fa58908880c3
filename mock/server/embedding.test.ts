import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { KeptMock } from '../start.ts';
import { openReceiver } from '../testing/open-mock.ts';
import { makeSchema, type PostgresServer, startPostgres } from '../testing/postgres-server.ts';
import { hook, makeFolder, send, startTestMock as start } from '../testing/started-mock.ts';

const suite = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMock } from '${new URL('../start.ts', import.meta.url)}';

test('a mock in node:test', async () => {
  const mock = await startMock({ clock: 'manual', world: { tenants: [{ name: 'A', api_keys: [{ key: 'sp_known' }], sites: [{ id: 5, name: 'x' }] }] } });
  const response = await fetch(mock.baseUrl + '/tenant/sites', { headers: { authorization: 'Bearer sp_known' } });
  assert.equal((await response.json()).data.total, 1);
  assert.equal((await mock.control.advance('PT1H')).now, '2026-01-01T01:00:00.000Z');
  await mock.close();
});
`;

test('works in node:test without keeping the process alive', async () => {
  const file = join(makeFolder(), 'suite.test.mjs');
  writeFileSync(file, suite);
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file]);
  expect(stdout).toMatch(/^# pass 1$/m);
});

test('two mocks in one process are independent', async () => {
  const [one, other] = [await start({ clock: 'manual' }), await start({ clock: 'manual', seed: 2 })];
  await one.control.advance('PT1H');
  expect([one.control.clock().now, other.control.clock().now]).toEqual([
    '2026-01-01T01:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
  ]);
  expect(one.tenants[0]?.apiKey).not.toBe(other.tenants[0]?.apiKey);
});

describe('a mock that leaves its world to others', { tags: ['nightly'] }, () => {
  let database: PostgresServer;
  beforeAll(async () => {
    database = await startPostgres({ isDurable: false });
  });
  afterAll(() => database.stop());

  test('is not ready at once, and answers on, but by connections that end', async () => {
    const mock = await start({ store: await makeSchema(database) });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    expect(await ask(`${mock.baseUrl}/tenant/sites`, agent)).toEqual([401, 'keep-alive']);
    const draining = mock.drain();
    expect(await ask(`${mock.controlUrl}/ready`)).toEqual([503, 'close']);
    expect(await ask(`${mock.controlUrl}/live`)).toEqual([200, 'close']);
    await sleep(500);
    expect(await ask(`${mock.baseUrl}/tenant/sites`, agent)).toEqual([401, 'close']);
    await draining;
    await expect(ask(`${mock.baseUrl}/tenant/sites`)).rejects.toThrow('ECONNREFUSED');
  });

  test('waits for its own pushes, and leaves those that come due to the others', async () => {
    const store = await makeSchema(database);
    const mock = await start({ store });
    const { apiKey: token } = mock.tenants[0] ?? {};
    const post = (path: string, body: object) =>
      send(`${mock.baseUrl}/tenant/sites/101${path}`, { token, body });
    const receiver = await openReceiver(async () => {
      await sleep(500);
      return { status: 200 };
    });
    await post('/webhooks', hook(receiver.url));
    await post('/publish', { note: 'its own' });
    await expect.poll(() => readMetric(mock, 'sitepub_claims')).toBe(1);
    // It would take the first push, perhaps.
    const other = await start({ store });
    const sent = (one: KeptMock) => readMetric(one, 'sitepub_attempts_total\\{.*\\}');
    const draining = mock.drain();
    expect((await post('/publish', { note: "another's" })).status).toBe(200);
    await expect.poll(() => sent(mock)).toBe(1);
    await draining;
    await expect.poll(() => sent(other), { timeout: 5000 }).toBe(1);
    const { deliveries } = await other.control.deliveries({});
    expect(deliveries.map(({ state, attempts }) => [state, attempts.length])).toEqual([
      ['delivered', 1],
      ['delivered', 1],
    ]);
  });
});

async function readMetric({ controlUrl }: KeptMock, pattern: string): Promise<number> {
  const text = await (await fetch(`${controlUrl}/metrics`)).text();
  return Number(new RegExp(`^${pattern} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

/** Sends a request on a new connection, or on one of the agent's. */
async function ask(url: string, agent?: Agent): Promise<[status: number | undefined, connection: unknown]> {
  const [answer] = (await once(get(url, { agent: agent ?? false }), 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return [answer.statusCode, answer.headers.connection];
}
