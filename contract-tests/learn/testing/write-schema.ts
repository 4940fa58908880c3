// Writes values as the schemas of a description.
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../openapi/json.ts';
import type { ApiValue } from './api-model.ts';

/** What a value is for: the same class may be another one in a request. */
type Purpose = 'request' | 'response';

/** How a framework writes schemas. */
export interface Dialect {
  version: '2.0' | '3.0' | '3.1';
  language: 'en' | 'zh';
  /** The name of a class; undefined where objects are written in their places. */
  className?: (model: string, purpose: Purpose) => string;
  /** How probably a field is described whose name says enough. */
  descriptions: number;
  /** How probably a value has an example. */
  examples?: number;
  /** Whether fields that must be there are marked as such. */
  marksRequired: boolean;
  /** The name of the class of a field with few values; undefined where those stand in their places. */
  enumName?: (name: string) => string;
  /** What a class says besides its properties; `name` is that of the class. */
  finishClass?: (schema: Json, name: string) => Json;
  /** Changes a schema that is written; `name` is that of the property, if it is one. */
  finish?: (schema: Json, value: ApiValue, name: string | undefined) => Json;
}

export interface SchemaWriter {
  write(value: ApiValue, purpose: Purpose, name?: string): Json;
  /** Adds a class, and returns a reference to it; a number follows its name where that is taken by another. */
  add(name: string, schema: Json): Json;
  components: Record<string, Json>;
}

export function createSchemaWriter(
  dialect: Dialect,
  chance: (key: string, probability: number) => boolean,
): SchemaWriter {
  const components: Record<string, Json> = {};
  const prefix = dialect.version === '2.0' ? '#/definitions/' : '#/components/schemas/';
  const add = (name: string, schema: Json): Json => {
    let free = name;
    for (let count = 2; components[free] && !isDeepStrictEqual(components[free], schema); count++)
      free = `${name}${count}`;
    components[free] = schema;
    return { $ref: prefix + free.replaceAll('/', '~1') };
  };
  const write = (value: ApiValue, purpose: Purpose, name?: string): Json => {
    const schema = writeValue(value, purpose, name);
    return dialect.finish?.(schema, value, name) ?? schema;
  };
  const writeValue = (value: ApiValue, purpose: Purpose, name: string | undefined): Json => {
    const key = `${value.model ?? ''}.${name ?? ''}`;
    const says =
      value.words && (value.needsWords || (name !== undefined && chance(key, dialect.descriptions)));
    const description = says ? value.words?.[dialect.language] || value.words?.en : undefined;
    const about = { ...(description && { description }) };
    if (value.type === 'object' && value.properties) {
      const schema = writeObject(value, purpose);
      if (!dialect.className || !value.model || value.properties.length === 0) return { ...schema, ...about };
      const className = plainName(dialect.className(value.model, purpose), dialect);
      const reference = add(className, dialect.finishClass?.(schema, className) ?? schema);
      return refer(reference, about);
    }
    if (dialect.enumName && name !== undefined && (value.values?.length ?? 0) > 1)
      return refer(
        add(plainName(dialect.enumName(name), dialect), { enum: value.values, type: value.type }),
        about,
      );
    const shown =
      value.example !== undefined && !value.constant && chance(`example ${key}`, dialect.examples ?? 0);
    return {
      ...scalar(value, dialect),
      ...arrayOf(value, purpose),
      ...about,
      ...(shown && { example: value.example }),
    };
  };
  /** Before version 3.1 nothing may stand beside a reference. */
  const refer = (reference: Json, about: Json): Json => {
    if (Object.keys(about).length === 0) return reference;
    return dialect.version === '3.1' ? { ...reference, ...about } : { allOf: [reference], ...about };
  };
  const arrayOf = (value: ApiValue, purpose: Purpose): Json =>
    value.type === 'array' && !value.constant
      ? {
          items: write(value.items ?? { type: 'any' }, purpose),
          ...(value.minItems !== undefined && { minItems: value.minItems }),
        }
      : {};
  const writeObject = (value: ApiValue, purpose: Purpose): Json => {
    const properties = (value.properties ?? []).map((property): [string, Json] => [
      property.name,
      { ...write(property.value, purpose, property.name), ...(property.isReadOnly && { readOnly: true }) },
    ]);
    const required = (value.properties ?? []).filter((one) => one.isRequired).map(({ name }) => name);
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(dialect.marksRequired && required.length > 0 && { required }),
    };
  };
  return { write, add, components };
}

function scalar(value: ApiValue, { version }: Dialect): Json {
  const { type, format, pattern, values, constant, isNullable } = value;
  if (constant) return constantSchema(constant.value, type, version);
  if (type === 'any') return {};
  const is31 = version === '3.1';
  return {
    type: isNullable && is31 ? [type, 'null'] : type,
    ...(isNullable && version === '3.0' && { nullable: true }),
    ...(format && { format }),
    ...(pattern && { pattern }),
    ...(values && { enum: [...values] }),
  };
}

/** Version 2.0 and 3.0 know no `const`, and 3.0 no type "null". */
function constantSchema(value: unknown, type: string, version: Dialect['version']): Json {
  if (version === '3.1') return { type, const: value };
  if (value === null)
    return version === '3.0' ? { type: 'object', nullable: true, default: null } : { type: 'object' };
  const items = type === 'array' ? { items: {} } : {};
  return { type, ...items, enum: [value], default: value };
}

/** Names of classes are in Latin letters, but in version 2.0. */
function plainName(name: string, { version }: Dialect): string {
  return version === '2.0' ? name : name.replace(/[^A-Za-z0-9._-]/g, '') || 'Model';
}
