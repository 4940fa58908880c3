// The operations of a resolved description: how each is called, and where in its bodies the values are.

import { type Description, dereference } from './description.ts';
import type { operations as GeneratedOperations } from './generated/types.ts';
import type { Json } from './json.ts';
import { formatPointer, getAt } from './json-pointer.ts';
import { type Layout, layoutOf } from './layout.ts';
import { type Parameter, parametersOf, type QueryParameter } from './parameters.ts';
import { methods } from './resolve.ts';
import { fillTemplate, readSlots, type Slot, slotsOf, type Template } from './template.ts';

export { readLayout, writeLayout } from './layout.ts';

/** `operationId` of an operation under `paths`. */
export type OperationId = Exclude<keyof GeneratedOperations, `push${string}`>;

/** One operation of a deployment. References are JSON Pointers into the description it was read from. */
export interface Operation {
  id: OperationId;
  method: string;
  path: string;
  auth: 'bearer' | 'none';
  /** The operation gap that says how it is called; undefined for a documented operation. */
  gap: string | undefined;
  /** `slots` are those of `template`. */
  request: { schema: string; required: boolean; template: Template; slots: readonly Slot[] } | undefined;
  /** The parameters in the path. */
  parameters: readonly Parameter[];
  /** The optional parameters in the query; absent when the profile states none. */
  query?: readonly QueryParameter[];
  success: { status: number; schema: string; layout: Layout };
}

/** All operations of a resolved description. */
export function operationsOf(description: Description): Operation[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => readOperation(description, path, method)),
  );
}

/** A request body with the values where the deployment expects them; undefined when the operation has none. */
export function writeRequest(operation: Operation, values: Readonly<Record<string, unknown>>): unknown {
  return operation.request && fillTemplate(operation.request.template, values);
}

/** The values that a request body holds, by name. */
export function readRequest(operation: Operation, body: unknown): Record<string, unknown> {
  return operation.request ? readSlots(operation.request.slots, body) : {};
}

/** The values that a query holds, by name. A whole number is read as a number; other text is left for the schema to check. */
export function readQuery({ query = [] }: Operation, search: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, parameter } of query) {
    const text = search.get(parameter);
    if (text !== null) values[name] = /^-?\d+$/.test(text) ? Number(text) : text;
  }
  return values;
}

/** A query, with its "?", that holds the given values; "" when there is none. */
export function writeQuery({ query = [] }: Operation, values: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const { name, parameter } of query) {
    if (values[name] !== undefined) search.append(parameter, String(values[name]));
  }
  return search.size > 0 ? `?${search}` : '';
}

/** The schema that a reference of an operation points at. */
export function schemaAt(description: Description, reference: string): Json {
  return getAt(description, reference) as Json;
}

function readOperation(description: Description, path: string, method: string): Operation {
  const at = formatPointer(['paths', path, method]);
  const operation = getAt(description, at) as Json;
  const body = operation.requestBody as { required?: boolean; content: Json } | undefined;
  const bodySchema = `${at}/requestBody/content/application~1json/schema`;
  const template = body && templateOf(description, getAt(description, bodySchema) as Json);
  const [status, success] = successOf(operation);
  const answer = `${at}/responses/${status}/content/application~1json/schema`;
  const schema = getAt(success, '/content/application~1json/schema/oneOf') ? `${answer}/oneOf/0` : answer;
  const gap = operation['x-gap'];
  return {
    id: operation.operationId as OperationId,
    method: method.toUpperCase(),
    path,
    auth: (operation.security as unknown[]).length > 0 ? 'bearer' : 'none',
    gap: typeof gap === 'string' ? gap : undefined,
    request: body && {
      schema: bodySchema,
      required: body.required ?? false,
      template,
      slots: slotsOf(template),
    },
    ...parametersOf(description, path, method),
    success: {
      status: Number(status),
      schema,
      layout: layoutOf(description, getAt(description, schema) as Json),
    },
  };
}

/** Only a success has a gap for its status; failures share `errors.http-status`. */
function successOf(operation: Json): [string, Json] {
  const responses = Object.entries(operation.responses as Record<string, Json>);
  const found = responses.find(
    ([, response]) => response['x-gap'] !== undefined && response.$ref === undefined,
  );
  if (!found) throw new Error(`operation ${String(operation.operationId)} describes no success`);
  return found;
}

/** The template of a body, derived from its schema: `x-value` (or a property's name) is a placeholder. */
function templateOf(description: Description, schema: Json, name?: string): Template {
  const node = dereference(description, schema);
  if (typeof node['x-template'] === 'string') return node['x-template'];
  if ('const' in node) return node.const;
  const value = schema['x-value'] ?? node['x-value'];
  if (value !== undefined) return `{${String(value)}}`;
  if (Array.isArray(node.prefixItems))
    return node.prefixItems.map((item) => templateOf(description, item as Json));
  const properties = Object.entries((node.properties ?? {}) as Record<string, Json>);
  if (properties.length === 0) return name === undefined || node.properties ? {} : `{${name}}`;
  return Object.fromEntries(properties.map(([key, part]) => [key, templateOf(description, part, key)]));
}
