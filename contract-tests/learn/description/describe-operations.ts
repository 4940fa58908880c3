// Reads the operations of an OpenAPI description (2.0, 3.0 or 3.1) with JSON bodies.
import querystring from 'node:querystring';
import { isObject, type Json } from '../../../openapi/json.ts';
import { formatPointer, getAt } from '../../../openapi/json-pointer.ts';
import { type DescribedOperation, type Field, methods } from '../described-operation.ts';
import { createFieldReader, listOf, longestName, objectOf, shortText, textOf } from '../fields.ts';
import { LearnError } from '../learn-error.ts';
import { type Address, endOfBase, findLines, placeBelow, serverPath } from './place.ts';

const mostOperations = 5_000;
const longestChain = 50;
const needsBundling = 'refers to other files; bundle it into one file first: npx @redocly/cli bundle';

/** `name`: the source in messages. `basePath`: path of the deployment's base URL, if known. Throws LearnError. */
export function describeOperations(
  root: Json,
  source: { name: string; text: string; basePath: string | undefined },
): DescribedOperation[] {
  const { name, text, basePath = '/api/v1' } = source;
  const fail = (why: string) => new LearnError(`${name} ${why}`);
  const problem = problemOf(root);
  if (problem) throw fail(problem);
  const follow = followIn(root, name);
  const found = Object.entries(root.paths as Json).flatMap(([key, value]): Found[] => {
    const item = key.startsWith('/') && key.length < longestName ? follow(value) : undefined;
    return methods.flatMap((method) => {
      const operation = follow(item?.[method.toLowerCase()]);
      if (!item || !operation) return [];
      return [{ method, server: serverPath(root, [operation, item], basePath), key, operation, item }];
    });
  });
  if (found.length === 0) throw fail('describes no operation under "paths"');
  if (found.length > mostOperations)
    throw fail(`describes more than ${mostOperations} operations; pass only the part about the service`);
  const below = found.filter((one) => endOfBase(one, basePath) !== undefined);
  const lines = findLines(text);
  const reading = { root, follow, fieldsOf: createFieldReader(follow, name) };
  // If some operations are below the base URL, the others belong to another version or service.
  return (below.length > 0 ? below : found).map((one) => {
    const line = lines.get(one.key);
    const { path, doubts } = placeBelow(one, basePath);
    const described = describe(one, reading);
    const place = line === undefined ? name : `line ${line} of ${name}`;
    return { ...described, path, place, doubts: [...described.doubts, ...doubts] };
  });
}

function problemOf({ openapi, swagger, paths }: Json): string | undefined {
  const version = shortText(openapi ?? swagger);
  if (version === '') return 'is not an OpenAPI description: it has neither "openapi" nor "swagger"';
  if (!(openapi === undefined ? /^2(\.|$)/ : /^3(\.|$)/).test(version))
    return `has the version ${JSON.stringify(version)}; pass a description with "openapi" 3.x or "swagger" 2.0`;
  return isObject(paths)
    ? undefined
    : 'has no map "paths"; pass the description that contains the operations';
}

