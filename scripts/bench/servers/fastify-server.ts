// Fastify with the same request and response schemas and a constant answer.
import SwaggerParser from '@apidevtools/swagger-parser';
import fastify from 'fastify';
import type { Description } from '../../../openapi/description.ts';
import { operationsOf, schemaAt } from '../../../openapi/operations.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { basePath, subscription } from '../calls.ts';
import { serve } from '../server.ts';

const constants: Readonly<Record<string, object>> = {
  login: { token: 'st_8c1f0e3b5a7d4f608c1f0e3b5a7d4f60' },
  createSubscription: { ...subscription, secret: undefined, id: 42 },
};

const description = resolve(loadProfile('default'));
const inlined = (await SwaggerParser.dereference(
  structuredClone(description) as never,
)) as unknown as Description;
// Our x- extensions are not JSON Schema keywords.
const app = fastify({ ajv: { customOptions: { strict: false } } });
for (const { id, request, success, parameters, path, method } of operationsOf(description)) {
  const data = constants[id];
  if (!data || !request) continue;
  const at = (reference: string) => schemaAt(inlined, reference);
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, at(schema)]));
  app.route({
    method,
    url: basePath + path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: {
      body: at(request.schema),
      params: { type: 'object', properties },
      response: { [success.status]: at(success.schema) },
    },
    handler: async (_request, reply) =>
      reply.code(success.status).send({ code: 0, message: 'success', trace_id: '4bf92f3577b34da6', data }),
  });
}
// biome-ignore lint/nursery/useAwaitThenable: Fastify's overload without a callback returns a promise
await app.listen({ port: 0, host: '127.0.0.1' });
serve(app.listeningOrigin, {});
