// Finds mismatches with a resolved description, and the requirements or gaps that they concern.
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Description } from './description.ts';
import type { Json } from './json.ts';
import { formatPointer } from './json-pointer.ts';
import { createAjv, lazily, lazilyFor } from './libraries.ts';
import { matcherOf } from './template-text.ts';

export interface Mismatch {
  /** JSON Pointer to the offending value; "" means the whole. */
  at: string;
  message: string;
  expected: string;
  /** Gaps that determine the schema. With any, the mismatch is drift. */
  gaps: readonly string[];
  requirements: readonly string[];
}

/** `reference` is a JSON Pointer into the description. */
export type Validator = (reference: string, value: unknown) => Mismatch[];

export type ErrorFinder = (reference: string, value: unknown) => readonly ErrorObject[];

export function createValidator(description: Description): Validator {
  const findErrors = createErrorFinder(description);
  return (reference, value) => {
    const errors = findErrors(reference, value);
    return errors.length === 0 ? [] : withoutRepeats(errors).map(toMismatch);
  };
}

/** Compiles each schema at its first use, once per description. */
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

/** Omits further mismatches of a value that has a wrong type. */
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
  // A missing property is drift only if it fills a gap itself, not if its parent does.
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

/** A missing or surplus property counts at its own place, not at its parent's. */
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
  if (keyword === 'not') return `a value other than ${JSON.stringify((schema as Json).const ?? schema)}`;
  return `${keyword} ${JSON.stringify(schema)}`;
}

type Mark = 'x-gap' | 'x-requirement';

function idsAt(schema: Json | undefined, mark: Mark): string[] {
  return [schema?.[mark] ?? []].flat().map(String);
}
