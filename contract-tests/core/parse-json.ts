// JSON as it is sent. Identifiers may be integers that a JavaScript number can't hold: they are read as bigint, and written as they came.
import { rawJson } from './raw-json.ts';

/** The deepest nesting of arrays and objects that is read. */
export const mostLevels = 200;

/** The value of a JSON text; undefined where the text is no JSON, or nested deeper than that. */
export function parseJson(text: string): unknown {
  return isTooDeep(text) ? undefined : parseMeasured(text);
}

/** The same for a text that is known not to be nested too deep. */
export function parseMeasured(text: string): unknown {
  try {
    return makeWritable(JSON.parse(text), text);
  } catch {
    return undefined;
  }
}

/** The most values in a JSON text, members and items counted, that are read of an answer. */
export const mostValues = 100_000;

const [quote, backslash, comma] = ['"', '\\', ','].map((one) => one.charCodeAt(0));
const [openList, closeList, openObject, closeObject] = [...'[]{}'].map((one) => one.charCodeAt(0));

/** Whether a JSON text is nested too deep: what reads its value step by step would run out of stack. Other texts have no levels. */
export function isTooDeep(text: string): boolean {
  return measureJson(text).levels > mostLevels;
}

/** How deep a JSON text is nested, and how many values it has at most; it is not looked at beyond the limits. */
export function measureJson(text: string): { levels: number; values: number } {
  if (!/^\s*[[{]/.test(text)) return { levels: 0, values: 1 };
  let [depth, levels, values] = [0, 0, 1];
  for (let at = 0; at < text.length && levels <= mostLevels; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfText(text, at + 1);
    else if (char === openList || char === openObject) {
      values++;
      levels = Math.max(levels, ++depth);
    } else if (char === closeList || char === closeObject) depth--;
    else if (char === comma) values++;
  }
  return { levels, values };
}

/** Where a text within a JSON text is closed that begins there. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === backslash) before--;
  return (at - before) % 2 === 1;
}

/** Only what has so many digits in a row may hold an integer above 2^53; the plain way of parsing is several times as fast. */
const longNumber = /\d{16}/;

/** The same, with integers above 2^53 as bigint instead of rounded. */
export function parseExactly(text: string): unknown {
  if (!longNumber.test(text) || isTooDeep(text)) return parseJson(text);
  try {
    return makeWritable(JSON.parse(text, exactInteger as (key: string, value: unknown) => unknown), text);
  } catch {
    return undefined;
  }
}

/** What `parseExactly` makes of a text whose value is known already; only where that holds such integers it is parsed once more. */
export function exactOf({ text, json }: { text: string; json: unknown }): unknown {
  return longNumber.test(text) ? parseExactly(text) : json;
}

function exactInteger(_key: string, value: unknown, { source }: { source?: string }): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
  return isRounded && source !== undefined && isInteger.test(source) ? BigInt(source) : value;
}

/** No identifier has more digits, and reading millions of them would take minutes. */
const isInteger = /^-?\d{1,100}$/;

/** Only there a member can have such a name, written plainly or not. */
const mayHaveMethodNames = /toString|\\u00/i;

/** An object with data for `toString` could not be written as a text: String() would throw. */
function makeWritable(value: unknown, text: string): unknown {
  if (mayHaveMethodNames.test(text)) eachObject(value, hideMethods);
  return value;
}

function hideMethods(node: object): void {
  if (Object.hasOwn(node, 'toString'))
    Object.defineProperty(node, Symbol.toPrimitive, { value: () => '[object Object]' });
}

function eachObject(value: unknown, visit: (node: object) => void): void {
  if (typeof value !== 'object' || value === null) return;
  visit(value);
  for (const part of Object.values(value)) eachObject(part, visit);
}

/** The JSON text of a value that may hold bigints. */
export function writeJson(value: unknown, indent?: number | string): string {
  const asRaw = (_key: string, part: unknown) => (typeof part === 'bigint' ? rawJson(String(part)) : part);
  return JSON.stringify(value, asRaw, indent);
}

/** The value of a text of digits; a bigint where a number would round it. */
export function readInteger(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

/** Whether a value is a number as JSON has them, however large. */
export function isJsonNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The same value with bigints rounded to numbers, as schemas expect integers. */
export function roundIntegers(value: unknown): unknown {
  return value === undefined ? undefined : parseJson(writeJson(value));
}

/** Whether two identifiers are the same: one may be a text and the other a number. */
export function isSameId(one: unknown, other: unknown): boolean {
  return one !== undefined && one !== null && String(one) === String(other);
}
