// The operations of an OpenAPI description, 2.0, 3.0 or 3.1, as far as they can be called with JSON.
import { isObject, type Json } from '../../../openapi/json.ts';
import type { Demand, DescribedAnswer, DescribedOperation, Field } from '../described-operation.ts';
import { LearnError } from '../learn-error.ts';
import { describeFields } from '../recording/describe-fields.ts';
import { type Address, findBasePath, placeBelow, serverPath, startsWith } from './base-path.ts';
import { findLines } from './find-lines.ts';
import { type Follow, followIn } from './references.ts';
import { createSchemaReader, listOf, type SchemaReader, textsOf } from './schema-fields.ts';
import { authOf } from './security.ts';

const mostOperations = 5_000;

interface Source {
  /** What messages and evidence call it. */
  name: string;
  text: string;
  /** The path of the deployment's base address, where it is known. */
  basePath: string | undefined;
}

/** All operations. Throws LearnError where there are none, or too many. */
export function describeOperations(root: Json, source: Source): DescribedOperation[] {
  requireVersion(root, source.name);
  const follow = followIn(root);
  const found = operationsIn(root, follow, source);
  if (found.length === 0) throw new LearnError(`${source.name} describes no operation under "paths"`);
  const addressOf = ({ server, key }: Found) => server + key;
  const basePath = source.basePath ?? findBasePath(found.map(addressOf)) ?? '';
  const inside = found.filter((one) => startsWith(addressOf(one), basePath));
  const lines = findLines(source.text);
  const reading: Reading = {
    root,
    follow,
    schemas: createSchemaReader(follow, source.name),
    isSecurityUsual: found.some(({ operation }) => listOf(operation.security).length > 0),
  };
  // Where some are below the base address, the rest belongs to another version or service.
  return (inside.length > 0 ? inside : found).flatMap((one) => {
    const line = lines(one.key);
    const place = line === undefined ? source.name : `line ${line} of ${source.name}`;
    const { path, ...elsewhere } = placeBelow(one, basePath);
    return describe({ ...one, path: path || '/', ...elsewhere, place }, reading);
  });
}

function requireVersion({ openapi, swagger, paths }: Json, name: string): void {
  const version = openapi ?? swagger;
  if (version === undefined || !isObject(paths))
    throw new LearnError(
      `${name} is no OpenAPI description of version 2 or 3: it needs "openapi" or "swagger", and "paths"`,
    );
  // YAML without quotes makes 3 of 3.0.
  if (!/^[23](\.\d|$)/.test(String(version)))
    throw new LearnError(
      `${name} is an OpenAPI description of version ${JSON.stringify(version).slice(0, 40)}; versions 2 and 3 are read`,
    );
}

