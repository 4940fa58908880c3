// Reads from a resolved description how operations are called and where their values are.
import { type Description, dereference } from './description.ts';
import type { operations as GeneratedOperations } from './generated/types.ts';
import type { Json } from './json.ts';
import { formatPointer, getAt } from './json-pointer.ts';
import { type Layout, layoutOf } from './layout.ts';
import { methods } from './resolve.ts';
import type { Sign } from './tell-apart.ts';
import { fillTemplate, placeholdersOf, readSlots, type Slot, slotsOf, type Template } from './template.ts';

export { readLayout, writeLayout } from './layout.ts';

/** Webhooks (`push…`) are not operations. */
export type OperationId = Exclude<keyof GeneratedOperations, `push${string}`>;

interface Parameter {
  name: string;
  /** JSON Pointer. */
  schema: string;
}

/** `parameter` is the deployment's name. */
export interface QueryParameter {
  parameter: string;
  /** A text with placeholders, or a constant. */
  template: string;
  isRequired: boolean;
  isNumber: boolean;
  /** JSON Pointer. */
  schema: string;
}

/** Each `schema` is a JSON Pointer into the description. */
export interface Operation {
  id: OperationId;
  method: string;
  path: string;
  /** `bearer` takes a session token or an API key. */
  auth: 'bearer' | 'session' | 'api-key' | 'none';
  /** Undefined for documented operations. */
  gap: string | undefined;
  /** Other operation gaps that this call also performs. */
  also?: readonly string[];
  /** Distinguish its requests from other operations with the same method and path. */
  signs?: readonly Sign[];
  request: { schema: string; required: boolean; template: Template; slots: readonly Slot[] } | undefined;
  parameters: readonly Parameter[];
  query?: readonly QueryParameter[];
  success: { status: number; schema: string; layout: Layout };
}

export function operationGap(id: OperationId): string {
  const name = id === 'askAi' ? 'ai' : id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `operation.${name}`;
}

export function operationsOf(description: Description): Operation[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .flatMap((method) => readOperations(description, path, method)),
  );
}

export function writeRequest(operation: Operation, values: Readonly<Record<string, unknown>>): unknown {
  return operation.request && fillTemplate(operation.request.template, values);
}

export function readRequest(operation: Operation, body: unknown): Record<string, unknown> {
  return operation.request ? readSlots(operation.request.slots, body) : {};
}

/** A text instead of a number remains a text, so that the schema rejects it. */
export function readQuery({ query = [] }: Operation, search: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const one of query) {
    const value = readParameter(one, search);
    if (value !== undefined) Object.assign(values, readSlots(slotsOf(one.template), value));
  }
  return values;
}

export function readParameter(
  { parameter, isNumber }: QueryParameter,
  search: URLSearchParams,
): string | number | undefined {
  const text = search.get(parameter) ?? undefined;
  return isNumber && text !== undefined && /^-?\d+$/.test(text) ? Number(text) : text;
}

export function writeQuery({ query = [] }: Operation, values: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const { parameter, template } of query) {
    const value = fillTemplate(template, values);
    if (value !== undefined) search.append(parameter, String(value));
  }
  return search.size > 0 ? `?${search}` : '';
}

export function namesIn({ path, query = [], request }: Operation): string[] {
  return placeholdersOf([path, query.map(({ template }) => template), request?.template]);
}

export function schemaAt(description: Description, reference: string): Json {
  return getAt(description, reference) as Json;
}

function readOperations(description: Description, path: string, method: string): Operation[] {
  const at = formatPointer(['paths', path, method]);
  const operation = getAt(description, at) as Json;
  const shared = operation['x-operations'];
  if (!shared) return [readOperation(description, { path, method, operation, own: at })];
  return Object.entries(shared).map(([operationId, part]) => {
    const whole = { ...operation, ...(part as Json), operationId };
    const own = `${at}/x-operations/${operationId}`;
    return readOperation(description, { path, method, operation: whole, own });
  });
}

interface Place {
  path: string;
  method: string;
  operation: Json;
  /** JSON Pointer to the operation object, or to its part of `x-operations`. */
  own: string;
}

