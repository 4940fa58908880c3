import type { FastifyInstance } from 'fastify';
import { isControlPath } from '../http/paths.ts';
import type { Service } from '../service.ts';

/** Lets web pages of any origin call the service of an app (CORS), without cookies; never the control API, whose routes opt out. */
export async function allowBrowsers(app: FastifyInstance, { profile }: Service): Promise<void> {
  const { fastifyCors } = await import('@fastify/cors');
  // The plugin would treat every OPTIONS request as a preflight and answer it with an empty body.
  app.addHook('onRequest', async ({ method, headers, url, routeOptions }, reply) => {
    const isPlainOptions = method === 'OPTIONS' && !headers['access-control-request-method'];
    // Where the control API has a port of its own, there is none here.
    const isElsewhere = isControlPath(url) && !isControlPath(routeOptions.url ?? '');
    if (isElsewhere || (isPlainOptions && !isControlPath(routeOptions.url ?? ''))) reply.callNotFound();
  });
  await app.register(fastifyCors, {
    origin: '*',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Prefer',
      'X-Sitepub-World',
      profile.values['idempotency.key-header'],
    ],
    exposedHeaders: ['Retry-After', 'WWW-Authenticate'],
    maxAge: 600,
    strictPreflight: false,
  });
}
