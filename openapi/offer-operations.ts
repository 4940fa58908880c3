// Describes the operations that a profile states and does not withdraw.
import { type Description, examplesOf, mediaTypeOf, ownSchema } from './description.ts';
import type { Json } from './json.ts';
import { moveExample, moveMarkedParts } from './move-marked-parts.ts';
import { gapValue, type Profile } from './profile.ts';
import { findGap, type Gap, gaps, idsOf } from './registers.ts';
import { type Sharer, shareOperation } from './share-operation.ts';
import { doneBy, readCall, type StatedCall } from './stated-call.ts';
import { type Filling, placeholdersOf, schemaFromTemplate, wholePlaceholder } from './template.ts';

export function offerOperations(
  provisional: Description,
  documented: Description,
  profile: Profile,
): Record<string, Json> {
  const known = { ...documented.components.parameters, ...provisional.components.parameters };
  const doneToo = Map.groupBy(gaps, ({ id }) => doneBy(gapValue(profile, id)));
  for (const parameter of Object.values(known)) moveMarkedParts(parameter.schema as Json, profile);
  const offered = idsOf('operation').flatMap((id): Sharer[] => {
    const sent = readCall(gapValue(profile, id));
    const canonical = findOperation(provisional, id);
    if (!sent || !canonical) return [];
    const operation = shapeOperation(canonical, sent, { id, known, profile });
    return [{ operation: addDoneToo(operation, provisional, doneToo), sent }];
  });
  return mapGroups(
    offered,
    ({ sent }) => sent.path,
    (item) => mapGroups(item, ({ sent }) => sent.method.toLowerCase(), shareOperation),
  );
}

function mapGroups<T>(
  all: readonly T[],
  keyOf: (one: T) => string,
  map: (group: readonly T[]) => Json,
): Record<string, Json> {
  return Object.fromEntries([...Map.groupBy(all, keyOf)].map(([key, group]) => [key, map(group)]));
}

interface Shaping {
  id: string;
  known: Record<string, Json>;
  profile: Profile;
}

function shapeOperation(
  { operation, item }: Canonical,
  call: StatedCall,
  { id, known, profile }: Shaping,
): Json {
  const { requestBody, responses, parameters: _canonical, security, ...head } = operation;
  const bodySchema = mediaTypeOf(requestBody as Json | undefined)?.schema as Json | undefined;
  const parameters = [item, operation].flatMap((holder) =>
    ((holder.parameters ?? []) as Json[]).map(
      (one) => known[String(one.$ref).split('/').at(-1) ?? ''] ?? one,
    ),
  );
  const ofPages = (findGap(id)?.query ?? []).flatMap((name): Json[] => (known[name] ? [known[name]] : []));
  const described = [...ofPages, ...parameters];
  const schemas = {
    ...Object.fromEntries(described.map(({ name, schema }) => [String(name), schema as Json])),
    ...((bodySchema?.properties ?? {}) as Record<string, Json>),
  };
  const required = [
    ...((bodySchema?.required ?? []) as string[]),
    ...parameters.filter((one) => one.in === 'path').map(({ name }) => String(name)),
  ];
  const filling = { schemas, required, gap: id };
  const stated = [
    ...pathParameters(call.path, described, schemas),
    ...queryParameters(call, described, filling),
  ];
  const body = call.body && schemaFromTemplate(call.body, filling);
  return {
    ...head,
    ...(stated.length > 0 && { parameters: stated }),
    security: securityOf(call, security as Json[]),
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
    }),
    responses: shapeResponses(responses as Record<string, Json>, call, { id, profile }),
  };
}

/** Adds the operations that the profile states as done `by` this one. */
function addDoneToo(
  operation: Json,
  provisional: Description,
  doneToo: ReadonlyMap<string | undefined, readonly Gap[]>,
): Json {
  const name = String(operation['x-gap']).slice('operation.'.length);
  const also = (doneToo.get(name) ?? []).map(({ id }) => id);
  const others = also.flatMap((id): Json[] => {
    const found = findOperation(provisional, id);
    return found ? [found.operation] : [];
  });
  if (others.length === 0) return operation;
  const requirements = [operation, ...others].flatMap((one) => (one['x-requirement'] ?? []) as string[]);
  const besides = others.map(({ description }) => ` The same call also does this: ${description}`);
  return {
    ...operation,
    'x-also': also,
    ...(requirements.length > 0 && { 'x-requirement': requirements }),
    description: `${operation.description}${besides.join('')}`,
  };
}

/** A parameter in the deployment's path may be in the body in provisional.yaml. */
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

/** `x-value` names the value of a parameter; `x-template` contains any other text. */
function queryParameters({ query }: StatedCall, described: readonly Json[], filling: Filling): Json[] {
  return Object.entries(query).map(([parameter, template]) => {
    const name = wholePlaceholder(template);
    const names = placeholdersOf(template);
    const guess = names.length === 0 ? `Always "${template}".` : `The ${name ?? parameter}.`;
    const { description = guess } = described.find((one) => one.name === name) ?? {};
    const isRequired = names.length === 0 || names.some((one) => filling.required.includes(one));
    return {
      name: parameter,
      in: 'query',
      description,
      ...(isRequired && { required: true }),
      schema:
        name === undefined ? textSchema(template, filling) : (filling.schemas[name] ?? { type: 'string' }),
      'x-gap': filling.gap,
      ...(name === undefined ? { 'x-template': template } : { 'x-value': name }),
    };
  });
}

function textSchema(template: string, filling: Filling): Json {
  const { 'x-gap': _gap, 'x-template': _template, ...schema } = schemaFromTemplate(template, filling);
  return schema;
}

function securityOf({ auth }: StatedCall, canonical: readonly Json[]): Json[] {
  const [session, apiKey] = [{ sessionToken: [] }, { apiKey: [] }];
  if (auth === 'session') return [session];
  if (auth === 'api-key') return [apiKey];
  return auth === 'bearer' || (auth !== 'none' && canonical.length > 0) ? [session, apiKey] : [];
}

function shapeResponses(
  responses: Record<string, Json>,
  call: Json,
  { id, profile }: Omit<Shaping, 'known'>,
): Record<string, Json> {
  const { '200': success = {}, ...failures } = responses;
  const media = mediaTypeOf(success);
  const schema = media?.schema as Json;
  markValues(ownSchema(schema), id);
  const moves = moveMarkedParts(schema, profile, call);
  for (const example of examplesOf(media)) example.value = moveExample(example.value, moves);
  return { [String(call.status ?? 200)]: { ...success, 'x-gap': id }, ...failures };
}

/** Marks the values that a profile places, and everything inside them, with the operation gap. */
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
