// The fields of JSON, flat and by their pointers: as a schema describes them, or as values show them.
import { isObject, type Json } from '../../openapi/json.ts';
import { formatPointer } from '../../openapi/json-pointer.ts';
import type { Field, FieldType } from './described-operation.ts';
import { LearnError } from './learn-error.ts';

/** `visits`: schemas looked at for one body, and for all; alternatives of alternatives are many. */
const most = { depth: 10, fields: 600, visits: 4_000, visitsInAll: 1_000_000, values: 50 };

/** In characters; longer ones are passed over. */
export const longestName = 1_000;

/** Returns a schema with its references followed; undefined for what is none. */
export type Follow = (node: unknown) => Json | undefined;

/** Requests have no fields that are `readOnly`, and answers none that are `writeOnly`. */
export type Hidden = 'readOnly' | 'writeOnly';

/** Returns all fields by a schema, the root first; undefined if the schema says nothing. Throws LearnError. */
export type ReadFields = (schema: unknown, hidden: Hidden) => Field[] | undefined;

interface At {
  pointer: string;
  isRequired: boolean;
  depth: number;
}

/** `name` is what messages call the description. */
export function createFieldReader(follow: Follow, name: string): ReadFields {
  const known = { readOnly: new WeakMap<Json, Field[]>(), writeOnly: new WeakMap<Json, Field[]>() };
  let visitsInAll = 0;
  const read = (root: Json, hidden: Hidden): Field[] => {
    const fields = new Map<string, Field>();
    /** The schemas that the walk is in. */
    const path = new Set<Json>();
    let visits = 0;
    const visit = (node: unknown, at: At): void => {
      visits += 1;
      if (at.depth > most.depth || visits > most.visits || fields.size > most.fields) return;
      const schema = follow(node);
      if (!schema || schema[hidden] === true) return;
      fields.set(at.pointer, join(fields.get(at.pointer), schema, at));
      if (path.has(schema)) return;
      path.add(schema);
      for (const [part, place] of partsOf(schema, at)) visit(part, place);
      path.delete(schema);
    };
    visit(root, { pointer: '', isRequired: true, depth: 0 });
    visitsInAll += visits;
    if (visitsInAll > most.visitsInAll)
      throw new LearnError(
        `${name}: its schemas hold one another too often; give the part of it that is about the service`,
      );
    return [...fields.values()];
  };
  return (schema, hidden) => {
    const target = follow(schema);
    if (!target) return undefined;
    const fields = known[hidden].get(target) ?? read(target, hidden);
    known[hidden].set(target, fields);
    return fields.some(({ types }) => types.length > 0) ? fields : undefined;
  };
}

/** The schemas in a schema, and where their values are. */
function partsOf(schema: Json, at: At): (readonly [part: unknown, at: At])[] {
  const alternatives = [...listOf(schema.oneOf), ...listOf(schema.anyOf)];
  const isOnly = alternatives.filter((part) => !isObject(part) || part.type !== 'null').length === 1;
  const required = new Set(listOf(schema.required));
  const members = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const properties = members.filter(([name]) => name.length <= longestName);
  const items = isObject(schema.items) ? schema.items : listOf(schema.prefixItems)[0];
  const depth = at.depth + 1;
  return [
    ...listOf(schema.allOf).map((part) => [part, at] as const),
    ...alternatives.map((part) => [part, { ...at, isRequired: at.isRequired && isOnly }] as const),
    ...properties.map(([name, part]) => {
      // Some generators mark the property itself.
      const isMarked = required.has(name) || (isObject(part) && part.required === true);
      const pointer = at.pointer + formatPointer([name]);
      return [part, { pointer, isRequired: at.isRequired && isMarked, depth }] as const;
    }),
    [items, { pointer: `${at.pointer}/*`, isRequired: false, depth }],
  ];
}

/** What a schema says of a field, with what others have said of it. */
function join(known: Field | undefined, schema: Json, { pointer, isRequired }: At): Field {
  const stated = Object.hasOwn(schema, 'const') ? [schema.const] : listOf(schema.enum).slice(0, most.values);
  const allowed = stated.length > 0 ? stated : known?.allowed;
  const preset = schema.default ?? known?.default;
  const leftOut = Math.max(known?.leftOut ?? 0, Number(textOf(schema[leftOutKey])));
  return {
    pointer,
    types: [...new Set([...(known?.types ?? []), ...typesOf(schema)])],
    isRequired: isRequired || (known?.isRequired ?? false),
    ...(allowed && { allowed }),
    ...(preset !== undefined && { default: preset }),
    ...(leftOut > 0 && { leftOut }),
  };
}

const types: readonly FieldType[] = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'];

function typesOf({ type, nullable, properties, additionalProperties, items }: Json): FieldType[] {
  const stated = types.filter((one) => [type].flat().includes(one));
  const object: FieldType[] = isObject(properties) || isObject(additionalProperties) ? ['object'] : [];
  const implied: FieldType[] = items ? ['array'] : object;
  return [...(stated.length > 0 ? stated : implied), ...(nullable === true ? (['null'] as const) : [])];
}

/** How many members of a value are not shown. */
const leftOutKey = 'x-left-out';

/** What of values is shown: all names and no value, unless something else is said. */
export interface Shown {
  isShownName?: (name: string) => boolean;
  isShownValue?: (value: unknown, name: string) => boolean;
}

/** Returns the fields that values have, the root first. A value that is shown is the only one that its field may have. */
export function fieldsOfValues(values: readonly unknown[], shown: Shown = {}): Field[] {
  const follow = (node: unknown) => (isObject(node) ? node : undefined);
  const anyOf = values.slice(0, most.values).map((value) => schemaOf(value, shown));
  return createFieldReader(follow, 'values')({ anyOf }, 'readOnly') ?? [];
}

function schemaOf(value: unknown, shown: Shown, { depth = 0, name = '' } = {}): Json {
  if (depth > most.depth) return {};
  const within = (part: unknown, as = name) => schemaOf(part, shown, { depth: depth + 1, name: as });
  if (Array.isArray(value))
    return { type: 'array', items: { anyOf: value.slice(0, most.values).map((item) => within(item)) } };
  if (isObject(value)) {
    const all = Object.entries(value);
    const members = all.filter(([one]) => shown.isShownName?.(one) ?? true);
    const properties = Object.fromEntries(members.map(([one, part]) => [one, within(part, one)]));
    return { type: 'object', properties, [leftOutKey]: all.length - members.length };
  }
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  const type = value === null ? 'null' : isInteger ? 'integer' : typeof value;
  return { type, ...(shown.isShownValue?.(value, name) && { const: value }) };
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** A text or a number as a text; "" for all else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The same, cut: nobody reads more of a name or a summary. */
export function shortText(value: unknown): string {
  return textOf(value).slice(0, longestName);
}