/** The returned function gives undefined for dangling or circular references, and throws LearnError for references to other files. */
function followIn(root: Json, name: string) {
  return (node: unknown): Json | undefined => {
    let current = node;
    for (let steps = 0; isObject(current) && steps < longestChain; steps += 1) {
      if (typeof current.$ref !== 'string') return current;
      const { $ref: reference, ...beside } = current;
      if (!/^(#|$)/.test(String(reference))) throw new LearnError(`${name} ${needsBundling}`);
      const pointer = String(reference).slice(1);
      const target = getAt(root, pointer) ?? getAt(root, querystring.unescape(pointer));
      // OpenAPI 3.1 allows members beside a reference.
      current = isObject(target) && Object.keys(beside).length > 0 ? { ...target, ...beside } : target;
    }
    return undefined;
  };
}

interface Found extends Address {
  method: DescribedOperation['method'];
  operation: Json;
  item: Json;
}

interface Reading {
  root: Json;
  follow: ReturnType<typeof followIn>;
  fieldsOf: ReturnType<typeof createFieldReader>;
}

function describe({ method, operation, item }: Found, reading: Reading) {
  const { follow, fieldsOf } = reading;
  const all = [...listOf(item.parameters), ...listOf(operation.parameters)].slice(0, 500).map(follow);
  const named = all.filter((one) => one !== undefined && textOf(one.name).length <= longestName) as Json[];
  const byName = new Map(named.map((one) => [`${shortText(one.in)} ${textOf(one.name)}`, one]));
  const parameters = [...byName.values()];
  const query = parameters.filter((one) => one.in === 'query').map((one) => queryField(one, reading));
  // In OpenAPI 2.0, a body is a parameter.
  const request = follow(operation.requestBody) ?? parameters.find((one) => one.in === 'body');
  return {
    ...{ method, query, body: fieldsOf(schemaIn(request, reading), 'readOnly') },
    answers: answersOf(operation, reading),
    doubts: doubtsOf(parameters, request, reading),
    auth: authOf(operation, reading.root),
    ...(typeof operation.operationId === 'string' && { id: shortText(operation.operationId) }),
    texts: [operation.summary, operation.description].map(shortText).filter(Boolean),
    tags: listOf(operation.tags).map(shortText),
    isDeprecated: operation.deprecated === true,
  };
}

/** In OpenAPI 2.0, a parameter is its own schema. */
function queryField(parameter: Json, reading: Reading): Field {
  const { name, required, ...rest } = parameter;
  const [root] = reading.fieldsOf(schemaIn(parameter, reading) ?? rest, 'readOnly') ?? [];
  return { types: [], ...root, pointer: formatPointer([shortText(name)]), isRequired: required === true };
}

/** Headers that each client sends anyway. */
const usualHeaders = /^(accept|accept-language|content-type|authorization|user-agent|host|cookie)$/i;

/** Requirements that a profile cannot state. */
function doubtsOf(parameters: readonly Json[], request: Json | undefined, reading: Reading): string[] {
  const required = parameters.filter((one) => one.required === true && !usualHeaders.test(textOf(one.name)));
  const demands = required.filter((one) => one.in === 'header' || one.in === 'cookie');
  const isForm = required.some((one) => one.in === 'formData');
  const [type = isForm ? 'multipart/form-data' : ''] = Object.keys(objectOf(request?.content)).map(shortText);
  const isJson = type === '' || jsonIn(request, reading);
  const form = isJson ? [] : [`the body has the type ${type}, but a profile can state only JSON`];
  return [...demands.map((one) => `requires the ${one.in} ${shortText(one.name)}`), ...form];
}

function answersOf({ responses }: Json, reading: Reading): DescribedOperation['answers'] {
  const all = Object.entries(objectOf(responses));
  const successes = all.filter(([status]) => /^2(\d\d|XX)$/i.test(status));
  const counted = successes.length > 0 ? successes : all.filter(([status]) => status === 'default');
  return counted.slice(0, 20).map(([status, response]) => {
    const body = reading.fieldsOf(schemaIn(reading.follow(response), reading), 'writeOnly');
    return { status: Number(status) || 200, body };
  });
}

function schemaIn(holder: Json | undefined, reading: Reading): unknown {
  return jsonIn(holder, reading)?.schema ?? holder?.schema;
}

/** The JSON content of a request, an answer or a parameter, under any media type. */
function jsonIn(holder: Json | undefined, { follow }: Reading): Json | undefined {
  const content = objectOf(holder?.content);
  const names = Object.keys(content);
  const name = names.find((one) => /json/i.test(one)) ?? names.find((one) => one.includes('*'));
  return name === undefined ? undefined : (follow(content[name]) ?? {});
}

const [sessionName, keyName] = [/session|login|cookie|user.?token|access.?token/i, /api.?key/i];

/** Sessions and API keys are both Bearer tokens, so only scheme names tell them apart. */
function authOf(operation: Json, root: Json): DescribedOperation['auth'] {
  const demanded = listOf(operation.security ?? root.security).flatMap((one) => Object.keys(objectOf(one)));
  if (operation.security && demanded.length === 0) return 'none';
  const { securitySchemes = root.securityDefinitions } = objectOf(root.components);
  const all = Object.keys(objectOf(securitySchemes));
  const hasBoth = [sessionName, keyName].every((kind) => all.some((name) => kind.test(name)));
  if (demanded.length === 0 || !hasBoth) return undefined;
  if (demanded.every((name) => sessionName.test(name))) return 'session';
  return demanded.every((name) => keyName.test(name)) ? 'api-key' : 'bearer';
}
