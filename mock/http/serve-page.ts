// The headers of a page allow it to load files only from this mock, and to connect only to it.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export interface PageFile {
  status: number;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

/** `name` is what follows the URL of the page, such as "/style.css"; "" for the page itself. */
type FindFile = (name: string, headers: IncomingHttpHeaders) => Promise<PageFile>;

export function servePage(app: FastifyInstance, url: string, find: FindFile): void {
  const handler = async ({ raw }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = ''] = raw.url?.split('?') ?? [];
    const name = path.slice(path.indexOf(url) + url.length);
    const { status, headers, body } = await find(name, raw.headers);
    return reply.code(status).headers(headers).send(body);
  };
  for (const one of [url, `${url}/*`]) app.route({ method: ['GET', 'HEAD'], url: one, handler });
}

export function pageHeaders(type: string, style = ''): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${style}`.trimEnd(),
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': type,
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
}

export function noSuchFile(text: string): PageFile {
  return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
}
