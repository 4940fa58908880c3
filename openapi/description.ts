import type { Json } from './json.ts';
import { getAt } from './json-pointer.ts';

export interface Description extends Json {
  paths: Record<string, Json>;
  webhooks: Record<string, Json>;
  components: {
    schemas: Record<string, Json>;
    parameters: Record<string, Json>;
    responses: Record<string, Json>;
  } & Json;
}

export function dereference(description: Description, schema: Json): Json {
  return typeof schema.$ref === 'string' ? (getAt(description, schema.$ref.slice(1)) as Json) : schema;
}

/** Returns the part of an `allOf` without a reference, or a schema without `allOf` as it is. */
export function ownSchema(schema: Json): Json {
  const [base, own] = (schema.allOf ?? []) as Json[];
  return base?.$ref !== undefined && own ? own : schema;
}

export function mediaTypeOf(message: Json | undefined): Json | undefined {
  return (message?.content as Record<string, Json> | undefined)?.['application/json'];
}

export function examplesOf(media: Json | undefined): Json[] {
  return Object.values((media?.examples ?? {}) as Record<string, Json>);
}
