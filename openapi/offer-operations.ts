// Shapes the provisional operations as a profile states them. An operation that it does not state, or withdraws, is not offered.
import { type Description, examplesOf, mediaTypeOf } from './description.ts';
import type { Json } from './json.ts';
import { moveExample, moveMarkedParts } from './move-marked-parts.ts';
import { gapValue, type Profile } from './profile.ts';
import { gaps } from './registers.ts';
import { schemaFromTemplate } from './schema-from-template.ts';
import { placeholdersOf, wholePlaceholder } from './template.ts';

/** The path items of the operations that a profile states. */
export function offerOperations(
  provisional: Description,
  documented: Description,
  profile: Profile,
): Record<string, Json> {
  const items: Record<string, Json> = {};
  const known = { ...documented.components.parameters, ...provisional.components.parameters };
  for (const parameter of Object.values(known)) moveMarkedParts(parameter.schema as Json, profile);
  for (const { id } of gaps.filter((gap) => gap.kind === 'operation')) {
    const call = gapValue(profile, id);
    const canonical = findOperation(provisional, id);
    if (typeof call !== 'object' || call === null || !canonical) continue;
    const { method, path } = call as { method: string; path: string };
    items[path] = {
      ...items[path],
      [method.toLowerCase()]: shapeOperation(canonical, call as Json, { id, known, profile }),
    };
  }
  return items;
}

interface Shaping {
  id: string;
  known: Record<string, Json>;
  profile: Profile;
}

function shapeOperation({ operation, item }: Canonical, call: Json, { id, known, profile }: Shaping): Json {
  const { requestBody, responses, parameters: _canonical, security, ...head } = operation;
  const bodySchema = mediaTypeOf(requestBody as Json | undefined)?.schema as Json | undefined;
  const bodyProperties = (bodySchema?.properties ?? {}) as Record<string, Json>;
  const parameters = [...parametersOf(item, known), ...parametersOf(operation, known)];
  const schemas = {
    ...Object.fromEntries(parameters.map((parameter) => [String(parameter.name), parameter.schema as Json])),
    ...bodyProperties,
  };
  const stated = [
    ...pathParameters(String(call.path), parameters, schemas),
    ...queryParameters(call, known, id),
  ];
  const required = [
    ...((bodySchema?.required ?? []) as string[]),
    ...parameters.map(({ name }) => String(name)),
  ];
  const body = call.body && schemaFromTemplate(call.body, { schemas, required, gap: id });
  return {
    ...head,
    ...(stated.length > 0 && { parameters: stated }),
    security:
      call.auth === 'none' ? [] : call.auth === 'bearer' || (security as Json[]).length > 0 ? bearer : [],
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: shapeResponses(responses as Record<string, Json>, call, { id, profile }),
  };
}

/** A parameter in the path of a deployment may be a part of the body in the description. */
function pathParameters(path: string, parameters: readonly Json[], schemas: Record<string, Json>): Json[] {
  return placeholdersOf(path).map((name) => ({
    ...(parameters.find((parameter) => parameter.name === name) ?? {
      in: 'path',
      required: true,
      description: `The ${name}.`,
    }),
    name,
    schema: schemas[name] ?? { type: 'string' },
  }));
}

function queryParameters(call: Json, known: Record<string, Json>, gap: string): Json[] {
  const query = Object.entries((call.query ?? {}) as Record<string, string>);
  return query.map(([name, template]) => {
    const value = wholePlaceholder(template) ?? template;
    return { ...known[value], name, 'x-gap': gap, 'x-value': value };
  });
}

const bearer = [{ sessionToken: [] }, { apiKey: [] }];

function shapeResponses(
  responses: Record<string, Json>,
  call: Json,
  { id, profile }: Omit<Shaping, 'known'>,
): Record<string, Json> {
  const { '200': success = {}, ...failures } = responses;
  const media = mediaTypeOf(success);
  const schema = media?.schema as Json;
  markValues(schema, id);
  const moves = moveMarkedParts(schema, profile, call);
  for (const example of examplesOf(media)) example.value = moveExample(example.value, moves);
  return { [String(call.status ?? 200)]: { ...success, 'x-gap': id }, ...failures };
}

/** Marks the values that a profile places, and all inside them, with the operation gap. */
function markValues(node: Json, gap: string, inValue = false): void {
  const isMarked = inValue || (node['x-value'] !== undefined && node['x-requirement'] === undefined);
  if (isMarked) node['x-gap'] = [node['x-gap'] ?? [], gap].flat();
  const parts = [
    ...Object.values((node.properties ?? {}) as Record<string, Json>),
    ...((node.items ? [node.items] : []) as Json[]),
  ];
  for (const part of parts) markValues(part, gap, isMarked);
}

interface Canonical {
  operation: Json;
  item: Json;
}

function findOperation(provisional: Description, gap: string): Canonical | undefined {
  for (const item of Object.values(provisional.paths)) {
    const operation = Object.values(item).find((part) => (part as Json)['x-gap'] === gap) as Json | undefined;
    if (operation) return { operation, item };
  }
  return undefined;
}

function parametersOf(holder: Json, known: Record<string, Json>): Json[] {
  const parameters = (holder.parameters ?? []) as Json[];
  return parameters.map((parameter) => known[String(parameter.$ref).split('/').at(-1) ?? ''] ?? parameter);
}
