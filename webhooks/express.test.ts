// On `node:http` alone; examples/express-receiver has Express itself.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text as readText } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createExpressHandler } from './express.ts';
import type { ReceiverOptions } from './receive.ts';
import { event, headersOf, secret, text } from './testing.ts';

type Body = { body?: unknown };
type Before = (request: IncomingMessage & Body) => Promise<void>;

/** A server whose requests a parser may have read before. */
async function openServer(options: Partial<ReceiverOptions> = {}, before: Before = async () => {}) {
  const seen: unknown[] = [];
  const errors: unknown[] = [];
  const handle = createExpressHandler({ secret, onEvent: (one) => void seen.push(one), ...options });
  const server = createServer(async (request, response) => {
    await before(request);
    await handle(request, response, (error) => {
      errors.push(error);
      response.writeHead(500).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const post = (body: string | Buffer, headers = headersOf(body)) =>
    fetch(url, { method: 'POST', body, headers });
  return { url, seen, errors, post, [Symbol.dispose]: () => void server.close() };
}

test('reads the raw body itself, and hands on the event', async () => {
  using server = await openServer();
  const answer = await server.post(text);
  expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(server.seen).toEqual([event]);
});

test.for([
  [text, {}, 401],
  [text, headersOf('x'), 401],
  ['[]', headersOf('[]'), 400],
  ['', headersOf(''), 400],
] as const)('%j with %j is answered %i', async ([body, headers, status]) => {
  using server = await openServer();
  expect((await server.post(body, headers)).status).toBe(status);
  expect([server.seen, server.errors]).toEqual([[], []]);
});

test('takes the bytes that express.raw() has left', async () => {
  using server = await openServer({}, async (request) => {
    request.body = Buffer.concat(await Array.fromAsync(request));
  });
  expect((await server.post(text)).status).toBe(200);
});

test.for<[string, (bytes: Buffer) => unknown]>([
  ['bytes', (bytes) => bytes],
  ['an array buffer', (bytes) => new Uint8Array(bytes).buffer],
  ['a text', (bytes) => bytes.toString()],
])('the limit holds for %s that were read before', async ([, leave]) => {
  const body = JSON.stringify({ ...event, site_name: '漢'.repeat(100) });
  const before: Before = async (request) => {
    request.body = leave(Buffer.concat(await Array.fromAsync(request)));
  };
  const size = Buffer.byteLength(body);
  using exact = await openServer({ maxBytes: size }, before);
  expect((await exact.post(body)).status).toBe(200);
  using less = await openServer({ maxBytes: size - 1 }, before);
  expect([(await less.post(body)).status, less.seen, less.errors]).toEqual([413, [], []]);
});

test.for<[string, Before]>([
  ['parsed', async (request) => void Object.assign(request, { body: await json(request) })],
  ['read and left nowhere', async (request) => void (await readText(request))],
])('a body that was %s is handed on as an error of the receiver', async ([, before]) => {
  using server = await openServer({}, before);
  expect((await server.post(text)).status).toBe(500);
  expect(server.errors).toEqual([expect.objectContaining({ reason: 'wrong-body-type' })]);
  expect(String(server.errors[0])).toContain('pass the raw body, not the parsed one');
});

test('an empty object that a parser has left without reading does not stand in the way', async () => {
  using server = await openServer({}, async (request) => void Object.assign(request, { body: {} }));
  expect((await server.post(text)).status).toBe(200);
});

test('what is longer than the limit is refused with 413, what is as long is taken', async () => {
  using server = await openServer({ maxBytes: 500_000 });
  const of = (length: number) => JSON.stringify({ ...event, data: { text: 'x'.repeat(length) } });
  const room = 500_000 - of(0).length - 8;
  expect((await server.post(of(room))).status).toBe(200);
  expect((await server.post(of(room + 500_000))).status).toBe(413);
  expect(server.seen).toHaveLength(1);
});

test('what the handler of events throws is handed on', async () => {
  using server = await openServer({ onEvent: () => Promise.reject(new Error('the queue is full')) });
  expect((await server.post(text)).status).toBe(500);
  expect(server.errors).toEqual([new Error('the queue is full')]);
});

test('without anybody to hand it on to, the answer is 500', async () => {
  const handle = createExpressHandler({ secret, onEvent: () => Promise.reject(new Error('no')) });
  await using server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect((await fetch(url, { method: 'POST', body: text, headers: headersOf(text) })).status).toBe(500);
});

test('a sender that breaks off leaves the receiver as it was', async () => {
  const arrived = Promise.withResolvers<void>();
  using server = await openServer({}, async () => arrived.resolve());
  const broken = send(server.url, { method: 'POST', headers: { 'content-length': '1000' } });
  broken.on('error', () => {});
  broken.write('{');
  await arrived.promise;
  broken.destroy();
  await expect
    .poll(() => server.errors, { timeout: 10_000 })
    .toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
  expect((await server.post(text)).status).toBe(200);
});

test('is not made without a secret', () => {
  expect(() => createExpressHandler({ secret: '', onEvent: () => {} })).toThrow('needs the signing secret');
});
