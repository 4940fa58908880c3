// The fields of bodies that were seen, with their types, and of their values only what is surely a constant.
import { formatPointer } from '../../../openapi/json-pointer.ts';
import type { Field, FieldType } from '../described-operation.ts';
import { isName } from './plain-words.ts';

export interface FieldRules {
  /** Whether a value may be shown. */
  isConstant: (value: unknown, path: readonly string[]) => boolean;
  /** Whether what is in an object is left out: its members are people's words. */
  isOpaque: (path: readonly string[]) => boolean;
  isSecret: (text: string) => boolean;
}

interface Node {
  path: readonly string[];
  types: Set<FieldType>;
  /** How often it was there, and how often what it is a member of was an object. */
  count: number;
  formats: Set<string | undefined>;
  values: Map<string, unknown>;
  /** Of the root: whether members were left out for their names. */
  isCut?: boolean;
}

/** More fields, items, levels and values than these are not looked at. */
const most = { fields: 1_000, items: 200, levels: 16, values: 12 };

/** Fields in the order in which they were seen, the root first. */
export function describeFields(bodies: readonly unknown[], rules: FieldRules): Field[] {
  const nodes = new Map<string, Node>();
  const objects = new Map<string, number>();
  for (const body of bodies) visit({ value: body, path: [] }, { nodes, objects, rules });
  return [...nodes].map(([pointer, { path, types, count, formats, values, isCut }]) => {
    const parent = formatPointer(path.slice(0, -1));
    const isItem = path.at(-1) === '*';
    const [format] = formats;
    return {
      pointer,
      types: [...types],
      isRequired: path.length === 0 || isItem || count === objects.get(parent),
      texts: [],
      ...(formats.size === 1 && format !== undefined && { format }),
      values: values.size > most.values ? [] : [...values.values()],
      ...(isCut && { isCut }),
    };
  });
}

interface Description {
  nodes: Map<string, Node>;
  objects: Map<string, number>;
  rules: FieldRules;
}

function visit({ value, path }: { value: unknown; path: readonly string[] }, description: Description): void {
  const { nodes, objects, rules } = description;
  const pointer = formatPointer(path);
  if (!nodes.has(pointer) && nodes.size >= most.fields) return;
  const node = nodes.get(pointer) ?? {
    path,
    types: new Set(),
    count: 0,
    formats: new Set(),
    values: new Map(),
  };
  nodes.set(pointer, node);
  node.count += 1;
  node.types.add(typeOf(value));
  if (typeof value === 'string') node.formats.add(formatOf(value));
  if (value === null || typeof value !== 'object') {
    if (value !== null && rules.isConstant(value, path))
      node.values.set(JSON.stringify(String(value)), value);
    return;
  }
  if (path.length >= most.levels || rules.isOpaque(path)) return;
  if (Array.isArray(value))
    for (const item of value.slice(0, most.items)) visit({ value: item, path: [...path, '*'] }, description);
  else {
    objects.set(pointer, (objects.get(pointer) ?? 0) + 1);
    for (const [key, part] of Object.entries(value))
      if (isName(key) && !rules.isSecret(key)) visit({ value: part, path: [...path, key] }, description);
      else cutRoot(description);
  }
}

function cutRoot({ nodes }: Description): void {
  const root = nodes.get('');
  if (root) root.isCut = true;
}

function typeOf(value: unknown): FieldType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : 'object';
}

const formats: readonly (readonly [format: string, pattern: RegExp])[] = [
  ['uuid', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i],
  ['date-time', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?\s?(Z|[+-]\d\d:?\d\d)?$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['uri', /^https?:\/\/[^\s]+$/i],
  // The interface document says how a key begins.
  ['api-key', /^sp_[^.*…]+$/],
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@.]+$/],
];

/** Longer texts have no format, in characters. */
const longest = 2_000;

export function formatOf(text: string): string | undefined {
  return text.length > longest ? undefined : formats.find(([, pattern]) => pattern.test(text))?.[0];
}
