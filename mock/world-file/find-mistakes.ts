// Finds all mistakes in a world seed; the messages never repeat what may be secret.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json } from '../../openapi/json.ts';
import { parsePointer } from '../../openapi/json-pointer.ts';
import { nearest } from '../../openapi/nearest.ts';
import { isReceivingUrl } from '../world/receiving-url.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { findDuplicates } from './find-duplicates.ts';
import type { Mistake } from './seed-path.ts';
import { worldSeedSchema } from './seed-schema.ts';

/** All mistakes in a seed; empty for a valid one. */
export function findMistakes(seed: unknown): Mistake[] {
  compiled ??= compile();
  const isSeed = compiled;
  return isSeed(seed) ? findDuplicates(seed) : (isSeed.errors ?? []).map(toMistake);
}

/** Compiled at the first seed: it takes longer than checking one. */
let compiled: ValidateFunction<WorldSeed> | undefined;

function compile(): ValidateFunction<WorldSeed> {
  const ajv = new Ajv2020({ allErrors: true, verbose: true });
  ajv.addFormat('receiving-url', isReceivingUrl);
  return ajv.compile<WorldSeed>(worldSeedSchema());
}

function toMistake(error: ErrorObject): Mistake {
  const { keyword, instancePath, params, data, parentSchema: schema = {} } = error;
  const path = parsePointer(instancePath).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  if (keyword === 'additionalProperties') {
    const member = String(params.additionalProperty);
    return { path, member, text: unknownMemberText(member, schema, data as Json) };
  }
  if (keyword === 'required') {
    const missing = String(params.missingProperty);
    return { path: [...path, missing], text: `is missing; expected ${childOf(schema, missing).description}` };
  }
  return { path, text: mismatchText(error) };
}

function unknownMemberText(member: string, schema: Json, data: Json): string {
  const known = Object.keys(schema.properties as Json);
  const names = `(known: ${known.join(', ')})`;
  // When a name or a colon was forgotten, the member's name may be a password.
  if (data[member] === null || !/^(?!sp_)[\w-]{1,40}$/.test(member))
    return `there is a member with an unknown name ${names}`;
  const guess = nearest(member, known);
  return `there is no member "${member}"${guess ? `; did you mean "${guess}"?` : ''} ${names}`;
}

function mismatchText({ keyword, params, data, parentSchema: schema = {} }: ErrorObject): string {
  if (keyword === 'maxItems')
    return `there are ${(data as unknown[]).length}; expected at most ${params.limit}`;
  if (keyword === 'minItems') return 'is empty; expected at least one';
  if (keyword === 'maximum') return `expected at most ${mostOf(params.limit)}; it is ${data}`;
  const found = describe(data, schema);
  return `expected ${schema.description}${found && `; it is ${found}`}${quotingHint(data, schema)}`;
}

function mostOf(limit: number): string {
  return limit === Number.MAX_SAFE_INTEGER
    ? `9223372036854775807, in code a bigint above ${limit}`
    : String(limit);
}

/** A value in the wrong place may be a password, so only values in the place of a plain value are repeated. */
function describe(data: unknown, { type, writeOnly }: Json): string {
  if (data === null) return 'null';
  if (Array.isArray(data)) return 'a list';
  if (typeof data === 'object') return 'a map';
  if (!writeOnly && type !== 'object' && type !== 'array') return shorten(JSON.stringify(data));
  if (typeof data === 'string') return writeOnly ? '' : 'a text';
  return typeof data === 'number' ? 'a number' : 'true or false';
}

function quotingHint(data: unknown, { type }: Json): string {
  const isBare = typeof data === 'number' || typeof data === 'boolean';
  return type === 'string' && isBare ? '; put it in quotes' : '';
}

function childOf({ properties }: Json, name: string): Json {
  return (properties as Record<string, Json>)[name] ?? {};
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
