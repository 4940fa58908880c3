// The fields of a JSON Schema, flat: by their pointers, with alternatives and inheritance joined.
import { isObject, type Json } from '../../../openapi/json.ts';
import { formatPointer } from '../../../openapi/json-pointer.ts';
import type { Field, FieldType } from '../described-operation.ts';
import { LearnError } from '../learn-error.ts';
import type { Follow } from './references.ts';

const deepest = 10;
/** Of one body. */
const mostFields = 600;
/** Schemas looked at for one body, and for all: alternatives of alternatives are many. */
const mostVisits = 4_000;
const mostVisitsInAll = 1_000_000;
const mostValues = 50;
const longestText = 1_000;

export interface SchemaReader {
  /** All fields that requests or answers have by a schema, the root first; undefined where the schema says nothing. */
  fieldsOf(schema: unknown, use: Use): Field[] | undefined;
  /** A parameter, by its schema. */
  parameter(name: string, schema: unknown): Field;
}

type Use = 'request' | 'answer';

/** `name` is what messages call the description. What the reader throws is a LearnError. */
export function createSchemaReader(follow: Follow, name: string): SchemaReader {
  let visits = 0;
  const known = { request: new WeakMap<Json, Field[]>(), answer: new WeakMap<Json, Field[]>() };
  const walkThrough = (schema: Json, use: Use): Field[] => {
    const hidden = use === 'request' ? 'readOnly' : 'writeOnly';
    const walk: Walk = { follow, hidden, fields: new Map(), path: new Set(), visits: 0 };
    visit(schema, { pointer: '', isRequired: true, depth: 0 }, walk);
    visits += walk.visits;
    if (visits > mostVisitsInAll)
      throw new LearnError(
        `${name}: its schemas hold one another too often; give the part of it that is about the service`,
      );
    const [root, ...fields] = walk.fields.values();
    const isCut = walk.visits > mostVisits || walk.fields.size > mostFields;
    return root ? [{ ...root, ...(isCut && { isCut }) }, ...fields] : [];
  };
  const fieldsOf = (schema: unknown, use: Use): Field[] | undefined => {
    const target = follow(schema);
    if (!target) return undefined;
    const fields = known[use].get(target) ?? walkThrough(target, use);
    known[use].set(target, fields);
    return fields.some(({ types }) => types.length > 0) ? fields : undefined;
  };
  const nothing: Field = { pointer: '', types: [], isRequired: true, texts: [], values: [] };
  return {
    fieldsOf,
    parameter: (name, schema) => ({
      ...(fieldsOf(schema, 'request')?.[0] ?? nothing),
      pointer: formatPointer([name]),
    }),
  };
}

interface Walk {
  follow: Follow;
  /** The mark of fields that are left out. */
  hidden: 'readOnly' | 'writeOnly';
  fields: Map<string, Field>;
  /** The schemas that the walk is in. */
  path: Set<Json>;
  visits: number;
}

interface At {
  pointer: string;
  isRequired: boolean;
  depth: number;
}

function visit(node: unknown, at: At, walk: Walk): void {
  walk.visits += 1;
  if (at.depth > deepest || walk.visits > mostVisits || walk.fields.size > mostFields) return;
  const schema = walk.follow(node);
  if (!schema || schema[walk.hidden] === true) return;
  addField(schema, at, walk);
  if (walk.path.has(schema)) return;
  walk.path.add(schema);
  visitParts(schema, at, walk);
  walk.path.delete(schema);
}

function visitParts(schema: Json, at: At, walk: Walk): void {
  for (const part of listOf(schema.allOf)) visit(part, at, walk);
  const alternatives = [...listOf(schema.oneOf), ...listOf(schema.anyOf)].filter((part) => !isNull(part));
  const isOnly = alternatives.length === 1;
  for (const part of alternatives) visit(part, { ...at, isRequired: at.isRequired && isOnly }, walk);
  const required = new Set(listOf(schema.required));
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  for (const [name, part] of properties) {
    const isRequired = at.isRequired && (required.has(name) || isRequiredHere(part));
    visit(part, { pointer: at.pointer + formatPointer([name]), isRequired, depth: at.depth + 1 }, walk);
  }
  const items = isObject(schema.items) ? schema.items : listOf(schema.prefixItems)[0];
  if (items) visit(items, { pointer: `${at.pointer}/*`, isRequired: false, depth: at.depth + 1 }, walk);
}

function isNull(part: unknown): boolean {
  return isObject(part) && part.type === 'null';
}

/** As some generators say it, against the standard. */
function isRequiredHere(part: unknown): boolean {
  return isObject(part) && part.required === true;
}

function addField(schema: Json, { pointer, isRequired }: At, { fields }: Walk): void {
  const known = fields.get(pointer);
  const allowed = allowedIn(schema) ?? known?.allowed;
  const format = typeof schema.format === 'string' ? schema.format : known?.format;
  const preset = schema.default ?? known?.default;
  const examples = unique([...(known?.examples ?? []), ...examplesOf(schema)]).slice(0, mostValues);
  fields.set(pointer, {
    pointer,
    types: unique([...(known?.types ?? []), ...typesOf(schema)]),
    isRequired: isRequired || (known?.isRequired ?? false),
    texts: unique([...(known?.texts ?? []), ...textsOf(schema)]),
    values: unique([...(known?.values ?? []), ...valuesOf(schema)]).slice(0, mostValues),
    ...(format !== undefined && { format: format.slice(0, 50) }),
    ...(allowed && { allowed }),
    ...(preset !== undefined && { default: preset }),
    ...(examples.length > 0 && { examples }),
  });
}

function allowedIn(schema: Json): unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const];
  const all = listOf(schema.enum);
  return all.length > 0 ? all.slice(0, mostValues) : undefined;
}

function valuesOf(schema: Json): unknown[] {
  const preset = schema.default === undefined ? [] : [schema.default];
  return [...(allowedIn(schema) ?? []), ...preset, ...examplesOf(schema)];
}

function examplesOf(schema: Json): unknown[] {
  const single = schema.example === undefined ? [] : [schema.example];
  return [...single, ...listOf(schema.examples).slice(0, mostValues)];
}

/** What people say of it. */
export function textsOf(node: Json): string[] {
  return [node.title, node.description]
    .filter((text) => typeof text === 'string')
    .map((text) => text.slice(0, longestText));
}

const types: readonly FieldType[] = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'];

function typesOf(schema: Json): FieldType[] {
  const stated = [schema.type].flat();
  const named = types.filter((type) => stated.includes(type));
  const nothing: FieldType[] = schema.nullable === true ? ['null'] : [];
  return [...(named.length > 0 ? named : impliedTypes(schema)), ...nothing];
}

function impliedTypes(schema: Json): FieldType[] {
  if (isObject(schema.properties) || isObject(schema.additionalProperties)) return ['object'];
  if (schema.items || schema.prefixItems) return ['array'];
  if (schema.type === 'file') return ['string'];
  const kinds = (allowedIn(schema) ?? []).map((value) => (value === null ? 'null' : typeof value));
  return types.filter((type) => kinds.includes(type as 'string'));
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function unique<T>(all: readonly T[]): T[] {
  return [...new Set(all)];
}
