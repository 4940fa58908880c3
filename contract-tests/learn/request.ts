// Fills the path, query and body of an operation with the placeholders of a gap.
import { setAt } from '../../openapi/json-pointer.ts';
import { type DescribedOperation, type Field, nameOf } from './described-operation.ts';
import { findIdentifiers, findNamed } from './named-fields.ts';
import { hiddenName, isShownValue } from './recording/shown.ts';
import { identifiedBy, isNameOf, subjectIn, table, thingIn, verbsIn, type WantedOperation } from './words.ts';

export type Request = ReturnType<typeof fillRequest>;

/** `hasNext`: whether the answer has a cursor. */
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
      doubts.push(`the source does not say whether ${field.pointer} is {version}`);
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
      doubts.push(`no value is known for ${whole}`);
      return whole;
    }
    if (!isSure) doubts.push(`the source does not say whether ${whole} is {${placeholder}}`);
    filled.add(placeholder);
    return `{${placeholder}}`;
  });
  return { path: written, filled, doubts };
}

/** Uses the name of a parameter, or the path part before it for names such as "id", "nid" or "slug". */
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
  // A publish may have an id other than its version.
  return { placeholder, isSure: placeholder === 'version' ? isNameOf('version', name) : isClear };
}

/** A query or a body. `values`: by pointer. */
interface Part {
  fields: readonly Field[];
  values: Map<string, unknown>;
}

/** Fields without a value that neither contain nor are in a field with one. */
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

/** In characters. */
const longestConstant = 100;

/** The only possible value, or a default that is one of the choices: other defaults may be examples. */
function presetOf({ allowed = [], default: preset }: Field): unknown {
  const isChoice = allowed.includes(preset) || isShownValue(preset);
  const value = allowed.length === 1 ? allowed[0] : isChoice ? preset : undefined;
  return typeof value === 'object' || String(value).length > longestConstant ? undefined : value;
}

/** Fills other required fields with their preset. Returns doubts. */
function fillRest(part: Part, wanted: WantedOperation, place: string): string[] {
  const isMember = (field: Field) => !field.pointer.includes('/*') || nameOf(field) === hiddenName;
  const required = freeOf(part).filter((field) => field.isRequired && isMember(field));
  return required.flatMap((field) => {
    const { pointer } = field;
    if (required.some((one) => one.pointer.startsWith(`${pointer}/`))) return [];
    if (nameOf(field) === hiddenName) return [`sends members that sitepub does not show; see ${place}`];
    const value = presetOf(field);
    if (value === undefined) return [`no value is known for ${pointer}`];
    part.values.set(pointer, value);
    // Another value may change the meaning of the call.
    const isHarmless = ['list', 'get', 'create', 'import'].includes(wanted.verb);
    const isClear = isHarmless || verbsIn(nameOf(field)).includes('fail');
    return isClear ? [] : [`sends ${pointer}: ${String(value)}`];
  });
}
