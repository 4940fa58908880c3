// Identifiers above 2^52. The world has a shorter number in place of each, since no JSON of JavaScript holds them; what goes in and out is translated.

/** What identifiers are counted from under the variation long-ids: 1 is shown as 1892345678000000001. */
export const longIdBase = 9_007_198_000_000_000;
const shownBase = '1892345678';
const countedStandIn = /^9007198(\d{9})$/;
const countedId = /^1892345678(\d{9})$/;

/** Those of world files lie between: the same for the same identifier in each process, and mostly in the same order. */
const leastStandIn = 2 ** 52;
const standIns = 4_503_598_000_000_000n;
const mostId = 2n ** 63n - 1n;

/** Of this process, both ways. Not all of its worlds need have them. */
const shownIds = new Map<string, string>();
const keptIds = new Map<string, string>();
let isCounting = false;

/** From now on stand-ins above the base are shown as long identifiers. */
export function countFromBase(): void {
  isCounting = true;
}

/** Whether any world of this process may have them. */
export function hasLongIds(): boolean {
  return isCounting || shownIds.size > 0;
}

/** A text with long identifiers in place of what stands for them. */
export function showLongIds(text: string): string {
  if (!hasLongIds()) return text;
  return text.replace(/(?<![\d.])\d{16}(?![\d.])/g, (digits) => shownIdOf(digits) ?? digits);
}

function shownIdOf(standIn: string): string | undefined {
  const [, counted] = (isCounting && countedStandIn.exec(standIn)) || [];
  return counted === undefined ? shownIds.get(standIn) : shownBase + counted;
}

/** The same for a number. */
export function showLongId(id: number): number | bigint {
  const shown = id < leastStandIn ? undefined : shownIdOf(String(id));
  return shown === undefined ? id : BigInt(shown);
}

/** An address with what stands for the long identifiers in it. What an inbox gets is left as it came. */
export function readLongIds(url: string): string {
  if (!hasLongIds() || url.includes('/inbox/')) return url;
  return url.replace(/(?<![\d.])\d{16,19}(?![\d.])/g, (digits) => standInOf(digits) ?? digits);
}

function standInOf(id: string): string | undefined {
  const [, counted] = (isCounting && countedId.exec(id)) || [];
  return counted === undefined ? keptIds.get(id) : `9007198${counted}`;
}

/** Texts, with the colon behind a member's name, and numbers. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d[\d.eE+-]*/g;

/** A JSON text with what stands for the long integers in it, also in names of members. Texts are left as they are. */
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

/** The same for what a world begins with: an integer that is new gets a number that stands for it. */
export function keepLongJson(text: string): string {
  return changeIntegers(text, keepLongId);
}

/** What stands for an integer above 2^52; undefined for anything else. */
export function keepLongId(digits: string): string | undefined {
  if (!/^[1-9]\d{15,18}$/.test(digits)) return undefined;
  const id = BigInt(digits);
  if (id < leastStandIn || id > mostId) return undefined;
  const known = standInOf(digits);
  if (known !== undefined) return known;
  let standIn = BigInt(leastStandIn) + (id % standIns);
  while (shownIds.has(String(standIn))) standIn++;
  shownIds.set(String(standIn), digits);
  keptIds.set(digits, String(standIn));
  return String(standIn);
}

/** The number in place of a bigint; other values as they are. */
export function keepBigint(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(keepLongId(String(value)) ?? value) : value;
}
