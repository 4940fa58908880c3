import type { FastifyInstance } from 'fastify';
import type { Ids } from './identifiers.ts';
import { checkOptions, defaultMaxBytes, type ReceiverOptions, receive } from './receive.ts';

/**
 * A plugin with one route, `POST` at its prefix. It does not change the body parsers of the rest of the application.
 * Throws TypeError without a secret or for an unknown `ids`. With `ids`, pass `register` the type of the options, because
 * TypeScript infers it from the last signature.
 */
export function fastifyWebhooks<I extends Ids>(
  app: FastifyInstance,
  options: ReceiverOptions<I>,
): Promise<void>;
export function fastifyWebhooks(app: FastifyInstance, options: ReceiverOptions): Promise<void>;
export async function fastifyWebhooks(app: FastifyInstance, options: ReceiverOptions<Ids>): Promise<void> {
  checkOptions(options);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  const bodyLimit = options.maxBytes ?? defaultMaxBytes;
  app.post('/', { bodyLimit }, async ({ body, headers }, reply) => {
    const answer = await receive({ body: body ?? '', headers }, options);
    return reply.code(answer.status).type('application/json').send(answer.body);
  });
}
