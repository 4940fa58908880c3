import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.ts';

/** Lets web pages of any origin call an app (CORS), without cookies. */
export async function allowBrowsers(app: FastifyInstance, { profile }: Service): Promise<void> {
  const { fastifyCors } = await import('@fastify/cors');
  // The plugin would treat every OPTIONS request as a preflight and answer it with an empty body.
  app.addHook('onRequest', async ({ method, headers }, reply) => {
    if (method === 'OPTIONS' && !headers['access-control-request-method']) reply.callNotFound();
  });
  await app.register(fastifyCors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Prefer', profile.values['idempotency.key-header']],
    exposedHeaders: ['Retry-After', 'WWW-Authenticate'],
    maxAge: 600,
    strictPreflight: false,
  });
}
