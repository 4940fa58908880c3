// How an operation is called: its path, query and body, with placeholders for the values that a gap knows.
import { parsePointer, setPath } from '../../openapi/json-pointer.ts';
import type { Answer } from './answer.ts';
import { type DescribedOperation, type Field, nameOf } from './described-operation.ts';
import { findIdentifiers, findNamed } from './named-fields.ts';
import { isShownValue } from './recording/shown.ts';
import { isCreating, isReading, type WantedOperation } from './wanted-operations.ts';
import {
  identifiedBy,
  isVersionName,
  joinWords,
  resourcesIn,
  splitWords,
  table,
  thingIn,
  verbsIn,
} from './words.ts';

export interface Request {
  path: string;
  query: Record<string, unknown>;
  /** Undefined if it takes none. */
  body: Record<string, unknown> | undefined;
  /** The placeholders that it has. */
  filled: ReadonlySet<string>;
  /** What keeps people from being sure of it, a sentence each. */
  doubts: readonly string[];
}

export function fillRequest(
  operation: DescribedOperation,
  wanted: WantedOperation,
  answer: Pick<Answer, 'pointers' | 'isVersionSent'>,
): Request {
  const { gap } = wanted;
  const { path, filled, doubts } = fillPath(operation, gap.placeholders ?? [], answer.isVersionSent);
  const [query, body] = [operation.query, operation.body ?? []].map(createPart) as [Part, Part];
  const parts = operation.method === 'GET' ? [query, body] : [body, query];
  for (const placeholder of gap.placeholders ?? []) {
    const field = filled.has(placeholder) ? undefined : fillValue(placeholder, parts, wanted);
    if (field) filled.add(placeholder);
    if (field && placeholder === 'version' && !isVersionName(nameOf(field)))
      doubts.push(`whether ${field.pointer} is {version} is not said`);
  }
  if (gap.query)
    for (const placeholder of fillPages(parts, wanted, answer.pointers.next !== undefined))
      filled.add(placeholder);
  doubts.push(...parts.flatMap((part) => fillRest(part, wanted)));
  const leftOut = operation.method === 'GET' ? 0 : query.leftOut() + body.leftOut();
  if (leftOut > 0) doubts.push(`it sends ${leftOut} more members; see ${operation.place}`);
  const isObject = operation.method !== 'GET' && operation.body?.[0]?.types.includes('object');
  const isSent = isObject || Object.keys(body.written).length > 0;
  return { path, query: query.written, body: isSent ? body.written : undefined, filled, doubts };
}

/** With the placeholders that it has. */
function fillPath(
  { path, isCalled }: DescribedOperation,
  placeholders: readonly string[],
  isVersionSent: boolean,
) {
  const filled = new Set<string>();
  const doubts: string[] = [];
  const written = path.replace(/\{([^{}]*)\}/g, (whole, name: string, at: number) => {
    const { placeholder, isClear } = placeholderFor(name, path.slice(0, at), placeholders);
    const isKnown = placeholder !== undefined && !filled.has(placeholder);
    // A recording says itself which parts of a path it does not show.
    const isLeftOut = isCalled === true && /^parameter\d*$/.test(name);
    if (!isKnown && !isLeftOut) doubts.push(`nothing is known for ${whole}`);
    const isSure = isClear || (placeholder === 'version' && isVersionSent);
    if (isKnown && !isSure) doubts.push(`whether ${whole} is {${placeholder}} is not said`);
    if (isKnown) filled.add(placeholder);
    return isKnown ? `{${placeholder}}` : whole;
  });
  return { path: written, filled, doubts };
}

/** A parameter is known by its own name, or by the part of the path before it: "id", and "item_id" after "items". */
function placeholderFor(name: string, before: string, placeholders: readonly string[]) {
  const placeholderOf = (thing: string) => placeholders.find((one) => table.identifiers[one] === thing);
  const kind = identifiedBy(name);
  const exact = placeholders.find((one) => one.toLowerCase() === name.toLowerCase());
  const named = exact ?? placeholderOf(thingIn(name) ?? kind ?? 'nothing');
  const parts = before.split('/').filter((part) => part !== '' && !part.includes('{'));
  const namesThing = (part: string) => resourcesIn(part).length > 0 || verbsIn(part).includes('publish');
  const holder = parts.findLast(namesThing);
  const [, thing] = /^(.+) id$/.exec(splitWords(name)) ?? [];
  const isOfPart = thing !== undefined && joinWords(parts.at(-1) ?? '').startsWith(joinWords(thing));
  const isPlain = kind === 'any' || /^[a-z]id$/.test(name) || isOfPart;
  const isWeak = /^(slug|name|key|code|no|number)$/.test(name);
  const placed =
    holder && (isPlain || isWeak) ? placeholderOf(resourcesIn(holder)[0] ?? 'publication') : undefined;
  const placeholder = named ?? placed;
  const isClear = named !== undefined || isPlain || placed === 'form';
  // A publish may have another identifier than its version.
  return { placeholder, isClear: placeholder === 'version' ? isVersionName(name) : isClear };
}

