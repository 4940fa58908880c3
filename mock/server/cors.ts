// CORS, with credentials, for the service but never for the control API. Hand-written, because requests without a route also need it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeLeniently } from '../../openapi/template.ts';

/** Returns true after answering a preflight request; otherwise only sets the headers of the answer. */
export function meetPage(
  { method, headers, originalUrl }: Pick<FastifyRequest, 'method' | 'headers' | 'originalUrl'>,
  reply: FastifyReply,
): boolean {
  if (isAboutControl(originalUrl)) return false;
  reply.headers(corsHeaders(headers.origin));
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
  const { 'access-control-request-headers': wanted, 'access-control-request-private-network': isNear } =
    headers;
  const allowed = {
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-max-age': '600',
    vary: 'Origin, Access-Control-Request-Headers',
    ...(wanted !== undefined && { 'access-control-allow-headers': wanted }),
    ...(isNear !== undefined && { 'access-control-allow-private-network': 'true' }),
  };
  reply.code(204).headers(allowed).send();
  return true;
}

function corsHeaders(origin: string | undefined): Record<string, string> {
  const allowed = origin !== undefined && {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'Retry-After, WWW-Authenticate, Allow',
  };
  return { vary: 'Origin', ...allowed };
}

/** Reads the last bytes of a request that Node could not parse; any origin may read the answer if its origin is unknown. */
export function corsHeadersOf({ rawPacket }: { rawPacket?: unknown }): Record<string, string> {
  const sent = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
  const [head = ''] = sent.split('\r\n\r\n');
  const [, url = ''] = /^[A-Z]+ (\S+)/.exec(head) ?? [];
  const [, origin] = /^origin:[ \t]*([!-~]+)[ \t]*$/im.exec(head) ?? [];
  return isAboutControl(url) ? {} : { 'access-control-allow-origin': '*', ...corsHeaders(origin) };
}

/** In any world: no path of the service has the segment `_mock`. */
function isAboutControl(url: string): boolean {
  const [path = ''] = url.split(/[?#]/);
  return path.split('/').some((segment) => decodeLeniently(segment).split('/').includes('_mock'));
}
