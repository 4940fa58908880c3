// The operations of an OpenAPI description, 2.0, 3.0 or 3.1, as far as they can be called with JSON.
import { isObject, type Json } from '../../../openapi/json.ts';
import { formatPointer } from '../../../openapi/json-pointer.ts';
import {
  type Demand,
  type DescribedOperation,
  type Field,
  type Method,
  methods,
} from '../described-operation.ts';
import {
  createFieldReader,
  type Follow,
  fieldsOfValues,
  type Hidden,
  listOf,
  longestName,
  objectOf,
  type ReadFields,
  shortText,
  textOf,
} from '../fields.ts';
import { LearnError } from '../learn-error.ts';
import { type Address, endOfBase, findLines, placeBelow, serverPath } from './place.ts';
import { followIn } from './references.ts';

const mostOperations = 5_000;

interface Source {
  /** What messages and evidence call it. */
  name: string;
  text: string;
  /** The path of the deployment's base address, if it is known. */
  basePath: string | undefined;
  /** Also follows references into other files. */
  follow?: Follow;
}

/** Returns all operations. Throws LearnError if there are none, or too many. */
export function describeOperations(root: Json, source: Source): DescribedOperation[] {
  const { name, text, basePath = '/api/v1', follow = followIn(new Map([['', root]])) } = source;
  if (!/^[23](\.\d|$)/.test(shortText(root.openapi ?? root.swagger)) || !isObject(root.paths))
    throw new LearnError(
      `${name} is no OpenAPI description of version 2 or 3: it needs "openapi" or "swagger", and "paths"`,
    );
  const found = operationsIn(root, root.paths, { basePath, follow });
  if (found.length === 0) throw new LearnError(`${name} describes no operation under "paths"`);
  if (found.length > mostOperations)
    throw new LearnError(
      `${name} describes more than ${mostOperations} operations; give the part of it that is about the service`,
    );
  const below = found.filter((one) => endOfBase(one, basePath) !== undefined);
  const lines = findLines(text);
  const isSecurityUsual = found.some(({ operation }) => listOf(operation.security).length > 0);
  const reading = { follow, fieldsOf: createFieldReader(follow, name), isSecurityUsual, root };
  // If some are below the base address, the rest belongs to another version or service.
  return (below.length > 0 ? below : found).map((one) => {
    const line = lines.get(one.key);
    const place = line === undefined ? name : `line ${line} of ${name}`;
    return { ...describe(one, reading), ...placeBelow(one, basePath), place };
  });
}

interface Found extends Address {
  method: Method;
  operation: Json;
  item: Json;
}

function operationsIn(
  root: Json,
  paths: Json,
  { basePath, follow }: { basePath: string; follow: Follow },
): Found[] {
  return Object.entries(paths).flatMap(([key, value]) => {
    const item = key.startsWith('/') && key.length < 1_000 ? follow(value) : undefined;
    return methods.flatMap((method): Found[] => {
      const operation = follow(item?.[method.toLowerCase()]);
      if (!item || !operation) return [];
      return [{ method, server: serverPath(root, [operation, item], basePath), key, operation, item }];
    });
  });
}

interface Reading {
  root: Json;
  follow: Follow;
  fieldsOf: ReadFields;
  /** Whether other operations say what they demand. */
  isSecurityUsual: boolean;
}

function describe({ method, operation, item }: Found, reading: Reading) {
  const parameters = parametersOf(operation, item, reading.follow);
  const query = parameters.filter((one) => one.in === 'query').flatMap((one) => queryFields(one, reading));
  // In version 2, a body is a parameter.
  const request = reading.follow(operation.requestBody) ?? parameters.find((one) => one.in === 'body');
  const demands = demandsOf(parameters, request, reading.follow);
  return {
    method,
    query,
    body: bodyFields(request, 'readOnly', reading),
    answers: answersOf(operation, reading),
    ...(demands.length > 0 && { demands }),
    auth: authOf(operation, reading),
    ...(typeof operation.operationId === 'string' && { id: shortText(operation.operationId) }),
    texts: [operation.summary, operation.description].map(shortText).filter(Boolean),
    tags: listOf(operation.tags).map(shortText),
    ...(operation.deprecated === true && { isDeprecated: true }),
  };
}

function parametersOf(operation: Json, item: Json, follow: Follow): Json[] {
  const all = [...listOf(item.parameters), ...listOf(operation.parameters)].slice(0, 500);
  const followed = all.map(follow).filter((one) => one !== undefined);
  const named = followed.filter(({ name }) => textOf(name).length <= longestName);
  return [...new Map(named.map((one) => [`${shortText(one.in)} ${textOf(one.name)}`, one])).values()];
}

