// Decodes one layer of escapes: JSON and JavaScript, percent-encoding, HTML entities, shell quotes.
import { readEntity, readOpenEntity } from './html-entities.ts';
import {
  beginningAt,
  type Escape,
  ellipsis,
  endAt,
  hexValue,
  pushUnit,
  startView,
  type TextView,
  type WrittenView,
} from './text-view.ts';
import { type Bytes, pushUtf8, unitsOf } from './utf8.ts';

const [hash, percent, backslash, ampersand, quote] = [35, 37, 92, 38, 39];

/** The most layers of escapes that are decoded, for example of JSON in JSON. */
export const mostEscaped = 6;

/** Undefined if the text has no escapes. */
export function decodeEscapes(view: TextView): TextView | undefined {
  return hasEscapes(view) ? decodeWith(view, strictAt) : undefined;
}

/** Decodes like lenient readers: `\\\\u0064` is a backslash and a letter, `&#100` an entity. Undefined if that makes no difference. */
export function decodeLeniently(view: TextView): TextView | undefined {
  return hasEscapes(view) && view.units.some((_, at) => isLoose(view.units, at))
    ? decodeWith(view, lenientAt)
    : undefined;
}

type Read = (units: TextView['units'], at: number) => Escape | undefined;

function hasEscapes({ units }: TextView): boolean {
  return units.some((unit) => unit === percent || unit === backslash || unit === ampersand);
}

function decodeWith(view: TextView, read: Read): TextView | undefined {
  const { units } = view;
  const decoded = startView();
  for (let at = 0; at < units.length; ) at += decodeAt(view, { at, read }, decoded);
  return decoded.units.length < units.length ? decoded : undefined;
}

/** Decodes the unit or escape at an index and returns its length. */
function decodeAt(view: TextView, { at, read }: { at: number; read: Read }, decoded: WrittenView): number {
  const { units } = view;
  const unit = units[at] ?? 0;
  if (unit === percent) {
    const length = decodePercents(view, at, decoded);
    if (length > 0) return length;
  }
  const found = read(units, at) ?? cutOffAt(units, at);
  if (!found) {
    pushUnit(decoded, unit, beginningAt(view, at), endAt(view, at));
    return 1;
  }
  const [from, to] = [beginningAt(view, at), endAt(view, at + found.length - 1)];
  for (const one of found.units) pushUnit(decoded, one, from, to);
  return found.length;
}

function strictAt(units: TextView['units'], at: number): Escape | undefined {
  switch (units[at]) {
    case backslash:
      return backslashAt(units, at);
    case ampersand:
      return readEntity(units, at);
    case quote:
      return isQuotedForShell(units, at) ? { units: [quote], length: 4 } : undefined;
    case percent:
      return ((units[at + 1] ?? 0) | 32) === letterU ? codeAt(units, at + 2, 4) : undefined;
    default:
      return undefined;
  }
}

function lenientAt(units: TextView['units'], at: number): Escape | undefined {
  if (!isLoose(units, at)) return strictAt(units, at);
  return units[at] === backslash ? undefined : readOpenEntity(units, at);
}

/** Whether lenient and strict readers differ here: a double backslash before a code, or an entity without semicolon. */
function isLoose(units: TextView['units'], at: number): boolean {
  if (units[at] === ampersand) return !readEntity(units, at) && readOpenEntity(units, at) !== undefined;
  const isPair = units[at] === backslash && units[at + 1] === backslash;
  return isPair && (backslashAt(units, at + 1)?.length ?? 0) > 2;
}

const shortForms: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, f: 12, n: 10, r: 13, t: 9 }).map(([letter, unit]) => [letter.charCodeAt(0), unit]),
);

const [letterU, letterX, brace, closingBrace] = [117, 120, 123, 125];

function backslashAt(units: TextView['units'], at: number): Escape | undefined {
  const next = units[at + 1];
  if (next === undefined || next === ellipsis) return undefined;
  const kind = next | 32;
  if (kind === letterU && units[at + 2] === brace) return bracedAt(units, at + 3);
  if (kind === letterU) return codeAt(units, at + 2, 4);
  if (kind === letterX) return codeAt(units, at + 2, 2);
  const short = shortForms.get(next);
  if (short !== undefined) return { units: [short], length: 2 };
  const begins = next === percent || next === ampersand;
  return begins || isAlphanumeric(next) || next > 126 ? undefined : { units: [next], length: 2 };
}

/** An escape of two units and `digits` hexadecimal digits. */
function codeAt(units: TextView['units'], at: number, digits: number): Escape | undefined {
  let code = 0;
  for (let next = at; next < at + digits; next += 1) {
    const value = hexValue(units[next]);
    if (value < 0) return undefined;
    code = code * 16 + value;
  }
  return { units: [code], length: digits + 2 };
}

/** As in `\u{1f600}`: `at` is the first digit. */
function bracedAt(units: TextView['units'], at: number): Escape | undefined {
  let [code, end] = [0, at];
  for (; hexValue(units[end]) >= 0; end += 1) code = Math.min(code * 16 + hexValue(units[end]), 0x110000);
  if (end === at || units[end] !== closingBrace || code > 0x10ffff) return undefined;
  return { units: unitsOf(code), length: end + 1 - at + 3 };
}

/** An apostrophe within apostrophes: '\'' */
function isQuotedForShell(units: TextView['units'], at: number): boolean {
  return units[at + 1] === backslash && units[at + 2] === quote && units[at + 3] === quote;
}

/** Decodes consecutive percent-encoded bytes and returns their length; 0 without any. */
function decodePercents(view: TextView, start: number, decoded: WrittenView): number {
  const { units } = view;
  const bytes: Bytes = { values: [], from: [], to: [] };
  let at = start;
  while (units[at] === percent && hexValue(units[at + 1]) >= 0 && hexValue(units[at + 2]) >= 0) {
    bytes.values.push(hexValue(units[at + 1]) * 16 + hexValue(units[at + 2]));
    bytes.from.push(beginningAt(view, at));
    bytes.to.push(endAt(view, at + 2));
    at += 3;
  }
  // Bytes that are not UTF-8 yet may be after another layer is decoded.
  const read = pushUtf8(decoded, bytes, (index) => {
    for (let next = start + 3 * index; next < start + 3 * index + 3; next += 1)
      pushUnit(decoded, units[next] ?? 0, beginningAt(view, next), endAt(view, next));
  });
  return read * 3;
}

/** In units, except `&#000…`. */
const longestEscape = 12;

/** An escape cut off by an ellipsis decodes to nothing. */
function cutOffAt(units: TextView['units'], at: number): Escape | undefined {
  const unit = units[at] ?? 0;
  const isHighSurrogate = unit >= 0xd800 && unit < 0xdc00;
  if (unit !== percent && unit !== backslash && unit !== ampersand && unit !== quote && !isHighSurrogate)
    return undefined;
  for (let end = at + 1; end < at + longestEscape; end += 1) {
    const next = units[end];
    if (next === ellipsis) return { units: [], length: end - at };
    if (
      next === undefined ||
      !(isAlphanumeric(next) || next === hash || next === percent || next === backslash || next === quote)
    )
      return undefined;
  }
  return undefined;
}

function isAlphanumeric(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || ((unit | 32) >= 97 && (unit | 32) <= 122);
}
