// Replaces the names, places, statuses and paths that the description marks with `x-gap` by the values of a profile.
import { contract, type DescriptionFile } from './contract.ts';
import { type Description, examplesOf, mediaTypeOf, ownSchema } from './description.ts';
import { codeOf, codesOf, statusOf } from './error-codes.ts';
import type { Json } from './json.ts';
import { lazilyFor } from './libraries.ts';
import { type Move, moveExample, moveMarkedParts } from './move-marked-parts.ts';
import { offerOperations } from './offer-operations.ts';
import { gapValue, type Profile } from './profile.ts';
import { findGap } from './registers.ts';

export const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** Omits operations that the profile does not state or offer. Callers share the result and must not change it. */
export const resolve = lazilyFor((profile: Profile): Description => {
  const description = mergeDescriptions(profile);
  const { schemas, parameters, responses } = description.components;
  const moves: Moves = new Map();
  for (const [name, schema] of Object.entries(schemas))
    moves.set(`#/components/schemas/${name}`, moveMarkedParts(schema, profile));
  for (const parameter of Object.values(parameters)) moveMarkedParts(parameter.schema as Json, profile);
  for (const operation of operationObjects(description)) resolveOperation(operation, moves, profile);
  for (const name of Object.keys(schemas))
    if (isWithdrawn(`#/components/schemas/${name}`, moves)) delete schemas[name];
  describeFailures(schemas.Failure ?? {}, responses.Failure ?? {}, profile);
  mergeFailures(description, profile);
  return description;
});

/** Keys are references to schemas of the components. */
type Moves = Map<unknown, Move[]>;

export function operationObjects({ paths, webhooks }: Description): Json[] {
  return [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) =>
    methods.flatMap((method) => (item[method] === undefined ? [] : [item[method] as Json])),
  );
}

function mergeDescriptions(profile: Profile): Description {
  const documented = readDescription('site-publishing.yaml');
  const provisional = readDescription('provisional.yaml');
  const offered = offerOperations(provisional, documented, profile);
  for (const [path, item] of Object.entries(offered))
    documented.paths[path] = { ...documented.paths[path], ...item };
  const tagsUsed = new Set(operationObjects(documented).flatMap((operation) => operation.tags as string[]));
  const tags = [...(documented.tags as Json[]), ...(provisional.tags as Json[])];
  return { ...documented, tags: tags.filter((tag) => tagsUsed.has(String(tag.name))) };
}

function resolveOperation(operation: Json, moves: Moves, profile: Profile): void {
  const body = operation.requestBody as Json | undefined;
  const { $ref } = (mediaTypeOf(body)?.schema ?? {}) as Json;
  if (isWithdrawn($ref, moves)) delete operation.requestBody;
  else if (body) resolveContent(body, moves, profile);
  const responses = Object.entries(operation.responses as Record<string, Json>).map(([status, response]) => {
    resolveContent(response, moves, profile);
    const gap = findGap(String(response['x-gap']));
    return [gap?.kind === 'status' ? String(gapValue(profile, gap.id)) : status, response] as const;
  });
  operation.responses = Object.fromEntries(responses);
}

function isWithdrawn(reference: unknown, moves: Moves): boolean {
  return moves.get(reference)?.some(({ from, to }) => from === '' && to === undefined) ?? false;
}

function resolveContent(message: Json, moves: Moves, profile: Profile): void {
  const media = mediaTypeOf(message);
  const schema = media?.schema as Json | undefined;
  if (!schema) return;
  const inside =
    moves.get(schema.$ref) ?? (schema.$ref === undefined ? moveMarkedParts(schema, profile) : []);
  for (const example of examplesOf(media)) example.value = moveExample(example.value, inside);
}

function describeFailures(schema: Json, response: Json, profile: Profile): void {
  const properties = ownSchema(schema).properties as Record<string, Json>;
  const form = profile.values['errors.data'];
  const codes = codesOf(profile).map(([kind, code]) => `${code} ${kind}`);
  properties.code = { ...properties.code, description: `A business error code: ${codes.join(', ')}.` };
  if (form === 'absent') delete properties.data;
  if (form === 'null-value') properties.data = { ...properties.data, type: 'null' };
  if (form === 'empty-object') properties.data = { ...properties.data, type: 'object', maxProperties: 0 };
  const data = form === 'absent' ? {} : { data: form === 'null-value' ? null : {} };
  for (const example of examplesOf(mediaTypeOf(response)))
    example.value = { ...(example.value as Json), code: codeOf(profile, 'unauthenticated'), ...data };
}

/** A failure with the status of a success shares its key. Removes `default` if all failures have status 200. */
function mergeFailures(description: Description, profile: Profile): void {
  const statuses = new Set(codesOf(profile).map(([kind]) => String(statusOf(profile, kind))));
  const always200 = statuses.size === 1 && statuses.has('200');
  const failure = { $ref: '#/components/schemas/Failure' };
  for (const operation of operationObjects({ ...description, webhooks: {} })) {
    const { default: other, ...successes } = operation.responses as Record<string, Json>;
    for (const [status, success] of Object.entries(successes)) {
      const media = statuses.has(status) && mediaTypeOf(success);
      if (media)
        media.schema = { oneOf: [nameSuccess(description, operation, media.schema as Json), failure] };
    }
    operation.responses = always200
      ? { ...successes, '200': successes['200'] ?? { $ref: '#/components/responses/Failure' } }
      : { ...successes, default: other };
  }
}

/** Some generators lose the constants of an unnamed alternative. The schema of a shared call stays, because others look up `x-operation` there. */
function nameSuccess(
  { components }: Description,
  { operationId, 'x-operations': shared }: Json,
  schema: Json,
): Json {
  if (!schema.allOf || shared) return schema;
  const id = String(operationId);
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Success`;
  components.schemas[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns a copy with references between the files changed to references within one. */
export function readDescription(file: DescriptionFile): Description {
  const text = JSON.stringify(contract.descriptions[file]).replaceAll('./site-publishing.yaml#', '#');
  return JSON.parse(text) as Description;
}
