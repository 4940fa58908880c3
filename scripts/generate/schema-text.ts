// JSON Schemas as phrases for people.
import type { Json } from '../../openapi/json.ts';
import { code } from './markdown.ts';

/** A phrase for the values that a schema allows; `nameRef` gives the phrase of a reference. */
export function valuesOf(schema: Json, nameRef: (ref: string) => string = code): string {
  const inner = (one: unknown) => valuesOf(one as Json, nameRef);
  if (typeof schema.$ref === 'string') return nameRef(schema.$ref);
  if (schema.const !== undefined) return showValue(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(showValue).join(', ');
  if (Array.isArray(schema.oneOf)) return schema.oneOf.map(inner).join(', or ');
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.type === 'array') return `list of ${inner(schema.items)}`;
  return (phrases[String(schema.type)] ?? (() => 'any JSON'))(schema);
}

const phrases: Readonly<Record<string, (schema: Json) => string>> = {
  integer: rangeOf,
  number: () => 'number',
  boolean: () => '`true` or `false`',
  string: ({ format, pattern, description }) => {
    if (format === 'date-time') return 'time';
    if (format === 'uri') return 'URL';
    if (pattern === undefined) return 'text';
    return typeof description === 'string' ? description : `text that matches ${code(String(pattern))}`;
  },
  object: ({ properties }) => {
    const members = Object.entries((properties ?? {}) as Record<string, Json>);
    if (members.length === 0) return 'object';
    return `object with ${members.map(([name, one]) => `${code(name)} (${valuesOf(one)})`).join(', ')}`;
  },
};

function rangeOf({ minimum, maximum, not }: Json): string {
  const from = typeof minimum === 'number' ? ` from ${minimum}` : '';
  const to = typeof maximum === 'number' ? ` to ${maximum}` : '';
  const but = (not as Json | undefined)?.const;
  return `integer${from}${to}${but === undefined ? '' : ` other than ${but}`}`;
}

function showValue(value: unknown): string {
  return code(typeof value === 'string' ? value : JSON.stringify(value));
}
