// JSON in JavaScript can't represent large integers, so a stand-in below 2^53 replaces each identifier above 2^52 in the world.

/** Under the variation long-ids, identifiers count from here; the first is shown as 1892345678000000001. */
export const longIdBase = 9_007_198_000_000_000;
const shownBase = '1892345678';
const countedStandIn = /^9007198(\d{9})$/;
const countedId = /^1892345678(\d{9})$/;

/** Stand-ins of world files are below `longIdBase`, equal in each process and mostly in the order of their identifiers. */
const leastStandIn = 2 ** 52;
const standIns = 4_503_598_000_000_000n;
const mostId = 2n ** 63n - 1n;

/** Global to the process, so the maps contain identifiers of all its worlds. */
const shownIds = new Map<string, string>();
const standInsById = new Map<string, string>();
let isCounting = false;

export function countFromBase(): void {
  isCounting = true;
}

export function hasLongIds(): boolean {
  return isCounting || shownIds.size > 0;
}

/** Replaces stand-ins in a text by their identifiers. */
export function showLongIds(text: string): string {
  if (!hasLongIds()) return text;
  return text.replace(/(?<![\d.])\d{16}(?![\d.])/g, (digits) => shownIdOf(digits) ?? digits);
}

function shownIdOf(standIn: string): string | undefined {
  const [, counted] = (isCounting && countedStandIn.exec(standIn)) || [];
  return counted === undefined ? shownIds.get(standIn) : shownBase + counted;
}

export function showLongId(id: number): number | bigint {
  const shown = id < leastStandIn ? undefined : shownIdOf(String(id));
  return shown === undefined ? id : BigInt(shown);
}

/** Replaces identifiers in a URL by stand-ins, except in URLs of inboxes, which record what was sent. */
export function readLongIds(url: string): string {
  if (!hasLongIds() || url.includes('/inbox/')) return url;
  return url.replace(/(?<![\d.])\d{16,19}(?![\d.])/g, (digits) => standInOf(digits) ?? digits);
}

function standInOf(id: string): string | undefined {
  const [, counted] = (isCounting && countedId.exec(id)) || [];
  return counted === undefined ? standInsById.get(id) : `9007198${counted}`;
}

/** Matches JSON strings, with the colon after a member name, and numbers. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

/** Replaces identifiers in JSON by stand-ins, also in member names, but not in other strings. */
export function readLongJson(text: string): string {
  return hasLongIds() ? changeIntegers(text, standInOf) : text;
}

function changeIntegers(text: string, readId: (digits: string) => string | undefined): string {
  if (!/\d{16}/.test(text)) return text;
  return text.replace(tokens, (token, quoted?: string, colon?: string) => {
    if (quoted === undefined) return readId(token) ?? token;
    return colon === undefined ? token : `"${readId(quoted.slice(1, -1)) ?? quoted.slice(1, -1)}"${colon}`;
  });
}

/** Like `readLongJson`, but assigns stand-ins to new identifiers; for the data that a world begins with. */
export function assignLongJson(text: string): string {
  return changeIntegers(text, assignLongId);
}

/** Returns undefined unless the integer is from 2^52 to 2^63 - 1. */
export function assignLongId(digits: string): string | undefined {
  if (!/^[1-9]\d{15,18}$/.test(digits)) return undefined;
  const id = BigInt(digits);
  if (id < leastStandIn || id > mostId) return undefined;
  const known = standInOf(digits);
  if (known !== undefined) return known;
  let standIn = BigInt(leastStandIn) + (id % standIns);
  while (shownIds.has(String(standIn))) standIn++;
  shownIds.set(String(standIn), digits);
  standInsById.set(digits, String(standIn));
  return String(standIn);
}

export function assignBigint(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(assignLongId(String(value)) ?? value) : value;
}
