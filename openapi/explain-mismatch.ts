// Explains why a value is not one of a gap's possible values.
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';
import { isObject, type Json } from './json.ts';
import { parsePointer } from './json-pointer.ts';
import { ajv } from './libraries.ts';
import { didYouMean, nearest } from './nearest.ts';
import { bySchema, callPath, callSchema, type Gap, membersOf } from './registers.ts';
import { doneBy, queryOf, splitPath } from './stated-call.ts';
import { placeholdersOf, wholePlaceholder } from './template.ts';

let made: Ajv2020 | undefined;

function checker(): Ajv2020 {
  made ??= new (ajv().Ajv2020)({ strict: false, allErrors: true, verbose: true, validateSchema: false });
  return made;
}

/** Why `value` does not fill `gap`; empty when it does. */
export function explainMismatch(gap: Gap, value: unknown): string[] {
  const reasons =
    gap.kind === 'operation' && isObject(value) ? explainCall(gap, value) : explainValue(gap, value);
  return reasons.length > 0 ? reasons : explainPlaceholders(gap, value);
}

/** One schema serves all operations, since compiling one for each would take longer than everything else. */
function explainCall(gap: Gap, value: Json): string[] {
  if (gap.by && 'by' in value)
    return explainBy(bySchema(gap.by), value).map((reason) => `${gap.id}${reason}`);
  const known = membersOf(gap);
  const isKnown = ([name]: [string, unknown]) => known.includes(name);
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  const members = Object.fromEntries(Object.entries(value).filter(isKnown));
  const reasons = [
    ...unknown.map((name) => explainUnknownMember(name, known)),
    ...explainBy(callSchema, members),
  ];
  return reasons.map((reason) => `${gap.id}${reason}`);
}

function explainValue(gap: Gap, value: unknown): string[] {
  if (checker().validate(gap.schema, value)) return [];
  const described = alternativesOf(gap.schema).find(describesObject);
  const reasons = isObject(value) && described ? explainBy(described, value) : [];
  return reasons.length > 0
    ? reasons.map((reason) => `${gap.id}${reason}`)
    : [`${gap.id} is ${JSON.stringify(value)}; expected ${expectation(gap)}. ${gap.question}`];
}

function explainBy(schema: Json, value: object): string[] {
  if (checker().validate(schema, value)) return [];
  // A wrong name is reported by a second error, which says more.
  const errors = (checker().errors ?? []).filter(({ keyword }) => keyword !== 'propertyNames');
  return [...new Set(errors.map(explainInside))];
}

function explainInside(error: ErrorObject): string {
  const { keyword, instancePath, params, data, parentSchema = {} } = error;
  const at = parsePointer(instancePath)
    .map((name) => `.${name}`)
    .join('');
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema.properties as object | undefined) ?? {});
    return `${at}${explainUnknownMember(String(params.additionalProperty), known)}`;
  }
  if (keyword === 'required')
    return `${at} has no "${params.missingProperty}"; state a method and a path, such as { method: POST, path: /tenant/sites }`;
  const what = error.propertyName === undefined ? 'is' : 'has a member named';
  return `${at} ${what} ${JSON.stringify(data)}; expected ${describe(parentSchema)}`;
}

function explainUnknownMember(name: string, known: readonly string[]): string {
  return ` has no member "${name}"${didYouMean(name, known)} (known: ${known.join(', ')})`;
}

function explainPlaceholders(gap: Gap, value: unknown): string[] {
  if (!gap.placeholders || !isObject(value)) return [];
  if (gap.kind !== 'operation') return explainUnknownPlaceholders(gap.id, value, gap.placeholders);
  if (doneBy(value) !== undefined) return [];
  const { path, query: _query, body, ...others } = value;
  const query = queryOf(value);
  const ofPages = gap.query ?? [];
  const known = [...gap.placeholders, ...ofPages];
  return [
    ...explainUnknownPlaceholders(gap.id, [splitPath(String(path)).path, others], gap.placeholders),
    ...explainUnknownPlaceholders(gap.id, body, known),
    ...explainUnknownPlaceholders(
      `${gap.id}.query`,
      query.map(([, text]) => text),
      known,
    ),
    ...query.flatMap(([name, text]) => explainPartOfText(`${gap.id}.query.${name}`, text, ofPages)),
  ];
}

/** What says which page is meant is a number or a cursor, and never a part of a longer text. */
function explainPartOfText(at: string, text: string, names: readonly string[]): string[] {
  const name = placeholdersOf(text).find((one) => names.includes(one));
  if (name === undefined || wholePlaceholder(text) === name) return [];
  return [`${at} is ${JSON.stringify(text)}; expected "{${name}}" and nothing else`];
}

function explainUnknownPlaceholders(at: string, template: unknown, known: readonly string[]): string[] {
  const names = known.map((name) => `{${name}}`);
  const unknown = placeholdersOf(template).filter((name) => !known.includes(name));
  return unknown.map((name) => {
    const guess = nearest(name, known);
    return `${at} has the placeholder "{${name}}"${guess ? `; did you mean "{${guess}}"?` : ''} (known: ${names.join(', ') || 'none'})`;
  });
}

function expectation({ kind, schema, default: guess }: Gap): string {
  if (kind === 'operation') return '"not-offered", "unknown" or a map with method and path';
  return alternativesOf(schema)
    .map((one) => describe(one, guess))
    .join(' or ');
}

/** What a schema asks for, in words. Any other pattern is shown with a value that matches it. */
function describe(schema: Json, match?: unknown): string {
  const { type, pattern, minimum, maximum, minProperties, maxLength } = schema;
  if (Array.isArray(schema.enum)) return `one of ${listOf(schema.enum)}`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (type === 'integer')
    return minimum === undefined
      ? 'a whole number other than 0'
      : `a whole number from ${minimum} to ${maximum}`;
  if (type === 'object') return minProperties === undefined ? 'a map' : 'a map with at least one member';
  if (Array.isArray(type)) return 'a text or a number: a placeholder, or a constant';
  if (typeof pattern !== 'string') return `a name of 1 to ${maxLength} characters`;
  if (pattern === callPath)
    return 'a path that starts with "/", with its query if it has one, and without blanks, "#" and "*"';
  if (pattern.includes('~[01]'))
    return `a JSON Pointer into the response body such as /data/token${pattern.includes('absent') ? ', or "absent"' : ''}`;
  return `a text such as ${JSON.stringify(match)} (it must match ${pattern})`;
}

function alternativesOf(schema: Json): Json[] {
  return (schema.oneOf as Json[] | undefined) ?? [schema];
}

function describesObject(schema: Json): boolean {
  return schema.type === 'object';
}

function listOf(values: unknown): string {
  return (values as unknown[]).map(String).join(', ');
}
