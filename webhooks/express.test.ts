// Tests on `node:http`; examples/express-receiver uses Express.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text as readText } from 'node:stream/consumers';
import express from 'express';
import { expect, test } from 'vitest';
import { createExpressHandler } from './express.ts';
import type { ReceiverOptions } from './receive.ts';
import { event, headersOf, secret, text } from './testing.ts';

type Body = { body?: unknown; rawBody?: unknown };
type Before = (request: IncomingMessage & Body) => Promise<void>;

async function listen(listener: RequestListener) {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const post = (body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = headersOf(body)) =>
    fetch(url, { method: 'POST', body, headers });
  return { url, post, [Symbol.dispose]: () => void server.close() };
}

/** Starts a server; `before` may read the request like a parser. */
async function openServer(options: Partial<ReceiverOptions> = {}, before: Before = async () => {}) {
  const seen: unknown[] = [];
  const errors: unknown[] = [];
  const handle = createExpressHandler({ secret, onEvent: (one) => void seen.push(one), ...options });
  const server = await listen(async (request, response) => {
    await before(request);
    await handle(request, response, (error) => {
      errors.push(error);
      response.writeHead(500).end();
    });
  });
  return { ...server, seen, errors };
}

test('reads the raw body and passes the event on', async () => {
  using server = await openServer();
  const answer = await server.post(text);
  expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(server.seen).toEqual([event]);
});

test('answers 400 to an empty body', async () => {
  using server = await openServer();
  expect((await server.post('')).status).toBe(400);
  expect([server.seen, server.errors]).toEqual([[], []]);
});

test.for<[string, (bytes: Buffer) => unknown]>([
  ['bytes', (bytes) => bytes],
  ['an array buffer', (bytes) => new Uint8Array(bytes).buffer],
  ['a text', (bytes) => bytes.toString()],
])('applies the limit to %s that were read before', async ([, leave]) => {
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

/** Parses like NestJS with `rawBody: true`, Firebase and Cloud Functions. */
const keepRaw = (request: IncomingMessage & Body, _: unknown, bytes: Buffer) => {
  request.rawBody = bytes;
};

test.for<[string, string]>([
  ['JSON', 'application/json'],
  ['a form', 'application/x-www-form-urlencoded'],
  ['text', 'text/plain'],
  ['bytes', 'application/octet-stream'],
  ['what no parser takes', 'image/png'],
])('verifies the raw body that parsers store for %s', async ([, type]) => {
  const seen: unknown[] = [];
  const app = express();
  app.use(express.json({ verify: keepRaw }), express.urlencoded({ verify: keepRaw, extended: true }));
  app.use(express.text({ verify: keepRaw }), express.raw({ verify: keepRaw }));
  app.post('/', createExpressHandler({ secret, onEvent: (one) => void seen.push(one) }));
  using server = await listen(app);
  const odd = text.replace('7}', '7.0}').replace('"data"', '\n "data"');
  const post = (body: string, signed = body) =>
    server.post(body, { ...headersOf(signed), 'Content-Type': type });
  expect([(await post(odd)).status, (await post(`\ufeff${text}`)).status]).toEqual([200, 200]);
  expect((await post(odd, text)).status).toBe(401);
  expect(seen[0]).toEqual(event);
});

test.for<[string, (bytes: Buffer) => Body]>([
  ['bytes beside an object', (rawBody) => ({ rawBody, body: event })],
  ['a text beside an object', (bytes) => ({ rawBody: bytes.toString(), body: event })],
  ['bytes beside a decoded text', (rawBody) => ({ rawBody, body: 'x' })],
  ['only bytes', (rawBody) => ({ rawBody })],
  ['bytes, and a flag for the raw body', (body) => ({ rawBody: true, body })],
  ['bytes, and an object for the raw body', (body) => ({ rawBody: { ...event }, body })],
])('accepts %s from a parser', async ([, leave]) => {
  const before: Before = async (request) => {
    Object.assign(request, leave(Buffer.concat(await Array.fromAsync(request))));
  };
  using server = await openServer({ maxBytes: Buffer.byteLength(text) }, before);
  expect((await server.post(text)).status).toBe(200);
  expect((await server.post(text, headersOf('x'))).status).toBe(401);
  expect((await server.post(`${text} `)).status).toBe(413);
});

test.for<[string, Body]>([
  ['an incomplete raw body', { rawBody: '' }],
  ['an empty object from a parser that read nothing', { body: {} }],
])('reads the body despite %s', async ([, left]) => {
  using server = await openServer({}, async (request) => void Object.assign(request, left));
  expect((await server.post(text)).status).toBe(200);
});

test.for<[string, Before]>([
  ['parsed', async (request) => void Object.assign(request, { body: await json(request) })],
  ['read and left nowhere', async (request) => void (await readText(request))],
])('reports a body that was %s as an error of the receiver', async ([, before]) => {
  using server = await openServer({}, before);
  expect((await server.post(text)).status).toBe(500);
  expect(server.errors).toEqual([expect.objectContaining({ reason: 'wrong-body-type' })]);
  expect(String(server.errors[0])).toMatch(
    /a parser read the body .* mount the handler before express\.json\(\), .*rawBody: true/,
  );
});

test('refuses a body longer than the limit with 413, and accepts the longest one', async () => {
  using server = await openServer({ maxBytes: 500_000 });
  const of = (length: number) => JSON.stringify({ ...event, data: { text: 'x'.repeat(length) } });
  const room = 500_000 - of(0).length - 8;
  expect((await server.post(of(room))).status).toBe(200);
  expect((await server.post(of(room + 500_000))).status).toBe(413);
  expect(server.seen).toHaveLength(1);
});

test('passes on an error of onEvent', async () => {
  using server = await openServer({ onEvent: () => Promise.reject(new Error('the queue is full')) });
  expect((await server.post(text)).status).toBe(500);
  expect(server.errors).toEqual([new Error('the queue is full')]);
});

test('answers 500 without next()', async () => {
  const handle = createExpressHandler({ secret, onEvent: () => Promise.reject(new Error('no')) });
  using server = await listen((request, response) => void handle(request, response));
  expect((await server.post(text)).status).toBe(500);
});

test('answers that the body was parsed already, without next()', async () => {
  const handle = createExpressHandler({ secret, onEvent: () => {} });
  using server = await listen(async (request, response) => {
    await handle(Object.assign(request, { body: await json(request) }), response);
  });
  const answer = await server.post(text);
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { error: 'wrong-body-type', message: expect.stringContaining('mount the handler before express.json()') },
  ]);
});

test('works after a sender closed the connection', async () => {
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

test('passes on identifiers with the configured type', async () => {
  const seen: bigint[] = [];
  const onEvent = ({ site_id }: { site_id: bigint }) => void seen.push(site_id);
  using server = await listen(createExpressHandler({ secret, ids: 'bigint', onEvent }));
  const body = text.replace('101', '1892345678901234567');
  expect((await server.post(body)).status).toBe(200);
  expect(seen).toEqual([1892345678901234567n]);
});

test('throws without a secret', () => {
  expect(() => createExpressHandler({ secret: '', onEvent: () => {} })).toThrow('needs the signing secret');
});
