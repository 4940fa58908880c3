// Writes the schemas of the bodies that operations take.
import type { Json } from '../../../openapi/json.ts';
import type { ApiOperation, ApiValue } from './api-model.ts';
import type { Framework } from './framework.ts';
import type { SchemaWriter } from './write-schema.ts';

/** The schema of a body; undefined for an operation that takes none. */
export function writeBody(
  operation: ApiOperation,
  framework: Framework,
  writer: SchemaWriter,
): Json | undefined {
  const bodies = operation.bodies.map((body) => framework.changeBody?.(body, operation) ?? body);
  const [first, ...others] = bodies;
  if (!first) return undefined;
  if (others.length === 0) return writer.write(first, 'request');
  const { alternatives } = framework;
  if (alternatives) return { [alternatives]: bodies.map((body) => writer.write(body, 'request')) };
  return writer.write(mergeBodies(bodies), 'request');
}

/** All members of several bodies, of which those are required that all of them require. */
function mergeBodies(bodies: readonly ApiValue[]): ApiValue {
  const [first] = bodies;
  const all = bodies.flatMap(({ properties = [] }) => properties);
  const isInAll = (name: string) =>
    bodies.every(({ properties = [] }) => properties.some((one) => one.name === name && one.isRequired));
  const merged = [...new Map(all.map((one) => [one.name, one])).values()];
  const properties = merged.map((one) => ({
    ...one,
    isRequired: isInAll(one.name),
    value: loosen(one.value),
  }));
  return { type: 'object', properties, ...(first?.model && { model: first.model }) };
}

/** A constant of one of several bodies is one of the values that others have. */
function loosen(value: ApiValue): ApiValue {
  if (!value.constant)
    return {
      ...value,
      ...(value.properties && {
        properties: value.properties.map((one) => ({ ...one, value: loosen(one.value) })),
      }),
    };
  const { constant, ...rest } = value;
  return typeof constant.value === 'string' ? { ...rest, example: constant.value } : rest;
}
