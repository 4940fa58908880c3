// Reads from the schema of an answer where its values are.
import { type Description, dereference, ownSchema } from './description.ts';
import type { Json } from './json.ts';
import { getPath, setPath } from './json-pointer.ts';

/** Pointer tokens by the name of a value, parsed once for all answers. */
type Places = Readonly<Record<string, readonly string[]>>;

/** `items` are places within each item of the list `list`. */
export interface Layout {
  values: Places;
  items: Places;
}

export function writeLayout({ values: places, items }: Layout, values: Values, body: object): void {
  writePlaces(places, values, body);
  const { list } = values;
  if (places.list && Array.isArray(list)) {
    setPath(
      body,
      places.list,
      list.map((item: Values) => writePlaces(items, item, {})),
    );
  }
}

export function readLayout({ values: places, items }: Layout, body: unknown): Record<string, unknown> {
  const values = readPlaces(places, body);
  const { list } = values;
  return Array.isArray(list) ? { ...values, list: list.map((item) => readPlaces(items, item)) } : values;
}

export function layoutOf(description: Description, schema: Json): Layout {
  const places = placesIn(description, schema, []);
  const outside = places.filter(({ name }) => !name.startsWith(itemPrefix));
  const items = places.filter(({ name }) => name.startsWith(itemPrefix));
  return {
    values: Object.fromEntries(outside.map(({ name, path }) => [name, path])),
    items: Object.fromEntries(items.map(({ name, path }) => [name.slice(itemPrefix.length), path])),
  };
}

type Values = Readonly<Record<string, unknown>>;

function writePlaces(places: Places, values: Values, body: object): object {
  // A hot path: Object.entries would create an array for each value of every answer.
  for (const name in places) {
    const path = places[name];
    const value = values[name];
    if (path && value !== undefined) setPath(body, path, value);
  }
  return body;
}

function readPlaces(places: Places, body: unknown): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(places)) {
    const value = getPath(body, path);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

const itemPrefix = 'item.';
const envelopeFields = ['code', 'message', 'trace_id'];

interface NamedPlace {
  name: string;
  path: readonly string[];
}

function placesIn(description: Description, schema: Json, at: readonly string[]): NamedPlace[] {
  const node = ownSchema(dereference(description, schema));
  const name = schema['x-value'] ?? node['x-value'];
  if (name !== undefined) {
    const items = name === 'list' && node.items ? placesIn(description, node.items as Json, []) : [];
    return [{ name: String(name), path: at }, ...items];
  }
  const children = [
    ...Object.entries((node.properties ?? {}) as Json),
    ...Object.entries((node.prefixItems ?? {}) as Json),
  ];
  const last = at.at(-1);
  if (children.length === 0) {
    const isEmpty = last === undefined || last === 'data' || Object.keys(node).length === 0;
    return isEmpty ? [] : [{ name: last, path: at }];
  }
  return children
    .filter(([key]) => at.length > 0 || !envelopeFields.includes(key))
    .flatMap(([key, part]) => placesIn(description, part as Json, [...at, key]));
}
