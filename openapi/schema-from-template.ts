import type { Json } from './json.ts';
import { patternOf, placeholdersOf, type Template, wholePlaceholder } from './template.ts';

export interface Filling {
  schemas: Readonly<Record<string, Json>>;
  /** A property is required if it contains one of these placeholders, or a constant. */
  required: readonly string[];
  gap: string;
}

/** `x-value` names the placeholder of a place; `x-template` contains a mixed text. */
export function schemaFromTemplate(template: Template, filling: Filling): Json {
  if (typeof template === 'string') return schemaOfString(template, filling);
  if (Array.isArray(template)) {
    const prefixItems = template.map((item) => schemaFromTemplate(item, filling));
    return { type: 'array', prefixItems, minItems: prefixItems.length, 'x-gap': filling.gap };
  }
  if (typeof template !== 'object' || template === null)
    return { ...constant(template), 'x-gap': filling.gap };
  const entries = Object.entries(template);
  const required = entries.filter(([, part]) => isRequired(part, filling.required)).map(([key]) => key);
  return {
    type: 'object',
    'x-gap': filling.gap,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(entries.map(([key, part]) => [key, schemaFromTemplate(part, filling)])),
  };
}

function schemaOfString(template: string, { schemas, gap }: Filling): Json {
  const name = wholePlaceholder(template);
  if (name !== undefined) return { ...schemas[name], 'x-gap': gap, 'x-value': name };
  if (placeholdersOf(template).length === 0) return { ...constant(template), 'x-gap': gap };
  return { type: 'string', pattern: patternOf(template).source, 'x-gap': gap, 'x-template': template };
}

function isRequired(part: Template, required: readonly string[]): boolean {
  const names = placeholdersOf(part);
  return names.length === 0 || names.some((name) => required.includes(name));
}

/** Without the type, some generators turn a constant into `unknown`. */
function constant(value: unknown): Json {
  if (value === null) return { type: 'null', const: value };
  if (typeof value === 'number')
    return { type: Number.isInteger(value) ? 'integer' : 'number', const: value };
  return { type: typeof value, const: value };
}
