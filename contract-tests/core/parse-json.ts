// JSON with bigint for integers that a JavaScript number cannot represent, because ids may be that long.

/** The maximum nesting. */
export const mostLevels = 200;

/** Undefined if the text is not JSON or nested too deeply. */
export function parseJson(text: string): unknown {
  return isTooDeep(text) ? undefined : parseMeasured(text);
}

/** The same without the check of nesting. */
export function parseMeasured(text: string): unknown {
  try {
    return makeWritable(JSON.parse(text), text);
  } catch {
    return undefined;
  }
}

/** The maximum number of members and items in an answer. */
export const mostValues = 100_000;

const [quote, backslash, comma] = ['"', '\\', ','].map((one) => one.charCodeAt(0));
const [openList, closeList, openObject, closeObject] = [...'[]{}'].map((one) => one.charCodeAt(0));

/** Whether a JSON text is nested so deeply that recursive code would exhaust the stack. */
export function isTooDeep(text: string): boolean {
  return measureJson(text).levels > mostLevels;
}

/** The nesting and an upper bound of the values of a JSON text. Stops at the limits. */
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

/** The end of the string that begins at `start`. */
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

/** Only such texts can contain an integer above 2^53. Plain parsing of others is several times faster. */
const longNumber = /\d{16}/;

/** Like parseJson, but with bigint for integers above 2^53. */
export function parseExactly(text: string): unknown {
  if (!longNumber.test(text) || isTooDeep(text)) return parseJson(text);
  try {
    return makeWritable(JSON.parse(text, exactInteger as (key: string, value: unknown) => unknown), text);
  } catch {
    return undefined;
  }
}

/** Like parseExactly for an already parsed text. Parses again only if it contains such integers. */
export function exactOf({ text, json }: { text: string; json: unknown }): unknown {
  return longNumber.test(text) ? parseExactly(text) : json;
}

function exactInteger(_key: string, value: unknown, { source }: { source?: string }): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
  return isRounded && source !== undefined && isInteger.test(source) ? BigInt(source) : value;
}

/** Longer integers are not ids, and parsing millions of digits would take minutes. */
const isInteger = /^-?\d{1,100}$/;

/** Only such texts can have a member `toString`, possibly escaped. */
const mayHaveMethodNames = /toString|\\u00/i;

/** String() would throw for an object with a member `toString`. */
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

/** The JSON text of a value that may contain bigints. */
export function writeJson(value: unknown, indent?: number | string): string {
  const asRaw = (_key: string, part: unknown) => (typeof part === 'bigint' ? rawJson(String(part)) : part);
  return JSON.stringify(value, asRaw, indent);
}

/** A bigint if a number would round the integer. */
export function readInteger(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

/** A number or bigint. */
export function isJsonNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Rounds bigints to numbers, because schemas expect numbers. */
export function roundIntegers(value: unknown): unknown {
  return value === undefined ? undefined : parseJson(writeJson(value));
}

/** Compares ids as texts, because one may be a string and the other a number. */
export function isSameId(one: unknown, other: unknown): boolean {
  return one !== undefined && one !== null && String(one) === String(other);
}

/** JSON.rawJSON, which TypeScript does not declare yet. */
export const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };
