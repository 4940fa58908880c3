// The backend of the page: it stores the session tokens and the API key, and forwards calls to the service. The browser never gets them.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { fastifyWebhooks } from 'sitepub/webhooks/fastify';
import { createSessions, send } from './sessions.ts';

export interface BackendOptions {
  /** The base address of the service. */
  baseUrl: string;
  /** For what the backend does by itself. */
  apiKey: string;
  /** Default: one that is free. */
  port?: number;
}

export async function startBackend({ baseUrl, apiKey, port = 0 }: BackendOptions) {
  const app = fastify({ forceCloseConnections: true });
  const sessions = createSessions(baseUrl);
  const readers = new Set<ServerResponse>();
  const secret = randomBytes(24).toString('hex');

  app.post('/session', async ({ body }, reply) => {
    const { id, status, envelope } = await sessions.open(body);
    if (id !== undefined) reply.header('set-cookie', `session=${id}; HttpOnly; SameSite=Strict; Path=/`);
    const { data: _token, ...shown } = envelope;
    return reply.code(status).send(shown);
  });
  app.delete('/session', async (request, reply) => {
    sessions.close(cookieOf(request));
    return reply.header('set-cookie', 'session=; Max-Age=0; Path=/').code(204).send();
  });
  // Only paths below /tenant/sites: only administrators of the tenant create keys, and only this backend gets tokens.
  app.all('/api/tenant/sites*', async (request, reply) => {
    const call = { method: request.method, path: request.url.slice('/api'.length), body: request.body };
    const answer = await sessions.pass(cookieOf(request), call);
    return answer ? reply.code(answer.status).send(answer.envelope) : askForLogin(reply);
  });
  app.get('/news', async (_request, reply) => {
    reply.hijack();
    reply.raw
      .writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      .write(':\n\n');
    readers.add(reply.raw);
    reply.raw.on('close', () => readers.delete(reply.raw));
  });
  await app.register(fastifyWebhooks, {
    prefix: '/webhooks',
    secret,
    onEvent: (event: { event: string; site_name: string }) => {
      const news = JSON.stringify({ event: event.event, site: event.site_name });
      for (const reader of readers) reader.write(`data: ${news}\n\n`);
    },
  });
  const root = fileURLToPath(new URL('../dist', import.meta.url));
  if (existsSync(root)) await app.register(fastifyStatic, { root });
  // biome-ignore lint/nursery/useAwaitThenable: Fastify's overload without a callback returns a promise
  const url = await app.listen({ port, host: '127.0.0.1' });

  /** Has the pushes of a site sent here, with the key. */
  async function subscribe(siteID: number): Promise<void> {
    const body = {
      url: `${url}/webhooks`,
      events: ['publish.complete', 'publish.failed'],
      channel: 'custom',
      secret,
    };
    const call = { method: 'POST', path: `/tenant/sites/${siteID}/webhooks`, body };
    const { envelope } = await send(baseUrl, call, apiKey);
    if (envelope.code !== 0)
      throw new Error(`no webhooks: ${envelope.message} (trace_id ${envelope.trace_id})`);
  }

  return { url, subscribe, close: () => app.close() };
}

function cookieOf({ headers }: FastifyRequest): string | undefined {
  return /(?:^|; )session=([\w-]+)/.exec(headers.cookie ?? '')?.[1];
}

function askForLogin(reply: FastifyReply): FastifyReply {
  return reply.code(401).send({ code: -1, message: 'please log in', trace_id: '' });
}
