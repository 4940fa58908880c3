import { createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { listenTo } from '../testing.ts';
import { canBeReached, ReceiverError, startReceiver } from './push-receiver.ts';

test.each([
  ['http://127.0.0.1.:4010/api/v1', true],
  ['http://mock.localhost/api/v1', true],
  ['http://[::ffff:127.0.0.1]/api/v1', true],
  ['https://127.0.0.1.evil.example/api/v1', false],
  ['https://127.evil.example/api/v1', false],
])('a deployment at %s can reach a receiver on this machine: %s', (baseUrl, isReached) => {
  expect(canBeReached({ baseUrl, receiver: {} })).toBe(isReached);
});

test('records the raw bytes and headers of a push', async () => {
  await using receiver = await open();
  const bytes = Buffer.from('{ "name":\t"caf\\u00e9 海", "broken": "\xff" }', 'latin1');
  const response = await push(receiver.urlOf('/run/1'), bytes);
  const [first, ...others] = receiver.pushesTo('/run/1');
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ errcode: 0, code: 0, StatusCode: 0 });
  expect(first?.body.equals(bytes)).toBe(true);
  expect(first?.headers['x-webhook-event']).toBe('form.submit');
  expect(Math.abs((first?.at ?? 0) - Date.now())).toBeLessThan(5_000);
  expect(others).toEqual([]);
});

test('answers 413 to a push that is too long, and reports it', async () => {
  await using receiver = await open();
  await push(receiver.urlOf('/run/1'), Buffer.alloc(8_000_000));
  expect(receiver.hasRefused()).toBe(false);
  expect((await push(receiver.urlOf('/run/1'), Buffer.alloc(8_000_001))).status).toBe(413);
  expect([receiver.hasRefused(), receiver.pushesTo('/run/1')]).toEqual([true, [expect.anything()]]);
});

test('stores at most 48 MB of pushes', async () => {
  await using receiver = await open();
  const statuses = await statusesOf(7, receiver.urlOf('/run/1'), Buffer.alloc(7_000_000));
  expect(statuses).toEqual([...Array(6).fill(200), 413]);
});

test('stores the pushes to each path in order', async () => {
  await using receiver = await open();
  for (const text of ['one', 'two']) await push(receiver.urlOf('/run/1?x=1'), Buffer.from(text));
  await push(receiver.urlOf('/run/11'), Buffer.from('other'));
  expect(receiver.pushesTo('/run/1').map(({ body }) => body.toString())).toEqual(['one', 'two']);
});

test('answers the pushes to a path in the order of the script', async () => {
  await using receiver = await open();
  receiver.answer('/run/1', [{ status: 500 }, { status: 302, location: '/moved' }, { status: 204 }]);
  expect(await statusesOf(4, receiver.urlOf('/run/1'))).toEqual([500, 302, 204, 204]);
  expect(await statusesOf(1, receiver.urlOf('/run/2'))).toEqual([200]);
});

test('computes an answer from the pushes so far', async () => {
  await using receiver = await open();
  receiver.answer('/run/5', ({ length }) => ({ status: 500 + length }));
  expect(await statusesOf(2, receiver.urlOf('/run/5'))).toEqual([501, 502]);
});

test('closes a connection if the script says so, and records the push', async () => {
  await using receiver = await open();
  receiver.answer('/run/6', ['reset', { status: 200 }]);
  await expect(push(receiver.urlOf('/run/6'), Buffer.from('x'))).rejects.toThrow();
  expect((await push(receiver.urlOf('/run/6'), Buffer.from('x'))).status).toBe(200);
  expect(receiver.pushesTo('/run/6')).toHaveLength(2);
});

test('delays an answer, and skips it if the sender has given up', async () => {
  await using receiver = await open();
  receiver.answer('/run/7', [{ heldMs: 500, last: { status: 500 } }]);
  const url = receiver.urlOf('/run/7');
  const giveUp = new AbortController();
  const givenUp = fetch(url, { method: 'POST', signal: giveUp.signal }).catch((error: Error) => error.name);
  await vi.waitFor(() => expect(receiver.wasVisited('/run/7')).toBe(true), { interval: 5 });
  giveUp.abort();
  expect(await givenUp).toBe('AbortError');
  expect((await push(url, Buffer.from('x'))).status).toBe(500);
  expect(receiver.pushesTo('/run/7').map(({ answered }) => answered)).toEqual([0, 500]);
});

test('reserves an address that is closed until it is opened', async () => {
  await using receiver = await open();
  const reserved = await receiver.reserve('/run/3');
  await expect(push(reserved.url, Buffer.from('early'))).rejects.toThrow();
  await reserved.open();
  await push(reserved.url, Buffer.from('late'));
  expect(receiver.pushesTo('/run/3').map(({ body }) => body.toString())).toEqual(['late']);
});

test.for([
  ['http://hooks.example.com', '/run/1', '/run/1'],
  ['http://hooks.example.com/tunnel/7', '/run/1', '/tunnel/7/run/1'],
  ['http://hooks.example.com/tunnel/7/', '/run/1', '/tunnel/7/run/1'],
  ['http://hooks.example.com/tunnel/7', '/run/1', '/run/1'],
] as const)('behind %s, %s arrives as %s', async ([url, path, arriving]) => {
  const listen = `127.0.0.1:${await freePort()}`;
  await using receiver = await open({ listen, url });
  await push(`http://${listen}${arriving}`, Buffer.from('x'));
  expect(receiver.urlOf(path)).toBe(`${url.replace(/\/$/, '')}${path}`);
  expect(receiver.pushesTo(path)).toHaveLength(1);
});

test('answers a probe with its nonce without counting it as a push', async () => {
  await using receiver = await open();
  const response = await push(receiver.urlOf('/sitepub/probe/n0nce'), Buffer.from(''));
  expect(await response.text()).toBe('n0nce');
  expect(receiver.wasReached()).toBe(false);
});

test('says what to do if the port is in use', async () => {
  await using receiver = await open();
  const listen = new URL(receiver.urlOf('/')).host;
  await expect(startReceiver({ listen })).rejects.toStrictEqual(
    new ReceiverError(
      `the webhook receiver cannot listen on ${listen} (EADDRINUSE); choose another --receiver-listen`,
    ),
  );
});

async function open(options: Parameters<typeof startReceiver>[0] = {}) {
  const receiver = await startReceiver(options);
  return { ...receiver, [Symbol.asyncDispose]: () => receiver.close() };
}

function push(url: string, body: Buffer): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new Uint8Array(body),
    headers: { 'X-Webhook-Event': 'form.submit' },
  });
}

async function statusesOf(count: number, url: string, body = Buffer.from('x')): Promise<number[]> {
  return Array.fromAsync(Array(count), async () => (await push(url, body)).status);
}

async function freePort(): Promise<number> {
  await using probe = await listenTo(createServer());
  return probe.port;
}
