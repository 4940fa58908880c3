// Explains in a sentence why an input does not fit the description.
import { explainErrors } from '../../openapi/explain-errors.ts';
import type { Json } from '../../openapi/json.ts';
import { formatPointer } from '../../openapi/json-pointer.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import type { ErrorFinder } from '../../openapi/validate.ts';

const mostReasons = 5;

/** The reasons why a value does not fit the schema at a JSON Pointer; undefined if it does. `whole` is what a message calls the value. */
export function explain(
  findErrors: ErrorFinder,
  schema: string,
  value: unknown,
  whole = 'the body',
): string | undefined {
  const mistakes = explainErrors(findErrors(schema, value), { found });
  if (mistakes.length === 0) return undefined;
  // Misspelt names first, since they may be why another member is missing.
  mistakes.sort((one, other) => Number('member' in other) - Number('member' in one));
  const reasons = mistakes
    .slice(0, mostReasons)
    .map(({ path, text }) => `${shorten(formatPointer(path)) || whole}: ${text}`);
  const more = mistakes.length - mostReasons;
  return [...reasons, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** Texts of any form may be secrets, and are not repeated. */
function found(value: unknown, schema: Json): string {
  const isFormed = 'format' in schema || 'enum' in schema || ('pattern' in schema && 'description' in schema);
  const isShown = typeof value !== 'object' && (schema.type !== 'string' || isFormed);
  return isShown ? shorten(typeof value === 'string' ? JSON.stringify(value) : String(value)) : '';
}

/** What to give instead where a body does not fit, by call. */
export const advices: Readonly<Record<string, string>> = {
  putWorld: '; it takes what GET /_mock/world gives, and POST /_mock/worlds takes a world file as "world"',
};

/** An unknown name, the name that may have been meant, and all known names. */
export function unknownName(name: string, known: readonly string[]): string {
  return `${JSON.stringify(shorten(name))}${didYouMean(name, known)} (known: ${known.join(', ') || 'none'})`;
}

/** Limits how much of an input an answer repeats. */
export function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
