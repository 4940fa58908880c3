// Looks at generated descriptions as a stranger would: by their paths and schemas alone.
import SwaggerParser from '@apidevtools/swagger-parser';
import { isObject, type Json } from '../../../openapi/json.ts';
import { parsePointer } from '../../../openapi/json-pointer.ts';
import { operationsOf } from '../../../openapi/operations.ts';
import { resolve } from '../../../openapi/resolve.ts';
import { readCall } from '../../../openapi/stated-call.ts';
import type { DescribedDeployment } from './describe-deployment.ts';

/** "POST /tenant/sites/{}", below the base address, for each operation of a description. */
export function callsIn({
  description,
  baseUrl,
}: Pick<DescribedDeployment, 'description' | 'baseUrl'>): string[] {
  return operationsIn(description, baseUrl).map(({ key }) => key);
}

/** What the deployment does and its description does not say, each in words; empty for a faithful description. */
export async function findOmissions(described: DescribedDeployment): Promise<string[]> {
  const { description, baseUrl, expected, profile } = described;
  const whole = (await SwaggerParser.dereference(structuredClone(description) as never)) as unknown as Json;
  const all = new Map(operationsIn(whole, baseUrl).map(({ key, operation }) => [key, operation]));
  const stated = operationsOf(resolve(profile)).map(({ method, path }) => keyOf(method, path));
  const missing = stated.filter((key) => !all.has(key)).map((key) => `${key} is missing`);
  const untold = Object.entries(expected).flatMap(([gap, { value, untold }]) => {
    const call = readCall(value);
    const operation = call && all.get(keyOf(call.method, call.path));
    if (!call || !operation) return [];
    const itemsOf = parsePointer(typeof call.list === 'string' ? call.list : '/data/list');
    const pointers = Object.entries(call).filter(
      ([read, pointer]) =>
        typeof pointer === 'string' && pointer.startsWith('/') && read !== 'path' && !untold.includes(read),
    );
    const places = pointers.map(([read, pointer]) => ({
      read,
      place: [...(read.startsWith('item.') ? [...itemsOf, '*'] : []), ...parsePointer(String(pointer))],
    }));
    return places
      .filter(({ place }) => !answersOf(operation).some((schema) => hasPlace(schema, place)))
      .map(({ read, place }) => `${gap}: ${read} is not at /${place.join('/')}`)
      .concat(missingMembers(operation, call.body).map((name) => `${gap}: the body has no ${name}`));
  });
  return [...missing, ...untold];
}

interface Found {
  key: string;
  operation: Json;
}

function operationsIn(description: Json, baseUrl: string): Found[] {
  const { pathname } = new URL(baseUrl);
  return entriesOf(description.paths).flatMap(([path, item]) =>
    entriesOf(item)
      .filter(([method]) => ['get', 'put', 'post', 'patch', 'delete'].includes(method))
      .map(([method, operation]) => ({
        key: keyOf(method, path.startsWith(`${pathname}/`) ? path.slice(pathname.length) : path),
        operation: operation as Json,
      })),
  );
}

function keyOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`;
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** The schemas of all that may be answered. */
function answersOf(operation: Json): unknown[] {
  return entriesOf(operation.responses).flatMap(([, response]) => contentsOf(response));
}

function contentsOf(message: unknown): unknown[] {
  if (!isObject(message)) return [];
  return [
    message.schema,
    ...entriesOf(message.content).map(([, media]) => (isObject(media) ? media.schema : undefined)),
  ];
}

function missingMembers(operation: Json, template: unknown): string[] {
  const inBody = Array.isArray(operation.parameters)
    ? operation.parameters.filter((one) => one.in === 'body')
    : [];
  const schemas = [...contentsOf(operation.requestBody), ...inBody.flatMap(contentsOf)];
  return entriesOf(template)
    .map(([name]) => name)
    .filter((name) => !schemas.some((schema) => hasPlace(schema, [name])));
}

/** Whether a schema describes a value at a place; "*" and numbers stand for the items of a list. */
function hasPlace(schema: unknown, place: readonly string[]): boolean {
  if (!isObject(schema)) return false;
  const [first, ...rest] = place;
  if (first === undefined) return true;
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []));
  if (parts.some((part) => hasPlace(part, place))) return true;
  if (isObject(schema.properties) && Object.hasOwn(schema.properties, first))
    return hasPlace(schema.properties[first], rest);
  return schema.items !== undefined && hasPlace(schema.items, rest);
}
