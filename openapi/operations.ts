// The operations of a resolved description: how each is called, and where in its bodies the values stand.
import type { operations as GeneratedOperations } from './generated/types.ts';
import { formatPointer, getAt, setAt } from './json-pointer.ts';
import type { Json } from './registers.ts';
import { type Description, methods } from './resolve.ts';
import { fillTemplate, readTemplate, type Template } from './template.ts';

/** `operationId` of an operation under `paths`. */
export type OperationId = Exclude<keyof GeneratedOperations, `push${string}`>;

/** Where values stand in a body: JSON Pointer by name. `items` are those within each item of the list `list`. */
export interface Layout {
  values: Readonly<Record<string, string>>;
  items: Readonly<Record<string, string>>;
}

/** One operation of a deployment. References are JSON Pointers into the description it was read from. */
export interface Operation {
  id: OperationId;
  method: string;
  path: string;
  auth: 'bearer' | 'none';
  /** The operation gap that says how it is called; undefined for a documented operation. */
  gap: string | undefined;
  request: { schema: string; required: boolean; template: Template } | undefined;
  parameters: readonly { name: string; schema: string }[];
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

/** A request body that holds the values where the deployment wants them; undefined where the operation takes none. */
export function writeRequest(operation: Operation, values: Readonly<Record<string, unknown>>): unknown {
  return operation.request && fillTemplate(operation.request.template, values);
}

/** The values that a request body holds, by name. */
export function readRequest(operation: Operation, body: unknown): Record<string, unknown> {
  return operation.request ? readTemplate(operation.request.template, body) : {};
}

/** Puts values, by name, where a deployment's answer has them; values that it does not show are left out. */
export function writeLayout(layout: Layout, values: Readonly<Record<string, unknown>>, body: object): void {
  for (const [name, pointer] of Object.entries(layout.values)) {
    const value = values[name];
    if (value === undefined) continue;
    setAt(
      body,
      pointer,
      name === 'list' && Array.isArray(value) ? value.map((item) => writeItem(layout, item)) : value,
    );
  }
}

/** The values that an answer holds, by name. */
export function readLayout(layout: Layout, body: unknown): Record<string, unknown> {
  const entries = Object.entries(layout.values).map(
    ([name, pointer]) => [name, getAt(body, pointer)] as const,
  );
  const values = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  if (Array.isArray(values.list)) values.list = values.list.map((item) => readItem(layout, item));
  return values;
}

/** What a reference of an operation points at. */
export function schemaAt(description: Description, reference: string): Json {
  return getAt(description, reference) as Json;
}

function writeItem(layout: Layout, values: Readonly<Record<string, unknown>>): object {
  const item = {};
  writeLayout({ values: layout.items, items: {} }, values, item);
  return item;
}

function readItem(layout: Layout, item: unknown): Record<string, unknown> {
  return readLayout({ values: layout.items, items: {} }, item);
}

function readOperation(description: Description, path: string, method: string): Operation {
  const at = formatPointer(['paths', path, method]);
  const operation = getAt(description, at) as Json;
  const body = operation.requestBody as { required?: boolean; content: Json } | undefined;
  const bodySchema = `${at}/requestBody/content/application~1json/schema`;
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
      template: templateOf(description, getAt(description, bodySchema) as Json),
    },
    parameters: parametersOf(description, path, method),
    success: {
      status: Number(status),
      schema,
      layout: layoutOf(description, getAt(description, schema) as Json),
    },
  };
}

/** Only the success has a gap of its own for its status; failures share `errors.http-status`. */
function successOf(operation: Json): [string, Json] {
  const responses = Object.entries(operation.responses as Record<string, Json>);
  const found = responses.find(
    ([, response]) => response['x-gap'] !== undefined && response.$ref === undefined,
  );
  if (!found) throw new Error(`operation ${String(operation.operationId)} describes no success`);
  return found;
}

function parametersOf(description: Description, path: string, method: string): Operation['parameters'] {
  const holders = [formatPointer(['paths', path]), formatPointer(['paths', path, method])];
  const parameters = holders.flatMap((holder) => {
    const stated = (getAt(description, `${holder}/parameters`) ?? []) as Json[];
    return stated.map((parameter, index) => {
      const own = `${holder}/parameters/${index}`;
      const reference = typeof parameter.$ref === 'string' ? parameter.$ref.slice(1) : own;
      return { name: String((getAt(description, reference) as Json).name), schema: `${reference}/schema` };
    });
  });
  // A parameter of the operation stands before one of the same name that its path has.
  return [...new Map(parameters.map((parameter) => [parameter.name, parameter])).values()];
}

/** The template of a body, read back from its schema: `x-value` (or a property's own name) is a placeholder. */
function templateOf(description: Description, schema: Json, name?: string): Template {
  const node = follow(description, schema);
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

const envelopeFields = ['code', 'message', 'trace_id'];

function layoutOf(description: Description, schema: Json): Layout {
  const places = placesIn(description, schema, []);
  const own = places.filter(({ name }) => !name.startsWith('item.'));
  const items = places.filter(({ name }) => name.startsWith('item.'));
  return {
    values: Object.fromEntries(own.map(({ name, pointer }) => [name, pointer])),
    items: Object.fromEntries(items.map(({ name, pointer }) => [name.slice('item.'.length), pointer])),
  };
}

interface NamedPlace {
  name: string;
  pointer: string;
}

function placesIn(description: Description, schema: Json, at: string[]): NamedPlace[] {
  const node = follow(description, schema);
  const name = schema['x-value'] ?? node['x-value'];
  const items = node.items ? placesIn(description, node.items as Json, []) : [];
  if (name !== undefined) return [{ name: String(name), pointer: formatPointer(at) }, ...items];
  const children = [
    ...Object.entries((node.properties ?? {}) as Json),
    ...Object.entries((node.prefixItems ?? {}) as Json),
  ];
  const last = at.at(-1);
  if (children.length === 0) {
    const isEmpty = last === undefined || last === 'data' || Object.keys(node).length === 0;
    return isEmpty ? [] : [{ name: last, pointer: formatPointer(at) }];
  }
  return children
    .filter(([key]) => at.length > 0 || !envelopeFields.includes(key))
    .flatMap(([key, part]) => placesIn(description, part as Json, [...at, key]));
}

function follow(description: Description, schema: Json): Json {
  return typeof schema.$ref === 'string' ? (getAt(description, schema.$ref.slice(1)) as Json) : schema;
}