/** A query or a body that is filled field by field. */
interface Part {
  /** The fields that have no value yet, and are not around or within one that has. */
  free(): Field[];
  fill(field: Field, value: unknown): void;
  /** How many members of a recording are neither shown nor within a field that has a value. */
  leftOut(): number;
  written: Record<string, unknown>;
}

function createPart(fields: readonly Field[]): Part {
  const filled: string[] = [];
  const written: Record<string, unknown> = {};
  const isWithin = (one: string, other: string) => `${one}/`.startsWith(`${other}/`);
  const isFree = ({ pointer }: Field) =>
    !/^$|\/\*/.test(pointer) && !filled.some((one) => isWithin(one, pointer) || isWithin(pointer, one));
  const fill = ({ pointer }: Field, value: unknown) => {
    filled.push(pointer);
    setPath(written, parsePointer(pointer), value);
  };
  const leftOut = () => {
    const open = fields.filter(({ pointer }) => !filled.some((one) => isWithin(pointer, one)));
    return open.reduce((sum, field) => sum + (field.leftOut ?? 0), 0);
  };
  return { free: () => fields.filter(isFree), fill, leftOut, written };
}

/** Returns the field that has the value now. */
function fillValue(placeholder: string, parts: readonly Part[], { resource: of }: WantedOperation) {
  const thing = table.identifiers[placeholder];
  const isText = ({ types }: Field) => types.length === 0 || types.includes('string');
  const isObject = ({ types }: Field) => types.includes('object');
  const fits = placeholder === 'fields' ? isObject : thing ? undefined : isText;
  for (const part of parts) {
    const fields = part.free();
    const place = { fields, start: '', of };
    const [id] = thing ? findIdentifiers(place, thing, thing === of) : [];
    // A required "site" that is a number identifies one; "content" that is a text may be the text itself.
    const isBare = (field: Field) =>
      thing === thingIn(nameOf(field)) && field.isRequired && field.types.includes('integer');
    const field = findNamed(place, placeholder, fits)[0] ?? id ?? (thing && fields.find(isBare));
    if (!field) continue;
    part.fill(field, `{${placeholder}}`);
    return field;
  }
  return undefined;
}

/** Ways of asking for pages; of a list that has one page, calls may show the size alone. */
const pagings = ['page page_size', 'offset limit', 'cursor limit', 'limit', 'page_size'].map((one) =>
  one.split(' '),
);

/** Returns the placeholders of the first way of paging that the call takes. Without `hasNext`, nobody can ask for the next page by a cursor. */
function fillPages(parts: readonly Part[], { resource: of }: WantedOperation, hasNext: boolean): string[] {
  for (const names of pagings.filter(([start]) => start !== 'cursor' || hasNext))
    for (const part of parts) {
      const fields = names.map((name) => findNamed({ fields: part.free(), start: '', of }, name)[0]);
      if (!fields[0] || (names.length === 1 && !fields[0].isRequired)) continue;
      const filled = names.filter((_, index) => fields[index] && fields.indexOf(fields[index]) === index);
      for (const name of filled) part.fill(fields[names.indexOf(name)] as Field, `{${name}}`);
      return filled;
    }
  return [];
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
function fillRest(part: Part, wanted: WantedOperation): string[] {
  const isCreation = isCreating(wanted);
  return part.free().flatMap((field) => {
    const { pointer, allowed = [], isRequired } = field;
    // Of what is created, a kind may be marked as optional that is not.
    const isKind = isCreation && allowed.length === 1 && typeof allowed[0] === 'string';
    const isAround = part.free().some((one) => one.isRequired && one.pointer.startsWith(`${pointer}/`));
    if (!(isRequired || isKind) || isAround) return [];
    const value = presetOf(field) ?? undefined;
    if (value === undefined) return [`nothing is known for ${pointer}`];
    part.fill(field, value);
    // Another value would make it another call.
    const isClear = isCreation || isReading(wanted) || verbsIn(nameOf(field)).includes('fail');
    return isClear ? [] : [`it sends ${pointer}: ${String(value)}`];
  });
}
