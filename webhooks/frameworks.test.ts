import type { FastifyInstance, FastifyPluginAsync, InjectOptions } from 'fastify';
import Fastify from 'fastify';
import { expect, expectTypeOf, test } from 'vitest';
import { fastifyWebhooks } from './fastify.ts';
import { createFetchHandler } from './fetch.ts';
import type { ReceiverOptions } from './receive.ts';
import { event, headersOf, secret, text } from './testing.ts';

type Headers = Record<string, string>;
type Answer = Awaited<ReturnType<FastifyInstance['inject']>>;

function openApp(options: Partial<ReceiverOptions> = {}) {
  const seen: unknown[] = [];
  const app: FastifyInstance = Fastify();
  const onEvent = async (one: unknown) => void seen.push(one);
  const plugin: FastifyPluginAsync<ReceiverOptions> = fastifyWebhooks;
  app.register(plugin, { prefix: '/webhooks', secret, onEvent, ...options });
  app.post('/echo', ({ body }, reply) => reply.send(body));
  const inject = async (options: InjectOptions): Promise<Answer> => app.inject(options);
  const post = (payload: string | Buffer, headers: Headers = headersOf(payload)) =>
    inject({ method: 'POST', url: '/webhooks', payload, headers });
  return { app, inject, post, seen };
}

test.for(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/octet-stream'])(
  'verifies the bytes of %s and hands on the event',
  async (type) => {
    const { post, seen } = openApp();
    const pretty = JSON.stringify(event, null, 2);
    const answer = await post(pretty, { ...headersOf(pretty), 'content-type': type });
    expect([answer.statusCode, answer.json()]).toEqual([200, { received: true }]);
    expect(seen).toEqual([event]);
  },
);

test('accepts a push without a Content-Type', async () => {
  const answer = await openApp().post(Buffer.from(text), headersOf(text));
  expect(answer.statusCode).toBe(200);
});

test.for<[string, Headers, number, string]>([
  [text, headersOf('x'), 401, 'mismatch'],
  ['', headersOf(''), 400, 'not-an-event'],
])('answers %j with %j: %i', async ([body, headers, status, error]) => {
  const { post, seen } = openApp();
  const answer = await post(body, { ...headers, 'content-type': 'application/json' });
  expect([answer.statusCode, answer.json().error]).toEqual([status, error]);
  expect(seen).toEqual([]);
});

test('does not change the parsers of the rest of the application', async () => {
  const { inject } = openApp();
  const answer = await inject({ method: 'POST', url: '/echo', payload: { a: 1 } });
  expect(answer.json()).toEqual({ a: 1 });
});

test('refuses a body longer than the limit with 413', async () => {
  const { post } = openApp({ maxBytes: 10 });
  expect((await post(text)).statusCode).toBe(413);
});

test('answers 500 to an error of onEvent', async () => {
  const { post } = openApp({ onEvent: () => Promise.reject(new Error('the queue is full')) });
  expect((await post(text)).statusCode).toBe(500);
});

test('throws without a secret', async () => {
  const { app } = openApp({ secret: [] });
  await expect(app.ready()).rejects.toThrow('needs the signing secret');
});

test('passes on identifiers with the configured type', async () => {
  const seen: string[] = [];
  const app = Fastify();
  await app.register<ReceiverOptions<'string'>>(fastifyWebhooks, {
    prefix: '/webhooks',
    secret,
    ids: 'string',
    onEvent: ({ site_id: site }) => void seen.push(site),
  });
  // Without the option, the plugin determines the type.
  await app.register(fastifyWebhooks, {
    prefix: '/plain',
    secret,
    onEvent: ({ site_id }) => void expectTypeOf(site_id).toEqualTypeOf<number>(),
  });
  const payload = text.replace('101', '1892345678901234567');
  const headers = { ...headersOf(payload), 'content-type': 'application/json' };
  const post = async (): Promise<Answer> =>
    app.inject({ method: 'POST', url: '/webhooks', payload, headers });
  expect((await post()).statusCode).toBe(200);
  expect(seen).toEqual(['1892345678901234567']);
});

const url = 'https://example.com/webhooks';

function openHandler(options: Partial<ReceiverOptions> = {}) {
  const seen: unknown[][] = [];
  const onEvent = (...given: unknown[]) => void seen.push(given);
  const handle = createFetchHandler({ secret, onEvent, ...options });
  const send = (body: string, headers: Record<string, string>) =>
    handle(new Request(url, { method: 'POST', body, headers }));
  return { handle, seen, send };
}

test('passes on an event and answers 200', async () => {
  const { send, seen } = openHandler();
  const answer = await send(text, headersOf(text));
  expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(seen).toEqual([[event, { idempotencyKey: expect.stringMatching(/^[\da-f]{64}$/), secretIndex: 0 }]]);
});

test.for([
  ['no signature', text, {}, 401, 'missing-header'],
  ['another algorithm', text, { 'x-webhook-signature': 'sha1=00' }, 401, 'malformed-header'],
  ['another secret', text, headersOf(text, 'other'), 401, 'mismatch'],
  ['no event', '[]', headersOf('[]'), 400, 'not-an-event'],
  ['an empty body', '', headersOf(''), 400, 'not-an-event'],
] as const)('refuses %s and does not pass on the event', async ([, body, headers, status, reason]) => {
  const rejected: string[] = [];
  const { send, seen } = openHandler({ onRejected: (error) => void rejected.push(error.reason) });
  const answer = await send(body, headers);
  expect([answer.status, await answer.json()]).toEqual([
    status,
    { error: reason, message: expect.any(String) },
  ]);
  expect(seen).toEqual([]);
  expect(rejected).toEqual([reason]);
});

test.for([
  ['no body as an empty one', null],
  ['bytes that are not UTF-8 unchanged', Buffer.from([0x22, 0xff, 0x22])],
] as const)('verifies %s', async ([, body]) => {
  const request = new Request(url, { method: 'POST', body, headers: headersOf(body ?? '') });
  expect(await (await openHandler().handle(request)).json()).toMatchObject({ error: 'not-an-event' });
});

test('refuses a body longer than the limit with 413, and accepts the longest one', async () => {
  const limit = Buffer.byteLength(text);
  const { send } = openHandler({ maxBytes: limit });
  expect((await send(text, headersOf(text))).status).toBe(200);
  expect((await send(`${text} `, headersOf(`${text} `))).status).toBe(413);
});

test('answers 405 to another method', async () => {
  const answer = await openHandler().handle(new Request(url));
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
});

test('throws TypeError if the request was read before', async () => {
  const { handle } = openHandler();
  const request = new Request(url, { method: 'POST', body: text, headers: headersOf(text) });
  await request.json();
  await expect(handle(request)).rejects.toThrow('the body was read before the webhook handler');
});

test('throws the error of onEvent, so that the sender retries', async () => {
  const { send } = openHandler({ onEvent: () => Promise.reject(new Error('the queue is full')) });
  await expect(send(text, headersOf(text))).rejects.toThrow('the queue is full');
});

test('can be created without a secret, but rejects every push', async () => {
  const { send } = openHandler({ secret: '' });
  await expect(send(text, headersOf(text))).rejects.toThrow('needs the signing secret');
});
