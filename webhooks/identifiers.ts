// JavaScript numbers round integers above 2^53, so identifiers may also be strings or bigints.

/** The JavaScript type of identifiers. */
export type Ids = 'number' | 'string' | 'bigint';

/** The TypeScript type for a value of `Ids`. */
export type IdOf<I extends Ids> = { number: number; string: string; bigint: bigint }[I];

/** Members with identifiers: `id`, `site_id`, `siteId`, `siteID`, `version`, and lists such as `page_ids`. */
type IdName = 'version' | `${'' | `${string}_`}${'id' | 'ids'}` | `${string}I${'d' | 'D'}${'' | 's'}`;
const idName = /^version$|(^|_)ids?$|I[dD]s?$/;

export function isIdName(name: string): boolean {
  return idName.test(name);
}

/** The type of a JSON value with identifiers of the type `Id`. */
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

/** The message names the identifier and says what to do. */
export class UnsafeInteger extends Error {
  constructor(name: string, ids: Ids) {
    const remedy =
      ids === 'number' ? "set ids to 'string' or 'bigint'" : 'pass it as plain digits, at most 100';
    super(`${JSON.stringify(name)} is an integer too large for a JavaScript number; ${remedy}`);
  }
}

/** Throws TypeError unless `ids` is one of `Ids`. */
export function checkIds<I extends Ids>(ids: I, place = ''): I {
  if (['number', 'string', 'bigint'].includes(ids)) return ids;
  throw new TypeError(`${place}ids is none of 'number', 'string' and 'bigint'`);
}

/** Parses JSON without members named `__proto__`. Throws UnsafeInteger. */
export function readIds(text: string, ids: Ids): unknown {
  if (ids === 'number') return mapValues(JSON.parse(text), (value, name) => checkSafe(value, name, ids));
  return mapValues(JSON.parse(markAll(text)), (value, name) =>
    typeof value === 'string' ? readMarked(value, name, ids) : value,
  );
}

/** Throws UnsafeInteger if an identifier is a number that may have been rounded. */
export function checkSafe(value: unknown, name: string, ids: Ids): unknown {
  if (typeof value === 'number' && isIdName(name) && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new UnsafeInteger(name, ids);
  return value;
}

/** Maps all values except arrays and objects; `name` is the nearest member around a value. */
export function mapValues(
  value: unknown,
  map: (value: unknown, name: string) => unknown,
  name = '',
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapValues(item, map, name));
  if (typeof value !== 'object' || value === null) return map(value, name);
  // A copy or merge of an object with this member would change prototypes.
  const members = Object.entries(value).filter(([key]) => key !== '__proto__');
  return Object.fromEntries(members.map(([key, part]) => [key, mapValues(part, map, key)]));
}

/** Matches strings, with the colon after a member's name, and numbers. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

/** Marks strings with `t` and turns numbers into strings with `n`, because JSON.parse rounds and Node 20 gives revivers no digits. */
function markAll(text: string): string {
  return text.replace(tokens, (token, quoted?: string, colon?: string) => {
    if (colon !== undefined) return token;
    return quoted === undefined ? `"n${token}"` : `"t${quoted.slice(1)}`;
  });
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