function readOperation(description: Description, { path, method, operation, own }: Place): Operation {
  const { 'x-gap': gap, 'x-also': also, 'x-signs': signs } = operation;
  const item = formatPointer(['paths', path]);
  return {
    id: operation.operationId as OperationId,
    method: method.toUpperCase(),
    path,
    auth: authOf(operation.security as Json[], gap !== undefined),
    gap: typeof gap === 'string' ? gap : undefined,
    ...(Array.isArray(also) && { also }),
    ...(Array.isArray(signs) && { signs }),
    request: requestOf(description, `${item}/${method}`, operation),
    ...parametersOf(description, [item, own]),
    success: successOf(description, `${item}/${method}`, operation),
  };
}

function parametersOf(
  description: Description,
  holders: readonly string[],
): Pick<Operation, 'parameters' | 'query'> {
  const stated = holders.flatMap((holder) => statedParameters(description, holder));
  const inPath = stated
    .filter(({ parameter }) => parameter.in === 'path')
    .map(({ parameter, schema }) => ({ name: String(parameter.name), schema }));
  const query = stated.filter(({ parameter }) => parameter.in === 'query').map(queryParameter);
  return {
    // A parameter of the operation overrides a parameter of its path with the same name.
    parameters: [...new Map(inPath.map((parameter) => [parameter.name, parameter])).values()],
    ...(query.length > 0 && { query }),
  };
}

interface StatedParameter {
  parameter: Json;
  schema: string;
}

/** Follows references; `schema` is a JSON Pointer. */
export function statedParameters(description: Description, holder: string): StatedParameter[] {
  const stated = (getAt(description, `${holder}/parameters`) ?? []) as Json[];
  return stated.map((parameter, index) => {
    const at = typeof parameter.$ref === 'string' ? parameter.$ref.slice(1) : `${holder}/parameters/${index}`;
    return { parameter: dereference(description, parameter), schema: `${at}/schema` };
  });
}

function queryParameter({ parameter, schema: at }: StatedParameter): QueryParameter {
  const { name, required, schema, 'x-template': template, 'x-value': value } = parameter;
  const types = [(schema as Json).type].flat();
  return {
    parameter: String(name),
    template: typeof template === 'string' ? template : `{${String(value)}}`,
    isRequired: required === true,
    isNumber: types.includes('integer') && !types.includes('string'),
    schema: at,
  };
}

/** A documented operation accepts either credential; the document does not specify a refresh with an API key. */
function authOf(security: readonly Json[], isStated: boolean): Operation['auth'] {
  const schemes = security.flatMap((alternative) => Object.keys(alternative));
  if (schemes.length === 0) return 'none';
  if (schemes.length > 1 || !isStated) return 'bearer';
  return schemes[0] === 'apiKey' ? 'api-key' : 'session';
}

function requestOf(description: Description, at: string, operation: Json): Operation['request'] {
  const { requestBody, 'x-operations': shared } = operation;
  const schema = ownPart(description, `${at}/requestBody/content/application~1json/schema`, operation);
  if (!requestBody || !schema) return undefined;
  const template = templateOf(description, getAt(description, schema) as Json);
  const { required = false } = requestBody as { required?: boolean };
  return { schema, required: shared !== undefined || required, template, slots: slotsOf(template) };
}

/** Only successes have a status gap; failures share `errors.http-status`. */
function successOf(description: Description, at: string, operation: Json): Operation['success'] {
  const responses = Object.entries(operation.responses as Record<string, Json>);
  for (const [status, response] of responses) {
    if (response['x-gap'] === undefined || response.$ref !== undefined) continue;
    const answer = `${at}/responses/${status}/content/application~1json/schema`;
    // A failure with the same status is the second alternative.
    const first = getAt(description, `${answer}/oneOf`) ? `${answer}/oneOf/0` : answer;
    const schema = ownPart(description, first, operation);
    if (schema)
      return {
        status: Number(status),
        schema,
        layout: layoutOf(description, getAt(description, schema) as Json),
      };
  }
  throw new Error(`operation ${String(operation.operationId)} describes no success`);
}

/** Finds the operation's own alternative by its `x-operation`. */
function ownPart(description: Description, at: string, operation: Json): string | undefined {
  const schema = getAt(description, at) as Json | undefined;
  if (!schema || !operation['x-operations']) return schema && at;
  if (schema['x-operation'] === operation.operationId) return at;
  for (const key of ['oneOf', 'anyOf'])
    for (const index of ((schema[key] ?? []) as Json[]).keys()) {
      const found = ownPart(description, `${at}/${key}/${index}`, operation);
      if (found) return found;
    }
  return undefined;
}

/** A placeholder has the name in `x-value`, or the name of the property. */
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
