// The API reference at /docs, which is not part of the traffic of the service.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Subject } from './describe.ts';

/** The documents are loaded on the first request, so that the start of the mock does not wait for them. */
export function serveDocs(app: FastifyInstance, subject: Subject): void {
  const answer = async ({ raw }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { findDocument } = await import('./documents.ts');
    const [path = ''] = raw.url?.split('?') ?? [];
    const { status, headers, body } = findDocument(path, subject);
    return reply.code(status).headers(headers).send(body);
  };
  for (const url of ['/docs', '/docs/*']) app.route({ method: ['GET', 'HEAD'], url, handler: answer });
}
