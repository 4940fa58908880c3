// How an operation is called: its path, query and body, with placeholders for the values that a gap knows.
import { setAt } from '../../openapi/json-pointer.ts';
import { type DescribedOperation, type Field, nameOf } from './described-operation.ts';
import { findIdentifiers, findNamed } from './named-fields.ts';
import { hiddenName, isShownValue } from './recording/shown.ts';
import { identifiedBy, isNameOf, subjectIn, table, thingIn, verbsIn, type WantedOperation } from './words.ts';

export type Request = ReturnType<typeof fillRequest>;

/** Returns the placeholders that it has, and the doubts about it, a sentence each. `hasNext`: whether its answer has a cursor. */
export function fillRequest(operation: DescribedOperation, wanted: WantedOperation, hasNext: boolean) {
  const { method, body = [], place } = operation;
  const { placeholders = [], query: pages } = wanted.gap;
  const { path, filled, doubts } = fillPath(operation.path, placeholders);
  const inQuery: Part = { fields: operation.query, values: new Map() };
  const inBody: Part = { fields: body, values: new Map() };
  const parts = method === 'GET' ? [inQuery, inBody] : [inBody, inQuery];
  const fill = (placeholder: string) => {
    const field = filled.has(placeholder) ? undefined : fillValue(placeholder, parts, wanted);
    if (field) filled.add(placeholder);
    if (field && placeholder === 'version' && !isNameOf('version', nameOf(field)))
      doubts.push(`whether ${field.pointer} is {version} is not said`);
    return field !== undefined;
  };
  for (const placeholder of placeholders) fill(placeholder);
  const start = pages && ['page', 'offset', ...(hasNext ? ['cursor'] : [])].find(fill);
  if (start) fill(start === 'page' ? 'page_size' : 'limit');
  doubts.push(...parts.flatMap((part) => fillRest(part, wanted, place)));
  const isObject = method !== 'GET' && body[0]?.types.includes('object');
  const isSent = isObject || inBody.values.size > 0;
  return { path, query: write(inQuery), body: isSent ? write(inBody) : undefined, filled, doubts };
}

function fillPath(path: string, placeholders: readonly string[]) {
  const filled = new Set<string>();
  const doubts: string[] = [];
  const written = path.replace(/\{([^{}]*)\}/g, (whole, name: string, at: number) => {
    const { placeholder, isSure } = placeholderFor(name, path.slice(0, at), placeholders);
    if (placeholder === undefined || filled.has(placeholder)) {
      doubts.push(`nothing is known for ${whole}`);
      return whole;
    }
    if (!isSure) doubts.push(`whether ${whole} is {${placeholder}} is not said`);
    filled.add(placeholder);
    return `{${placeholder}}`;
  });
  return { path: written, filled, doubts };
}

/** A parameter is known by its own name, or by the part of the path before it if it is called "id", "nid" or "slug". */
function placeholderFor(name: string, before: string, placeholders: readonly string[]) {
  const placeholderOf = (thing = 'nothing') => placeholders.find((one) => table.identifiers[one] === thing);
  const kind = identifiedBy(name);
  const named = placeholderOf(thingIn(name) ?? kind);
  const isPlain = kind === 'any' || /^[a-z]id$/.test(name);
  const isWeak = /^(slug|name|key|code|no|number)$/.test(name);
  const holder = before.split('/').findLast((part) => !part.includes('{') && subjectIn(part)) ?? '';
  const thing = isPlain || isWeak ? subjectIn(holder) : undefined;
  const placeholder = named ?? placeholderOf(thing);
  const isClear = named || isPlain || placeholder === 'form';
  // A publish may have another identifier than its version.
  return { placeholder, isSure: placeholder === 'version' ? isNameOf('version', name) : isClear };
}

/** A query or a body, and the values that its fields have by now, by their pointers. */
interface Part {
  fields: readonly Field[];
  values: Map<string, unknown>;
}

/** The fields that have no value yet, and are not around or within one that has. */
function freeOf({ fields, values }: Part): Field[] {
  const isWithin = (one: string, other: string) => `${one}/`.startsWith(`${other}/`);
  const isTaken = (pointer: string) =>
    [...values.keys()].some((one) => isWithin(one, pointer) || isWithin(pointer, one));
  return fields.filter(({ pointer }) => pointer !== '' && !isTaken(pointer));
}

function write({ values }: Part): Record<string, unknown> {
  const written = {};
  for (const [pointer, value] of values) setAt(written, pointer, value);
  return written;
}

/** Returns the field that has the value now. */
function fillValue(placeholder: string, parts: readonly Part[], { resource: of }: WantedOperation) {
  const thing = table.identifiers[placeholder];
  const isObject = ({ types }: Field) => types.includes('object');
  for (const part of parts) {
    const place = { fields: freeOf(part), start: '', of };
    const named = findNamed(place, placeholder, placeholder === 'fields' ? isObject : undefined);
    const [field] = [...named, ...(thing ? findIdentifiers(place, thing, thing === of) : [])];
    if (field) part.values.set(field.pointer, `{${placeholder}}`);
    if (field) return field;
  }
  return undefined;
}

/** In characters; nobody gives an API a longer constant. */
const longestConstant = 100;

/** The only value that a field may have, or its default, unless somebody may have given that as an example. */
function presetOf({ allowed = [], default: preset }: Field): unknown {
  const isChoice = allowed.includes(preset) || isShownValue(preset);
  const value = allowed.length === 1 ? allowed[0] : isChoice ? preset : undefined;
  return typeof value === 'object' || String(value).length > longestConstant ? undefined : value;
}

/** Fills what is required besides with its only value or its default. Returns what is left open. */
function fillRest(part: Part, wanted: WantedOperation, place: string): string[] {
  const isMember = (field: Field) => !field.pointer.includes('/*') || nameOf(field) === hiddenName;
  const required = freeOf(part).filter((field) => field.isRequired && isMember(field));
  return required.flatMap((field) => {
    const { pointer } = field;
    if (required.some((one) => one.pointer.startsWith(`${pointer}/`))) return [];
    if (nameOf(field) === hiddenName) return [`it sends members that are not shown; see ${place}`];
    const value = presetOf(field);
    if (value === undefined) return [`nothing is known for ${pointer}`];
    part.values.set(pointer, value);
    // Another value would make it another call.
    const isHarmless = ['list', 'get', 'create', 'import'].includes(wanted.verb);
    const isClear = isHarmless || verbsIn(nameOf(field)).includes('fail');
    return isClear ? [] : [`it sends ${pointer}: ${String(value)}`];
  });
}
