// Why a control call is refused, and what to do. The messages never repeat a secret.
import { explainErrors } from '../../openapi/explain-errors.ts';
import type { Json } from '../../openapi/json.ts';
import { formatPointer } from '../../openapi/json-pointer.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import type { ErrorFinder } from '../../openapi/validate.ts';

export class ControlError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function refuse(...given: ConstructorParameters<typeof ControlError>): never {
  throw new ControlError(...given);
}

const mostReasons = 5;

/** The errors of a value as one sentence. `whole` is what it calls the value. */
export function explain(errors: ReturnType<ErrorFinder>, whole = 'the body'): string {
  const mistakes = explainErrors(errors, { found });
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

/** An unknown name, the name that may have been meant, and all known names. */
export function unknownName(name: string, known: readonly string[]): string {
  return `${JSON.stringify(shorten(name))}${didYouMean(name, known)} (known: ${known.join(', ') || 'none'})`;
}

/** Limits how much of an input an answer repeats. */
export function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
