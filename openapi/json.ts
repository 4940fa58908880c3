/** A JSON object, such as a JSON Schema or a part of an OpenAPI description. */
export type Json = { [key: string]: unknown };

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
