// Says in a sentence why a value is none of a gap's possible values.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { nearest } from './nearest.ts';
import { callSchema, type Gap, type Json, membersOf } from './registers.ts';
import { placeholdersOf } from './template.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, validateSchema: false });

/** The reasons why `value` does not fill `gap`; none if it does. */
export function explainMismatch(gap: Gap, value: unknown): string[] {
  const reasons =
    gap.kind === 'operation' && isObject(value) ? explainCall(gap, value) : explainValue(gap, value);
  return reasons.length > 0 ? reasons : explainPlaceholders(gap, value);
}

/** By one schema for all operations: compiling one for each would take longer than everything else. */
function explainCall(gap: Gap, value: object): string[] {
  const known = membersOf(gap);
  const isKnown = ([name]: [string, unknown]) => known.includes(name);
  const strangers = Object.keys(value).filter((name) => !known.includes(name));
  const members = Object.fromEntries(Object.entries(value).filter(isKnown));
  const reasons = [
    ...strangers.map((name) => explainStranger(name, known)),
    ...explainBy(callSchema, members),
  ];
  return reasons.map((reason) => `${gap.id}${reason}`);
}

function explainValue(gap: Gap, value: unknown): string[] {
  if (ajv.validate(gap.schema, value)) return [];
  const described = alternativesOf(gap.schema).find(describesObject);
  const reasons = isObject(value) && described ? explainBy(described, value) : [];
  return reasons.length > 0
    ? reasons.map((reason) => `${gap.id}${reason}`)
    : [`${gap.id} is ${JSON.stringify(value)}; expected ${expectation(gap)}. ${gap.question}`];
}

function explainBy(schema: Json, value: object): string[] {
  return ajv.validate(schema, value) ? [] : (ajv.errors ?? []).map(explainInside);
}

function explainInside(error: ErrorObject): string {
  const at = error.instancePath.replaceAll('/', '.');
  if (error.keyword === 'additionalProperties') {
    const known = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
    return `${at}${explainStranger(String(error.params.additionalProperty), known)}`;
  }
  if (error.keyword === 'not') return `${at} can't be ${JSON.stringify(error.data)}`;
  if (error.keyword === 'required') return `${at} lacks "${error.params.missingProperty}"`;
  return `${at} ${error.message ?? 'does not fit'}${error.keyword === 'enum' ? `: ${listOf(error.params.allowedValues)}` : ''}`;
}

function explainStranger(name: string, known: readonly string[]): string {
  const guess = nearest(name, known);
  return ` has no member "${name}"${guess ? `; did you mean "${guess}"?` : ''} (known: ${known.join(', ')})`;
}

function explainPlaceholders(gap: Gap, value: unknown): string[] {
  const known = gap.placeholders;
  if (!known || !isObject(value)) return [];
  const unknown = placeholdersOf(value).filter((name) => !known.includes(name));
  return unknown.map((name) => {
    const guess = nearest(name, known);
    return `${gap.id} has the placeholder "{${name}}"${guess ? `; did you mean "{${guess}}"?` : ''} (known: ${known.map((one) => `{${one}}`).join(', ') || 'none'})`;
  });
}

function expectation({ kind, schema }: Gap): string {
  if (kind === 'operation') return '"not-offered" or a map with method and path';
  const texts = alternativesOf(schema).map((one) => {
    if (Array.isArray(one.enum)) return `one of ${listOf(one.enum)}`;
    if ('const' in one) return JSON.stringify(one.const);
    if (kind === 'pointer')
      return `a JSON Pointer into the response body such as /data/token${String(one.pattern).includes('absent') ? ', or "absent"' : ''}`;
    if (one.type === 'integer' && 'minimum' in one)
      return `a whole number from ${one.minimum} to ${one.maximum}`;
    if (one.type === 'string' && one.pattern) return `a string that matches ${one.pattern}`;
    return one.type === 'string' ? 'a string' : 'a map';
  });
  return texts.join(' or ');
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
