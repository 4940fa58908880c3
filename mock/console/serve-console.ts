// Static files without secrets: the page gets its data from the control API, which has its own guard.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { basePath } from '../http/paths.ts';
import { servePage } from '../http/serve-page.ts';

export function serveConsole(app: FastifyInstance): void {
  servePage(app, '/_mock/console', async (name, headers) => {
    const { findAsset } = await import('./find-asset.ts');
    return name === '/' ? { status: 302, headers: { location: '../console' } } : findAsset(name, headers);
  });
}

/** Redirects browsers to the console; tools that poll `/` until a server is up get the addresses as JSON. */
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

/** A mock in a container does not know its public name, so the host is the browser's. */
function withHostOf({ headers }: FastifyRequest, controlUrl: string): string {
  const [, name] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{0,5})?$/i.exec(headers.host ?? '') ?? [];
  const url = new URL(controlUrl);
  if (name !== undefined) url.hostname = name;
  return url.href;
}
