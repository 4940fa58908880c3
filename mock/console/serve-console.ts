// The console at /_mock/console: static files without secrets. What the page shows it asks of the control API, which has its own guard.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { basePath } from '../http/paths.ts';
import { servePage } from '../http/serve-page.ts';

/** The page, its script and its style; they are read on the first request. */
export function serveConsole(app: FastifyInstance): void {
  servePage(app, '/_mock/console', async (name, headers) => {
    const { findAsset } = await import('./find-asset.ts');
    return name === '/' ? { status: 302, headers: { location: '../console' } } : findAsset(name, headers);
  });
}

/**
 * A browser that asks for `/` is led to the console, relative to where it is, or to the control API that listens elsewhere; others are told
 * where things are, as who waits for a server asks for nothing but this.
 */
export function serveRoot(
  app: FastifyInstance,
  addresses: () => { baseUrl: string; controlUrl: string },
  isControlElsewhere: boolean,
): void {
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { baseUrl, controlUrl } = addresses();
    if (!wantsPage(request))
      return reply.send({
        base_url: baseUrl,
        control_url: controlUrl,
        console_url: `${controlUrl}/console`,
        docs_url: `${baseUrl.slice(0, -basePath.length)}/docs`,
      });
    return reply.redirect(`${isControlElsewhere ? withHostOf(request, controlUrl) : '_mock'}/console`);
  };
  app.route({ method: ['GET', 'HEAD'], url: '/', handler: answer });
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
