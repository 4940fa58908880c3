// Bare Fastify: the same request and response schemas, a constant answer, and nothing else.
import fastify from 'fastify';
import { getAt } from '../../../openapi/json-pointer.ts';
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
const app = fastify();
for (const { id, request, success, parameters, path, method } of operationsOf(description)) {
  const data = constants[id];
  if (!data || !request) continue;
  const at = (reference: string) => inline(schemaAt(description, reference));
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

/** Replaces references by what they point at, and leaves out our marks. */
function inline(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inline);
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node) return inline(getAt(description, String(node.$ref).slice(1)));
  const entries = Object.entries(node).filter(([key]) => !key.startsWith('x-') && key !== 'examples');
  return Object.fromEntries(entries.map(([key, value]) => [key, inline(value)]));
}
