// Checks JSON values against a resolved description, and attributes mismatches to requirements or gaps.
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Description } from './description.ts';
import type { Json } from './json.ts';
import { formatPointer } from './json-pointer.ts';
import { createAjv, lazily, lazilyFor } from './libraries.ts';
import { matcherOf } from './template-text.ts';

/** A mismatch between a value and its schema. */
export interface Mismatch {
  /** JSON Pointer to the offending value, "" for the whole. */
  at: string;
  message: string;
  expected: string;
  /** The gaps that determine the schema; when not empty, the mismatch is drift. */
  gaps: readonly string[];
  /** The requirements that the schema expresses. */
  requirements: readonly string[];
}

/** Checks a value against the schema at a JSON Pointer into the description. */
export type Validator = (reference: string, value: unknown) => Mismatch[];

/** The errors of Ajv for a value and the schema at a JSON Pointer into the description. */
export type ErrorFinder = (reference: string, value: unknown) => readonly ErrorObject[];

/** The shared validator of a resolved description. Each schema is compiled at its first use. */
export function createValidator(description: Description): Validator {
  const findErrors = createErrorFinder(description);
  return (reference, value) => {
    const errors = findErrors(reference, value);
    return errors.length === 0 ? [] : withoutRepeats(errors).map(toMismatch);
  };
}

/** What the validator of a description rests on. */
export const createErrorFinder = lazilyFor((description: Description): ErrorFinder => {
  const compiled = new Map<string, ValidateFunction>();
  const compiler = lazily(() => {
    const regExp = Object.assign(matcherOf, { code: 'matcherOf' });
    return createAjv({ code: { regExp } }).addSchema(description, 'description');
  });
  const compile = (reference: string) => {
    const validate = compiler().compile({ $ref: `description#${encodeURI(reference)}` });
    compiled.set(reference, validate);
    return validate;
  };
  return (reference, value) => {
    const validate = compiled.get(reference) ?? compile(reference);
    return validate(value) ? none : (validate.errors ?? none);
  };
});

const none: readonly ErrorObject[] = [];

/** When a value has the wrong type, its other mismatches add nothing. */
function withoutRepeats(errors: readonly ErrorObject[]): ErrorObject[] {
  const wronglyTyped = new Set(
    errors.filter(({ keyword }) => keyword === 'type').map((error) => error.instancePath),
  );
  const seen = new Set<string>();
  return errors.filter((error) => {
    const key = placeOf(error);
    const isRepeat = seen.has(key) || (error.keyword !== 'type' && wronglyTyped.has(error.instancePath));
    if (!isRepeat) seen.add(key);
    return !isRepeat;
  });
}

function toMismatch(error: ErrorObject): Mismatch {
  const parent = (error.parentSchema ?? {}) as Json;
  const missing = error.keyword === 'required' ? String(error.params.missingProperty) : undefined;
  const child = (parent.properties as Record<string, Json> | undefined)?.[missing ?? ''];
  const ids = (mark: Mark) => (idsAt(child, mark).length > 0 ? idsAt(child, mark) : idsAt(parent, mark));
  // A missing property is drift only when the property itself fills a gap; what is promised of its holder is then kept.
  const gaps = missing === undefined ? ids('x-gap') : idsAt(child, 'x-gap');
  const isDrift = missing !== undefined && gaps.length > 0;
  return {
    at: placeOf(error),
    message: error.message ?? 'does not fit',
    expected: expectation(error),
    gaps,
    requirements: isDrift ? idsAt(child, 'x-requirement') : ids('x-requirement'),
  };
}

/** Of a property that is missing or too many, the place of the property itself. */
function placeOf({ keyword, instancePath, params }: ErrorObject): string {
  const name = keyword === 'required' ? params.missingProperty : params.additionalProperty;
  return name === undefined ? instancePath : `${instancePath}${formatPointer([String(name)])}`;
}

function expectation({ keyword, params, schema }: ErrorObject): string {
  if (keyword === 'required') return `a property "${params.missingProperty}"`;
  if (keyword === 'type') return `type ${String(params.type)}`;
  if (keyword === 'const') return JSON.stringify(params.allowedValue);
  if (keyword === 'enum')
    return `one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
  if (keyword === 'additionalProperties') return 'no such property';
  if (keyword === 'not') return `not ${JSON.stringify(schema)}`;
  return `${keyword} ${JSON.stringify(schema)}`;
}

type Mark = 'x-gap' | 'x-requirement';

function idsAt(schema: Json | undefined, mark: Mark): string[] {
  return [schema?.[mark] ?? []].flat().map(String);
}
