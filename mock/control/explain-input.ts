// Explains in a sentence why an input does not fit the description.
import type { Json } from '../../openapi/json.ts';
import { getAt, parsePointer } from '../../openapi/json-pointer.ts';
import { nearest } from '../../openapi/nearest.ts';
import type { Mismatch } from '../../openapi/validate.ts';
import type { ControlContract } from './control-contract.ts';

const mostReasons = 5;

/** The reasons why a value does not fit the schema at a JSON Pointer; undefined if it does. */
export function explain(
  { validate, description }: Pick<ControlContract, 'validate' | 'description'>,
  schema: string,
  value: unknown,
): string | undefined {
  // A condition is explained by the mismatches inside its branch.
  const mismatches = validate(schema, value).filter(({ expected }) => !expected.startsWith('if '));
  if (mismatches.length === 0) return undefined;
  const root = getAt(description, schema) as Json;
  // Misspelt names first, since they may be why another member is missing.
  mismatches.sort((one, other) => Number(isUnknownMember(other)) - Number(isUnknownMember(one)));
  const reasons = mismatches.slice(0, mostReasons).map((mismatch) => reasonOf(description, root, mismatch));
  const more = mismatches.length - mostReasons;
  return [...new Set(reasons), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** An unknown name, the name that may have been meant, and all known names. */
export function unknownName(name: string, known: readonly string[]): string {
  const guess = nearest(name, known);
  return `${JSON.stringify(shorten(name))}${guess === undefined ? '' : `; did you mean ${JSON.stringify(guess)}?`} (known: ${known.join(', ') || 'none'})`;
}

/** Limits how much of an input an answer repeats. */
export function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function isUnknownMember({ expected }: Mismatch): boolean {
  return expected === 'no such property';
}

function reasonOf(description: Json, root: Json, mismatch: Mismatch): string {
  const { at, expected } = mismatch;
  const segments = parsePointer(at);
  if (isUnknownMember(mismatch)) {
    const [parents, name] = [schemasAt(description, root, segments.slice(0, -1)), segments.at(-1) ?? ''];
    const known = parents.flatMap(({ properties }) => Object.keys((properties ?? {}) as Json));
    return `${shorten(at)}: there is no member ${unknownName(name, [...new Set(known)])}`;
  }
  const described = schemasAt(description, root, segments).find(
    (schema) =>
      typeof schema.description === 'string' &&
      ('oneOf' in schema || 'pattern' in schema || 'format' in schema),
  );
  return `${shorten(at) || 'the body'}: expected ${described ? String(described.description) : expected}`;
}

/** The schemas that apply to a part of a value. */
function schemasAt(description: Json, schema: Json, [name, ...rest]: readonly string[]): Json[] {
  const own = alternativesOf(description, schema);
  if (name === undefined) return own;
  return own.flatMap((one) => childrenOf(one, name)).flatMap((child) => schemasAt(description, child, rest));
}

function alternativesOf(description: Json, schema: Json): Json[] {
  const { $ref } = schema;
  const own = typeof $ref === 'string' ? (getAt(description, $ref.slice(1)) as Json) : schema;
  const others = [own.oneOf, own.anyOf, own.allOf].flatMap((list) => (list ?? []) as Json[]);
  return [own, ...others.flatMap((one) => alternativesOf(description, one))];
}

function childrenOf({ properties, additionalProperties, items }: Json, name: string): Json[] {
  const own = getAt(properties, `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return (own === undefined ? [additionalProperties, items] : [own]).filter(isObject);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
