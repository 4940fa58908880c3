// Flattens a JSON schema to fields by JSON Pointer.
import { isObject, type Json } from '../../openapi/json.ts';
import { formatPointer } from '../../openapi/json-pointer.ts';
import type { Field } from './described-operation.ts';
import { LearnError } from './learn-error.ts';

/** `nesting`: schemas within schemas. `visits`: visited schemas per body, `allVisits` in total. */
export const most = { depth: 10, nesting: 200, fields: 600, visits: 4_000, allVisits: 1_000_000, values: 50 };

/** In characters; longer names are ignored. */
export const longestName = 1_000;

/** Requests omit `readOnly` fields, answers `writeOnly` ones. */
type Hidden = 'readOnly' | 'writeOnly';

interface At {
  pointer: string;
  isRequired: boolean;
  depth: number;
}

/** The returned function gives all fields of a schema, the root first, or undefined for an empty one. It throws LearnError. `name`: the description in messages. */
export function createFieldReader(follow: (node: unknown) => Json | undefined, name: string) {
  const known = { readOnly: new WeakMap<Json, Field[]>(), writeOnly: new WeakMap<Json, Field[]>() };
  let allVisits = 0;
  const read = (root: Json, hidden: Hidden): Field[] => {
    const fields = new Map<string, Field>();
    /** Schemas around the current one, to stop at circles. */
    const path = new Set<Json>();
    let visits = 0;
    const visit = (node: unknown, at: At): void => {
      visits += 1;
      const isDeep = at.depth > most.depth || path.size > most.nesting;
      if (isDeep || visits > most.visits || fields.size > most.fields) return;
      const schema = follow(node);
      if (!schema || schema[hidden] === true) return;
      fields.set(at.pointer, join(fields.get(at.pointer), schema, at));
      if (path.has(schema)) return;
      path.add(schema);
      for (const [part, place] of partsOf(schema, at)) visit(part, place);
      path.delete(schema);
    };
    visit(root, { pointer: '', isRequired: true, depth: 0 });
    allVisits += visits;
    if (allVisits > most.allVisits)
      throw new LearnError(`${name}: its schemas contain each other too often; pass a part of it`);
    return [...fields.values()];
  };
  return (schema: unknown, hidden: Hidden): Field[] | undefined => {
    const target = follow(schema);
    if (!target) return undefined;
    const fields = known[hidden].get(target) ?? read(target, hidden);
    known[hidden].set(target, fields);
    return fields.some(({ types }) => types.length > 0) ? fields : undefined;
  };
}

function partsOf(schema: Json, at: At): (readonly [part: unknown, at: At])[] {
  const alternatives = [...listOf(schema.oneOf), ...listOf(schema.anyOf)];
  const isOnly = alternatives.filter((part) => !isObject(part) || part.type !== 'null').length === 1;
  const required = new Set(listOf(schema.required));
  const members = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const properties = members.filter(([name]) => name.length <= longestName);
  const depth = at.depth + 1;
  return [
    ...listOf(schema.allOf).map((part) => [part, at] as const),
    ...alternatives.map((part) => [part, { ...at, isRequired: at.isRequired && isOnly }] as const),
    ...properties.map(([name, part]) => {
      const pointer = at.pointer + formatPointer([name]);
      return [part, { pointer, isRequired: at.isRequired && required.has(name), depth }] as const;
    }),
    [schema.items, { pointer: `${at.pointer}/*`, isRequired: false, depth }],
  ];
}

/** Merges several schemas of the same field. */
function join(known: Field | undefined, schema: Json, { pointer, isRequired }: At): Field {
  const stated = Object.hasOwn(schema, 'const') ? [schema.const] : listOf(schema.enum).slice(0, most.values);
  const allowed = stated.length > 0 ? stated : known?.allowed;
  const preset = schema.default ?? known?.default;
  return {
    pointer,
    types: [...new Set([...(known?.types ?? []), ...typesOf(schema)])],
    isRequired: isRequired || (known?.isRequired ?? false),
    ...(allowed && { allowed }),
    ...(preset !== undefined && { default: preset }),
  };
}

function typesOf({ type, properties, additionalProperties, items }: Json): string[] {
  const stated = [type].flat().filter((one) => typeof one === 'string');
  if (stated.length > 0) return stated;
  const isMap = isObject(properties) || isObject(additionalProperties);
  return items ? ['array'] : isMap ? ['object'] : [];
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** "" unless the value is a text or a number. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function shortText(value: unknown): string {
  return textOf(value).slice(0, longestName);
}
