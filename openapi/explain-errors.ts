// Explains JSON Schema errors in words, for profiles, world files and calls of the control API.
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Json } from './json.ts';
import { parentOf, parsePointer } from './json-pointer.ts';
import { didYouMean } from './nearest.ts';

export interface Mistake {
  /** Names and indexes that lead to the mistake. */
  path: readonly string[];
  /** A member of that place that should not be there. */
  member?: string;
  /** For example "is missing; expected a list of tenants". */
  text: string;
}

export interface Wording {
  expected?(schema: Json): string;
  /** Describes the part of a value that a message may show; default: none. */
  found?(value: unknown, schema: Json): string;
}

/** Returns one mistake per place, in the order of Ajv. Requires its options `allErrors` and `verbose`. */
export function explainErrors(errors: readonly ErrorObject[], wording: Wording = {}): Mistake[] {
  const places = placesOf(errors);
  const mistakes = new Map<string, Mistake>();
  for (const error of errors) {
    if (isToldByOthers(error, places)) continue;
    const mistake = explainError(error, wording);
    // The last error of a place is about all its alternatives.
    mistakes.set(JSON.stringify([mistake.path, mistake.member]), mistake);
  }
  return [...mistakes.values()];
}

function placesOf(errors: readonly ErrorObject[]) {
  /** Places where no alternative fits. */
  const alternatives = new Set<string>();
  /** Values with a mistake inside. */
  const outer = new Set<string>();
  for (const { keyword, instancePath } of errors) {
    if (keyword === 'oneOf' || keyword === 'anyOf') alternatives.add(instancePath);
    if (aboutMembers.includes(keyword)) outer.add(instancePath);
    for (let at = instancePath; at !== '' && !outer.has(parentOf(at)); at = parentOf(at))
      outer.add(parentOf(at));
  }
  return { alternatives, outer };
}

/** A mistake inside a value says more than "no alternative fits". Ajv reports `if` and `propertyNames` with a second error. */
function isToldByOthers(
  { keyword, instancePath }: ErrorObject,
  { alternatives, outer }: ReturnType<typeof placesOf>,
): boolean {
  if (keyword === 'if' || keyword === 'propertyNames') return true;
  return !aboutMembers.includes(keyword) && alternatives.has(instancePath) && outer.has(instancePath);
}

const surplus: readonly string[] = ['additionalProperties', 'unevaluatedProperties'];
const aboutMembers: readonly string[] = ['required', ...surplus];

function explainError(error: ErrorObject, { expected = wordsOf, found }: Wording): Mistake {
  const { keyword, instancePath, params, data, parentSchema = {} } = error;
  const path = parsePointer(instancePath);
  if (surplus.includes(keyword)) {
    const member = String(params.additionalProperty ?? params.unevaluatedProperty);
    return { path, member, text: unknownMember(member, Object.keys(propertiesOf(parentSchema)), data) };
  }
  if (keyword === 'required') {
    const missing = String(params.missingProperty);
    const schema = propertiesOf(parentSchema)[missing] ?? {};
    return { path: [...path, missing], text: `is missing; expected ${expected(schema)}` };
  }
  if (keyword === 'minItems') return { path, text: 'is empty; expected at least one' };
  if (keyword === 'maxItems')
    return { path, text: `there are ${(data as unknown[]).length}; expected at most ${params.limit}` };
  const what = `${expected(parentSchema)}${error.propertyName === undefined ? '' : ' as the name of a member'}`;
  const value = found?.(data, parentSchema);
  return { path, text: `expected ${what}${value ? `; it is ${value}` : ''}` };
}

/** Without its colon, a password looks like the name of a member, so messages do not show such names. */
export function unknownMember(name: string, known: readonly string[], holder?: unknown): string {
  const names = known.length > 0 ? ` (known: ${known.join(', ')})` : '';
  const isBare = (holder as Json | undefined)?.[name] === null;
  if (isBare || !/^(?!sp_)[\w-]{1,40}$/.test(name)) return `there is a member with an unknown name${names}`;
  return `there is no member "${name}"${didYouMean(name, known)}${names}`;
}

function propertiesOf({ properties = {} }: Json): Record<string, Json> {
  return properties as Record<string, Json>;
}

/** Prefers the description if the keywords say little. */
function wordsOf(schema: Json): string {
  const { type, description } = schema;
  const alternatives = (schema.oneOf ?? schema.anyOf) as Json[] | undefined;
  const isHard = alternatives || 'pattern' in schema || 'format' in schema || Array.isArray(type);
  if (isHard && typeof description === 'string') return inSentence(description);
  if (alternatives) return alternatives.map(wordsOf).join(' or ');
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map(String).join(', ')}`;
  if ('const' in schema) return JSON.stringify(schema.const);
  return wordsOfType[String(type)]?.(schema) ?? `${type ?? 'another value'}`;
}

function inSentence(description: string): string {
  return description.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()).replace(/\.$/, '');
}

const wordsOfType: Readonly<Record<string, (schema: Json) => string>> = {
  integer: (schema) => `a whole number${rangeOf(schema)}`,
  number: (schema) => `a number${rangeOf(schema)}`,
  boolean: () => 'true or false',
  null: () => 'null',
  array: ({ description }) =>
    typeof description === 'string' ? `a list of ${inSentence(description)}` : 'a list',
  object: ({ required, minProperties, maxProperties, properties }) => {
    if (Array.isArray(required) && required.length > 0) return `a map with ${required.join(' and ')}`;
    if (minProperties !== undefined)
      return `a map with at least one ${properties ? `of ${Object.keys(properties).join(', ')}` : 'member'}`;
    return maxProperties === undefined
      ? 'a map'
      : `a map with at most ${maxProperties} member${maxProperties === 1 ? '' : 's'}`;
  },
  string: ({ pattern, format, minLength = 0, maxLength, default: example }) => {
    const such = example === undefined ? '' : ` such as ${JSON.stringify(example)}`;
    if (pattern !== undefined) return `a text${such} that matches ${pattern}`;
    if (format !== undefined) return `a text of the format ${format}`;
    if (maxLength !== undefined) return `a text of ${minLength} to ${maxLength} characters`;
    return minLength === 0 ? 'a text' : `a text of at least ${minLength} characters`;
  },
};

function rangeOf({ minimum, maximum, not }: Json): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` from ${minimum}`;
  if (maximum !== undefined) return ` of at most ${maximum}`;
  return not === undefined ? '' : ` other than ${(not as Json).const}`;
}