/** An object is sent as its members, each a parameter. In version 2, a parameter is its own schema. */
function queryFields(parameter: Json, { fieldsOf, follow }: Reading): Field[] {
  const { name, required, ...rest } = parameter;
  const isRequired = required === true;
  const schema = parameter.schema ?? jsonIn(parameter, follow)?.schema ?? rest;
  const [root, ...fields] = fieldsOf(schema, 'readOnly') ?? [];
  const members = fields.filter(({ pointer }) => /^\/[^/]+$/.test(pointer) && pointer !== '/*');
  if (parameter.explode !== false && members.length > 0)
    return members.map((field) => ({ ...field, isRequired: isRequired && field.isRequired }));
  return [{ types: [], ...root, pointer: formatPointer([shortText(name)]), isRequired }];
}

/** Headers that every client sends, or that say who calls. */
const usualHeaders = /^(accept|accept-language|content-type|authorization|user-agent|host|cookie)$/i;

/** Required headers and cookies, and the type of a body that is no JSON. */
function demandsOf(parameters: readonly Json[], request: Json | undefined, follow: Follow): Demand[] {
  const demands = parameters.flatMap(({ in: place, name, required }): Demand[] => {
    const isDemand = required === true && typeof name === 'string' && !usualHeaders.test(name);
    return isDemand && (place === 'header' || place === 'cookie')
      ? [{ in: place, name: shortText(name) }]
      : [];
  });
  const [type] = Object.keys(objectOf(request?.content));
  const isForm = parameters.some((one) => one.in === 'formData' && one.required === true);
  if (type !== undefined && !jsonIn(request, follow))
    return [...demands, { in: 'body', name: shortText(type) }];
  return isForm ? [...demands, { in: 'body', name: 'multipart/form-data' }] : demands;
}

function answersOf({ responses }: Json, reading: Reading): DescribedOperation['answers'] {
  if (!isObject(responses)) return [];
  const statuses = Object.keys(responses).filter((status) => /^2(\d\d|XX)$/i.test(status));
  const successes = statuses.length > 0 ? statuses : ['default'];
  return successes.slice(0, 20).flatMap((status) => {
    const response = reading.follow(responses[status]);
    if (!response) return [];
    const body = bodyFields(response, 'writeOnly', reading);
    return { status: /^\d+$/.test(status) ? Number(status) : 200, body };
  });
}

/** The fields of the JSON that is sent or answered. If a schema does not say them, examples show them; none of those has to be there. */
function bodyFields(
  holder: Json | undefined,
  hidden: Hidden,
  { follow, fieldsOf }: Reading,
): Field[] | undefined {
  const media = jsonIn(holder, follow);
  const schema = media?.schema ?? holder?.schema;
  const fields = fieldsOf(schema, hidden);
  if (fields && fields.length > 1) return fields;
  const named = Object.values(objectOf(media?.examples));
  const examples = [
    media?.example,
    ...named.map((one) => follow(one)?.value),
    ...Object.values(objectOf(holder?.examples)),
    follow(schema)?.example,
  ];
  const shown = fieldsOfValues(examples.map(plain).filter(isObject));
  return shown.length > 0 ? shown : fields;
}

/** What a request, an answer or a parameter says of JSON, under any of its names. */
function jsonIn(holder: Json | undefined, follow: Follow): Json | undefined {
  const content = objectOf(holder?.content);
  const names = Object.keys(content);
  const name = names.find((one) => /json/i.test(one)) ?? names.find((one) => one.includes('*'));
  return name === undefined ? undefined : (follow(content[name]) ?? {});
}

/** Some descriptions write examples as texts, and YAML may hold one within itself. */
function plain(example: unknown): unknown {
  try {
    return JSON.parse(typeof example === 'string' ? example : JSON.stringify(example));
  } catch {
    return undefined;
  }
}

/** Undefined if nothing is said, or nothing that tells a session from an API key. */
function authOf(operation: Json, { root, isSecurityUsual }: Reading): DescribedOperation['auth'] {
  const demanded = listOf(operation.security ?? root.security).flatMap((one) => Object.keys(objectOf(one)));
  if (demanded.length === 0) return operation.security || isSecurityUsual ? 'none' : undefined;
  const { securitySchemes = root.securityDefinitions } = objectOf(root.components);
  const all = Object.keys(objectOf(securitySchemes)).map(kindOfScheme);
  // If a description has one scheme for all calls, its name says nothing of the other kind.
  if (!all.includes('session') || !all.includes('api-key')) return undefined;
  const kinds = new Set(demanded.map(kindOfScheme));
  return kinds.size > 1 ? 'bearer' : [...kinds][0];
}

/** Both kinds are sent as Bearer; only their names tell them apart. */
function kindOfScheme(name: string): 'session' | 'api-key' | undefined {
  if (/session|login|cookie|user.?token|access.?token/i.test(name)) return 'session';
  return /api.?key/i.test(name) ? 'api-key' : undefined;
}
