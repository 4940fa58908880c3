import Fastify, { type FastifyInstance, type FastifyPluginAsync, type InjectOptions } from 'fastify';
import { expect, expectTypeOf, test } from 'vitest';
import { fastifyWebhooks } from './fastify.ts';
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

test('takes a push whose type is not stated', async () => {
  const answer = await openApp().post(Buffer.from(text), headersOf(text));
  expect(answer.statusCode).toBe(200);
});

test.for<[string, Headers, number, string]>([
  [text, {}, 401, 'missing-header'],
  [text, headersOf('x'), 401, 'mismatch'],
  ['[]', headersOf('[]'), 400, 'not-an-event'],
  ['', headersOf(''), 400, 'not-an-event'],
])('%j with %j is answered %i', async ([body, headers, status, error]) => {
  const { post, seen } = openApp();
  const answer = await post(body, { ...headers, 'content-type': 'application/json' });
  expect([answer.statusCode, answer.json().error]).toEqual([status, error]);
  expect(seen).toEqual([]);
});

test('the rest of the application keeps its parsers', async () => {
  const { inject } = openApp();
  const answer = await inject({ method: 'POST', url: '/echo', payload: { a: 1 } });
  expect(answer.json()).toEqual({ a: 1 });
});

test('what is longer than the limit is refused with 413', async () => {
  const { post } = openApp({ maxBytes: 10 });
  expect((await post(text)).statusCode).toBe(413);
});

test('what the handler of events throws is answered 500', async () => {
  const { post } = openApp({ onEvent: () => Promise.reject(new Error('the queue is full')) });
  expect((await post(text)).statusCode).toBe(500);
});

test('is not made without a secret', async () => {
  const { app } = openApp({ secret: [] });
  await expect(app.ready()).rejects.toThrow('needs the signing secret');
});

test('hands on identifiers as it was told', async () => {
  const seen: string[] = [];
  const app = Fastify();
  await app.register<ReceiverOptions<'string'>>(fastifyWebhooks, {
    prefix: '/webhooks',
    secret,
    ids: 'string',
    onEvent: ({ site_id: site }) => void seen.push(site),
  });
  // Without the option, the type is told by the plugin.
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
