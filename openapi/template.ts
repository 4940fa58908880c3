import type { Json } from './json.ts';
import { getPath } from './json-pointer.ts';
import { placeholder, readText } from './template-text.ts';

/** A JSON value whose strings may contain "{placeholders}". */
export type Template = unknown;

const whole = /^\{([A-Za-z][A-Za-z0-9_]*)\}$/;

/** Returns undefined unless the string is exactly one placeholder. */
export function wholePlaceholder(text: string): string | undefined {
  return whole.exec(text)?.[1];
}

export function placeholdersOf(template: Template): string[] {
  const found = textsIn(template).flatMap((text) => [...text.matchAll(placeholder)]);
  return [...new Set(found.map(([, name = '']) => name))];
}

/** A string that is one placeholder becomes the value itself; other strings become text. Omits properties without a value. */
export function fillTemplate(template: Template, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof template === 'string') return fillString(template, values);
  if (Array.isArray(template)) {
    return template.map((item) => fillTemplate(item, values)).filter((item) => item !== undefined);
  }
  if (typeof template !== 'object' || template === null) return template;
  const filled = Object.entries(template).map(([key, value]) => [key, fillTemplate(value, values)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

/** Percent-encodes the values, lone surrogates as �. Placeholders without a value remain. */
export function fillPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replace(placeholder, (text, name: string) => {
    const value = ownValue(values, name);
    return value === undefined ? text : encodeURIComponent(String(value).toWellFormed());
  });
}

/** Without a `template`, the string is one placeholder, whose value may have any type. */
export interface Slot {
  path: readonly string[];
  names: readonly string[];
  template?: string;
}

export function slotsOf(template: Template, path: readonly string[] = []): Slot[] {
  if (typeof template === 'string') {
    const names = placeholdersOf(template);
    if (names.length === 0) return [];
    return [wholePlaceholder(template) ? { path, names } : { path, names, template }];
  }
  if (typeof template !== 'object' || template === null) return [];
  return Object.entries(template).flatMap(([key, part]) => slotsOf(part, [...path, key]));
}

/** The inverse of fillTemplate. */
export function readSlots(slots: readonly Slot[], body: unknown): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { path, names, template } of slots) {
    const found = getPath(body, path);
    if (template !== undefined) Object.assign(values, typeof found === 'string' && readText(template, found));
    else if (names[0] !== undefined && found !== undefined) values[names[0]] = found;
  }
  return values;
}

/** Matches filled strings; a repeated placeholder must have the same text. */
export function patternOf(template: string): RegExp {
  const names = placeholdersOf(template);
  const parts = template.split(placeholder).map((part, index, all) => {
    if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    const first = all.findIndex((other, at) => at % 2 === 1 && other === part);
    return first === index ? anyText : `(?:\\${names.indexOf(part) + 1})`;
  });
  return new RegExp(`^${parts.join('')}$`);
}

const anyText = '([\\s\\S]*)';

function fillString(template: string, values: Readonly<Record<string, unknown>>): unknown {
  const name = wholePlaceholder(template);
  if (name !== undefined) return ownValue(values, name);
  const isGiven = (inner: string) => ownValue(values, inner) !== undefined;
  if (!placeholdersOf(template).every(isGiven)) return undefined;
  return template.replace(placeholder, (_text, inner: string) => String(ownValue(values, inner)));
}

/** A placeholder may have the name of an inherited property, for example "constructor". */
function ownValue(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns the text itself if its percent-encoding is not valid. */
export function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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
