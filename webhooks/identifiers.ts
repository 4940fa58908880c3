// Identifiers as integers of any length. As a JavaScript number, an integer above 2^53 is another one.

/** What the integers that name something become. */
export type Ids = 'number' | 'string' | 'bigint';

/** The type of an identifier. */
export type IdOf<I extends Ids> = { number: number; string: string; bigint: bigint }[I];

/** The members that name something: `id`, `site_id`, `siteId`, `siteID`, `version`; and lists of them such as `page_ids`. */
type IdName = 'version' | `${'' | `${string}_`}${'id' | 'ids'}` | `${string}I${'d' | 'D'}${'' | 's'}`;
const idName = /^version$|(^|_)ids?$|I[dD]s?$/;

export function isIdName(name: string): boolean {
  return idName.test(name);
}

/** The type of a JSON value with identifiers of another type than number. */
export type WithIds<T, Id> = T extends readonly (infer Item)[]
  ? WithIds<Item, Id>[]
  : T extends object
    ? { [Name in keyof T]: Name extends IdName ? AsId<T[Name], Id> : WithIds<T[Name], Id> }
    : T;
type AsId<T, Id> = T extends number
  ? Id
  : T extends readonly (infer Item)[]
    ? AsId<Item, Id>[]
    : WithIds<T, Id>;

/** An identifier is not exact; the message says which one, and what to do. */
export class UnsafeInteger extends Error {
  constructor(name: string, ids: Ids) {
    const remedy =
      ids === 'number' ? "set ids to 'string' or 'bigint'" : 'give it as plain digits, at most 100';
    super(`${JSON.stringify(name)} is an integer that a JavaScript number can't hold exactly; ${remedy}`);
  }
}

/** Returns its argument. Throws TypeError for anything that is no `Ids`. */
export function checkIds<I extends Ids>(ids: I, place = ''): I {
  if (['number', 'string', 'bigint'].includes(ids)) return ids;
  throw new TypeError(`${place}ids is neither 'number', 'string' nor 'bigint'`);
}

/** The value of a valid JSON text. Throws UnsafeInteger. Members named `__proto__` are left out. */
export function readIds(text: string, ids: Ids): unknown {
  if (ids === 'number') return mapValues(JSON.parse(text), (value, name) => checkSafe(value, name, ids));
  return mapValues(JSON.parse(markAll(text)), (value, name) =>
    isMarked(value) ? readMarked(value, name, ids) : value,
  );
}

/** Throws UnsafeInteger where an identifier is a number that may have been rounded. */
export function checkSafe(value: unknown, name: string, ids: Ids): unknown {
  if (typeof value === 'number' && isIdName(name) && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new UnsafeInteger(name, ids);
  return value;
}

/** Changes each value but arrays and objects. `name` is that of the nearest member around it. */
export function mapValues(
  value: unknown,
  map: (value: unknown, name: string) => unknown,
  name = '',
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapValues(item, map, name));
  if (typeof value !== 'object' || value === null) return map(value, name);
  // Copying or merging an object with a member of this name would change prototypes.
  const members = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(members.map(([key, part]) => [key, mapValues(part, map, key)]));
}

/** Texts, with the colon behind a member's name, and numbers. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

/**
 * Writes numbers as texts of their digits, so that no parser rounds them; `n` marks them, `t` what was a text before.
 * `JSON.parse` gives digits to revivers too, but not on Node 20.
 */
function markAll(text: string): string {
  return text.replace(tokens, (token, quoted?: string, colon?: string) => {
    if (colon !== undefined) return token;
    return quoted === undefined ? `"n${token}"` : `"t${quoted.slice(1)}`;
  });
}

function isMarked(value: unknown): value is string {
  return typeof value === 'string';
}

function readMarked(marked: string, name: string, ids: 'string' | 'bigint'): unknown {
  const text = marked.slice(1);
  if (marked.startsWith('t')) return text;
  const number = Number(text);
  if (!isIdName(name)) return number;
  if (Number.isSafeInteger(number)) return ids === 'string' ? String(number) : BigInt(number);
  if (Math.abs(number) < Number.MAX_SAFE_INTEGER) return number;
  if (!/^-?\d{1,100}$/.test(text)) throw new UnsafeInteger(name, ids);
  return ids === 'string' ? text : BigInt(text);
}
