// Bare Fastify: the same request and response schemas, a constant answer, and nothing else.
import fastify from 'fastify';
import type { OperationId } from '../../../openapi/operations.ts';
import { basePath } from '../calls.ts';
import { constantAnswers } from '../constants.ts';
import { schemasOf } from '../schemas.ts';
import { serve } from '../serve.ts';

const ids: readonly OperationId[] = ['login', 'createSubscription'];

const app = fastify();
for (const id of ids) {
  const { operation, body, params, answer } = schemasOf(id);
  const constant = constantAnswers[id];
  app.route({
    method: operation.method,
    url: basePath + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: { body, params, response: { [operation.success.status]: answer } },
    handler: async (_request, reply) => reply.code(operation.success.status).send(constant),
  });
}
// biome-ignore lint/nursery/useAwaitThenable: Fastify's overload without a callback returns a promise
await app.listen({ port: 0, host: '127.0.0.1' });
serve({ origin: app.listeningOrigin });
