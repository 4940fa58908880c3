// The console at /_mock/console: static files without secrets. What the page shows it asks of the control API, which has its own guard.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const pathOfConsole = '/_mock/console';

/** The page, its modules and its style; they are read on the first request. */
export function serveConsole(app: FastifyInstance): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { findAsset } = await import('./find-asset.ts');
    const [path = ''] = request.raw.url?.split('?') ?? [];
    const name = path.slice(path.indexOf(pathOfConsole) + pathOfConsole.length);
    if (name === '/') return reply.redirect('../console');
    const { status, headers, body } = findAsset(name.slice(1), request.headers);
    return reply.code(status).headers(headers).send(body);
  };
  for (const url of [pathOfConsole, `${pathOfConsole}/*`])
    app.route({ method: ['GET', 'HEAD'], url, handler: answer, config: { cors: false } });
}

/**
 * A browser that asks for `/` is led to the console, relative to where it is, or to the control API that listens elsewhere; others get the
 * answer that they would get without it.
 */
export function leadBrowsers(app: FastifyInstance, controlUrl?: () => string): void {
  app.get('/', { config: { cors: false } }, (request, reply) => {
    if (!wantsPage(request)) return reply.callNotFound();
    const place = controlUrl ? withHostOf(request, controlUrl()) : '_mock';
    return reply.redirect(`${place}/console`);
  });
}

function wantsPage({ headers }: FastifyRequest): boolean {
  return /(^|,)\s*text\/html\b/i.test(headers.accept ?? '');
}

/** By the name that the browser used: a mock in a container does not know it. */
function withHostOf({ headers }: FastifyRequest, controlUrl: string): string {
  const [, name] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{0,5})?$/i.exec(headers.host ?? '') ?? [];
  const url = new URL(controlUrl);
  if (name !== undefined) url.hostname = name;
  return url.href;
}
