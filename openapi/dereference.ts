import type { Description } from './description.ts';
import type { Json } from './json.ts';
import { getAt } from './json-pointer.ts';

/** A schema, or the one that its `$ref` points at. */
export function dereference(description: Description, schema: Json): Json {
  return typeof schema.$ref === 'string' ? (getAt(description, schema.$ref.slice(1)) as Json) : schema;
}
