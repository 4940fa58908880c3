// @module-tag nightly
// What callers see when the network between a mock and its database fails.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../testing/postgres-server.ts';
import { ask, nextVersion, notKept, openWired, publish } from '../../testing/wired-mock.ts';

let database: PostgresServer;
beforeAll(async () => {
  database = await startPostgres({ isDurable: false });
});
afterAll(() => database.stop());

test('a database that is back within two seconds is not noticed', async () => {
  const parts = await openWired(database);
  parts.wire.refuse();
  const published = publish(parts.mock, parts.token);
  await sleep(700);
  await parts.wire.accept();
  expect(await published).toMatchObject({ status: 200, body: { data: { version: 8 } } });
  expect(await nextVersion(parts)).toBe(9);
});

test('a mock that nobody calls notices by itself that its database is back', async () => {
  const { wire, mock } = await openWired(database);
  const problem = async () => (await ask(`${mock.controlUrl}/health`, {})).body.store?.problem;
  wire.refuse();
  await expect.poll(problem, { timeout: 5000 }).toContain('nothing listens there');
  await wire.accept();
  await expect.poll(problem, { timeout: 5000 }).toBeUndefined();
});

test('a database that stays away is told, and when it is back all goes on', async () => {
  const parts = await openWired(database);
  const { wire, mock, token } = parts;
  wire.refuse();
  const [answer, control] = await Promise.all([publish(mock, token), ask(`${mock.controlUrl}/overview`, {})]);
  expect(answer).toMatchObject(notKept);
  expect(answer.ms).toBeGreaterThan(1500);
  expect(answer.ms).toBeLessThan(8000);
  expect(control).toMatchObject({ status: 503, body: { error: expect.stringContaining('nothing listens') } });
  expect((await ask(`${mock.controlUrl}/live`, {})).status).toBe(200);
  expect(await ask(`${mock.controlUrl}/ready`, {})).toMatchObject({ status: 503, retryAfter: '1' });
  await wire.accept();
  await expect
    .poll(async () => (await ask(`${mock.controlUrl}/ready`, {})).status, { timeout: 5000 })
    .toBe(200);
  expect((await publish(mock, token)).body.data?.version).toBe(8);
  expect(await nextVersion(parts)).toBe(9);
});

test('a slow network makes answers slow, and nothing else', async () => {
  const parts = await openWired(database);
  const { wire, mock, token } = parts;
  const turns = async () => {
    const text = await (await fetch(`${mock.controlUrl}/metrics`)).text();
    return Number(/^sitepub_turn_seconds_count\{phase="commit"\} (\d+)$/m.exec(text)?.[1]);
  };
  const before = await turns();
  wire.delay(50);
  const answers = await Promise.all(Array.from({ length: 10 }, () => publish(mock, token)));
  expect(answers.map(({ body }) => body.data?.version)).toEqual(
    Array.from({ length: 10 }, (_, index) => 8 + index),
  );
  expect(Math.min(...answers.map(({ ms }) => ms))).toBeGreaterThan(150);
  expect((await ask(`${mock.controlUrl}/ready`, {})).status).toBe(200);
  // Calls that wait together are done together.
  expect((await turns()) - before).toBeLessThan(8);
});
