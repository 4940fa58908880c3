// @module-tag nightly
// A push is sent again when nobody knows what became of it, and what is learned too late does not count.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type KeptMock, startMock } from '../../start.ts';
import { profileWith } from '../../testing/open-mock.ts';
import { makeSchema, type PostgresServer, startPostgres } from '../../testing/postgres-server.ts';
import { startReplica } from '../../testing/replicas.ts';
import { openWire } from '../../testing/wire.ts';

let database: PostgresServer;
beforeAll(async () => {
  database = await startPostgres({ isDurable: false });
});
afterAll(() => database.stop());

/** A claim runs out five seconds later. */
const timeoutSeconds = 5;

/** Begins a world whose subscription leads to the receiver, and leaves it. Returns an API key. */
async function beginWorld(store: string, url: string): Promise<string> {
  const mock = await startMock({ store, profile: profileWith({ 'webhook.timeout': timeoutSeconds }) });
  const key = String(mock.tenants[0]?.apiKey);
  await post(mock.baseUrl, '/webhooks', { url, events: ['publish.complete'], channel: 'custom' }, key);
  await mock.close();
  return key;
}

async function post(baseUrl: string, path: string, body: object, key: string): Promise<void> {
  const { status } = await fetch(`${baseUrl}/tenant/sites/101${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
}

async function start(store: string): Promise<KeptMock> {
  const mock = await startMock({ store });
  onTestFinished(() => mock.close());
  return mock;
}

/** Takes a second for each answer. */
async function openReceiver() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    bodies.push(body);
    setTimeout(() => response.end(), 1000);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const hasGot = (count: number) => expect.poll(() => bodies.length, { timeout: 30_000 }).toBe(count);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, bodies, hasGot };
}

/** State of the only delivery, and how many attempts are logged. */
async function deliveryAt({ controlUrl }: Pick<KeptMock, 'controlUrl'>): Promise<unknown[]> {
  const { deliveries } = (await (await fetch(`${controlUrl}/deliveries`)).json()) as {
    deliveries: { state: string; attempts: unknown[] }[];
  };
  return deliveries.flatMap(({ state, attempts }) => [state, attempts.length]);
}

/** A push is under way, sent by a mock whose way to its database can be cut. */
async function openPush() {
  const receiver = await openReceiver();
  const store = await makeSchema(database);
  const key = await beginWorld(store, receiver.url);
  const wire = await openWire(store);
  const mock = await start(wire.url);
  onTestFinished(wire.close);
  await post(mock.baseUrl, '/publish', { note: 'a' }, key);
  await receiver.hasGot(1);
  return { receiver, store, wire, mock };
}

test('what a receiver answered while the database was gone is logged when it is back', async () => {
  const { receiver, store, wire } = await openPush();
  wire.refuse();
  // Calls are told after two seconds.
  await sleep(4000);
  await wire.accept();
  const other = await start(store);
  await expect.poll(() => deliveryAt(other), { timeout: 6000 }).toEqual(['delivered', 1]);
  expect(receiver.bodies).toHaveLength(1);
});

test('a push of a mock that has lost the database is taken over, and is logged once', async () => {
  const { receiver, store, wire, mock } = await openPush();
  wire.refuse();
  const other = await start(store);
  await receiver.hasGot(2);
  await expect.poll(() => deliveryAt(other), { timeout: 6000 }).toEqual(['delivered', 1]);
  await wire.accept();
  await expect
    .poll(async () => (await fetch(`${mock.controlUrl}/ready`)).status, { timeout: 6000 })
    .toBe(200);
  await sleep(2500);
  expect(await deliveryAt(mock)).toEqual(['delivered', 1]);
  expect(new Set(receiver.bodies).size).toBe(1);
});

test('what a mock that stood still has to say about its push does not count', async () => {
  const receiver = await openReceiver();
  const store = await makeSchema(database);
  const key = await beginWorld(store, receiver.url);
  const { process: child, baseUrl, controlUrl } = await startReplica(store, []);
  await post(baseUrl, '/publish', { note: 'a' }, key);
  await receiver.hasGot(1);
  child.kill('SIGSTOP');
  const other = await start(store);
  await receiver.hasGot(2);
  await expect.poll(() => deliveryAt(other), { timeout: 6000 }).toEqual(['delivered', 1]);
  child.kill('SIGCONT');
  await sleep(2500);
  expect(await deliveryAt({ controlUrl })).toEqual(['delivered', 1]);
  expect(new Set(receiver.bodies).size).toBe(1);
});