interface Found extends Address {
  method: DescribedOperation['method'];
  operation: Json;
  item: Json;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

function operationsIn(root: Json, follow: Follow, { name, basePath }: Source): Found[] {
  const found: Found[] = [];
  for (const key of Object.keys(root.paths as Json)) {
    const item = key.startsWith('/') && key.length < 1_000 ? follow((root.paths as Json)[key]) : undefined;
    if (!item) continue;
    for (const method of methods) {
      const operation = follow(item[method.toLowerCase()]);
      if (!operation) continue;
      const server = serverPath(root, [operation, item], basePath);
      found.push({ method, server, key, operation, item });
    }
    if (found.length > mostOperations)
      throw new LearnError(
        `${name} describes more than ${mostOperations} operations; give the part of it that is about the service`,
      );
  }
  return found;
}

interface Reading {
  root: Json;
  follow: Follow;
  schemas: SchemaReader;
  isSecurityUsual: boolean;
}

type Placed = Found & Pick<DescribedOperation, 'path' | 'place' | 'elsewhere'>;

/** One operation, or one for each of the bodies that it may have. */
function describe(placed: Placed, reading: Reading): DescribedOperation[] {
  const { method, operation, path, place, elsewhere } = placed;
  const parameters = parametersOf(placed, reading);
  const inPlace = (name: string) =>
    parameters.filter((one) => one.in === name).flatMap((one) => parameterFields(one, reading));
  const demands = [...demandsIn(parameters), ...formsIn(operation, parameters, reading.follow)];
  const summary = [operation.summary, operation.description].filter((text) => typeof text === 'string');
  const described: DescribedOperation = {
    method,
    path,
    parameters: pathFields(path, inPlace('path')),
    query: inPlace('query'),
    body: undefined,
    answers: answersOf(operation, reading),
    ...(demands.length > 0 && { demands }),
    ...(elsewhere !== undefined && { elsewhere }),
    auth: authOf(operation, reading.root, reading.isSecurityUsual),
    ...(typeof operation.operationId === 'string' && { id: operation.operationId.slice(0, 300) }),
    texts: summary.map((text) => text.slice(0, 2_000)),
    tags: listOf(operation.tags).map((tag) => String(tag).slice(0, 2_000)),
    ...(operation.deprecated === true && { isDeprecated: true }),
    place,
  };
  const bodies = bodiesOf(operation, parameters, reading);
  if (bodies.length === 0) return [described];
  return bodies.map((body) => ({ ...described, body }));
}

function parametersOf({ operation, item }: Placed, { follow }: Reading): Json[] {
  const all = [...listOf(item.parameters), ...listOf(operation.parameters)].slice(0, 500);
  const byName = new Map<string, Json>();
  for (const parameter of all) {
    const one = follow(parameter);
    if (one) byName.set(`${one.in} ${one.name}`, one);
  }
  return [...byName.values()];
}

/** An object in the query is sent as its members, each a parameter. */
function parameterFields(parameter: Json, reading: Reading): Field[] {
  const isJoined = parameter.in !== 'query' || parameter.explode === false || !parameter.schema;
  const fields = isJoined ? [] : (reading.schemas.fieldsOf(parameter.schema, 'request') ?? []);
  const members = fields.filter(({ pointer }) => /^\/[^/]+$/.test(pointer) && pointer !== '/*');
  if (members.length === 0 || !fields[0]?.types.includes('object'))
    return [parameterField(parameter, reading)];
  const isRequired = parameter.required === true;
  return members.map((field) => ({ ...field, isRequired: isRequired && field.isRequired }));
}

/** Headers that every client sends, or that say who calls. */
const usualHeaders = /^(accept|accept-language|content-type|authorization|user-agent|host|cookie)$/i;

/** Required headers and cookies. */
function demandsIn(parameters: readonly Json[]): Demand[] {
  return parameters.flatMap(({ in: place, name, required }): Demand[] => {
    const isDemand = required === true && typeof name === 'string' && name.length < 100;
    if (!isDemand || (place !== 'header' && place !== 'cookie') || usualHeaders.test(name)) return [];
    return [{ in: place, name }];
  });
}

/** The type of a body that is no JSON. */
function formsIn(operation: Json, parameters: readonly Json[], follow: Follow): Demand[] {
  const content = follow(operation.requestBody)?.content;
  const [type] = isObject(content) ? Object.keys(content) : [];
  if (isObject(content) && type !== undefined && jsonIn(content) === undefined)
    return [{ in: 'body', name: type.slice(0, 100) }];
  const isForm = parameters.some((one) => one.in === 'formData' && one.required === true);
  return isForm ? [{ in: 'body', name: 'multipart/form-data' }] : [];
}

/** In version 2, a parameter is its own schema. */
function parameterField(parameter: Json, { schemas, follow }: Reading): Field {
  const { name, required, description: _, ...rest } = parameter;
  const media = isObject(parameter.content) ? follow(jsonIn(parameter.content)) : undefined;
  const { required: __, ...schema } = rest;
  const field = schemas.parameter(String(name).slice(0, 200), parameter.schema ?? media?.schema ?? schema);
  const texts = [...textsOf(parameter), ...field.texts];
  const examples = parameter.example === undefined ? [] : [parameter.example];
  return { ...field, isRequired: required === true, texts, values: [...field.values, ...examples] };
}

/** Each parameter of the path, those that the description forgets included. */
function pathFields(path: string, described: readonly Field[]): Field[] {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return names.map(
    (name) =>
      described.find(({ pointer }) => pointer === `/${name}`) ?? {
        pointer: `/${name}`,
        types: [],
        isRequired: true,
        texts: [],
        values: [],
      },
  );
}

const mostAlternatives = 8;

/** The bodies that a request may have. What an example shows does not have to be there. */
function bodiesOf(
  operation: Json,
  parameters: readonly Json[],
  { follow, schemas }: Reading,
): (Field[] | undefined)[] {
  const request = follow(operation.requestBody);
  const media = request && isObject(request.content) ? follow(jsonIn(request.content)) : undefined;
  const schema = media?.schema ?? parameters.find((one) => one.in === 'body')?.schema;
  const bodies = bodySchemas(schema, follow).map((one) => schemas.fieldsOf(one, 'request'));
  const isDescribed = bodies.some((fields = []) => fields.length > 1);
  const shown = isDescribed ? [] : examplesOf({}, media, follow(schema));
  if (shown.length === 0) return bodies;
  const [root, ...fields] = describeFields(shown, nothingHidden);
  return [root ? [root, ...fields.map((field) => ({ ...field, isRequired: false }))] : undefined];
}

/** The schema, or its alternatives where there are some. */
function bodySchemas(schema: unknown, follow: Follow): unknown[] {
  const whole = follow(schema);
  if (!whole) return [];
  const alternatives = [whole.oneOf, whole.anyOf].map(listOf).find((all) => all.length > 1) ?? [];
  if (alternatives.length === 0) return [schema];
  const { oneOf: _, anyOf: __, ...common } = whole;
  return alternatives.slice(0, mostAlternatives).map((one) => ({ allOf: [one, common] }));
}

/** What is said of JSON, under any name of it. */
function jsonIn(content: Json): unknown {
  const names = Object.keys(content);
  const json = names.find((name) => /json/i.test(name)) ?? names.find((name) => name.includes('*'));
  return json === undefined ? undefined : content[json];
}

function answersOf({ responses }: Json, { follow, schemas }: Reading): DescribedAnswer[] {
  if (!isObject(responses)) return [];
  const statuses = Object.keys(responses).filter((status) => /^2(\d\d|XX)$/i.test(status));
  const successes = statuses.length > 0 ? statuses : ['default'].filter((name) => name in responses);
  return successes.slice(0, 20).flatMap((status) => {
    const response = follow(responses[status]);
    if (!response) return [];
    const media = isObject(response.content) ? follow(jsonIn(response.content)) : undefined;
    const schema = media?.schema ?? response.schema;
    const body = schemas.fieldsOf(schema, 'answer');
    const shown = body && body.length > 1 ? [] : examplesOf(response, media, follow(schema));
    return {
      status: /^\d+$/.test(status) ? Number(status) : 200,
      body: shown.length > 0 ? describeFields(shown, nothingHidden) : body,
    };
  });
}

/** An example is no secret; of its values none is a constant. */
const nothingHidden = { isConstant: () => false, isOpaque: () => false, isSecret: () => false };

/** The bodies that are shown, where no schema says what is in them; some write them as text. */
function examplesOf(response: Json, media: Json | undefined, schema: Json | undefined): object[] {
  const named = isObject(media?.examples) ? Object.values(media.examples) : [];
  const all = [
    media?.example,
    ...named.map((one) => (isObject(one) ? one.value : undefined)),
    isObject(response.examples) ? jsonIn(response.examples) : undefined,
    schema?.example,
  ];
  return all.map(parsed).filter(isObject).slice(0, mostAlternatives);
}

function parsed(example: unknown): unknown {
  if (typeof example !== 'string' || !example.trim().startsWith('{')) return example;
  try {
    return JSON.parse(example);
  } catch {
    return undefined;
  }
}
