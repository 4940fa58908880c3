// The schemas of the default profile's description, for servers that can't follow its references.
import type { Description } from '../../openapi/description.ts';
import type { Json } from '../../openapi/json.ts';
import { getAt } from '../../openapi/json-pointer.ts';
import { type Operation, type OperationId, operationsOf, schemaAt } from '../../openapi/operations.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { basePath } from './calls.ts';

interface RouteSchemas {
  operation: Operation;
  body: Json;
  params: Json;
  answer: Json;
}

export function schemasOf(id: OperationId): RouteSchemas {
  const description = resolve(loadProfile('default'));
  const operation = operationsOf(description).find((candidate) => candidate.id === id);
  if (!operation?.request) throw new Error(`the default profile has no ${id} with a body`);
  const at = (reference: string) => inlineReferences(description, schemaAt(description, reference)) as Json;
  const params = operation.parameters.map(({ name, schema }) => [name, at(schema)] as const);
  return {
    operation,
    body: at(operation.request.schema),
    params: { type: 'object', properties: Object.fromEntries(params) },
    answer: at(operation.success.schema),
  };
}

/** The description with the base path in its paths, for servers that ignore `servers`. */
export function rootedDescription(): Description {
  const { servers: _servers, ...description } = resolve(loadProfile('default'));
  const paths = Object.entries(description.paths).map(([path, item]) => [basePath + path, item] as const);
  return { ...description, paths: Object.fromEntries(paths) } as Description;
}

/** Replaces references by what they point at, and leaves out our marks. */
function inlineReferences(description: Description, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((item) => inlineReferences(description, item));
  if (typeof node !== 'object' || node === null) return node;
  if ('$ref' in node) return inlineReferences(description, getAt(description, String(node.$ref).slice(1)));
  const entries = Object.entries(node).filter(([key]) => !key.startsWith('x-') && key !== 'examples');
  return Object.fromEntries(entries.map(([key, value]) => [key, inlineReferences(description, value)]));
}
