import { getAt } from './json-pointer.ts';
import type { Json } from './registers.ts';
import type { Description } from './resolve.ts';

/** A schema, or the one that it refers to. */
export function follow(description: Description, schema: Json): Json {
  return typeof schema.$ref === 'string' ? (getAt(description, schema.$ref.slice(1)) as Json) : schema;
}
