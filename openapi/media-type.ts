import type { Json } from './json.ts';

/** The JSON media type of a request body or response in a description, which holds its schema and examples. */
export function mediaTypeOf(message: Json | undefined): Json | undefined {
  return (message?.content as Record<string, Json> | undefined)?.['application/json'];
}

/** The named examples of a media type. */
export function examplesOf(media: Json | undefined): Json[] {
  return Object.values((media?.examples ?? {}) as Record<string, Json>);
}
