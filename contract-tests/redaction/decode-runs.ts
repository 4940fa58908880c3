// Decodes runs of base64 or hexadecimal digits from every offset, because the start of the encoded text is unknown.
import {
  beginningAt,
  ellipsis,
  endAt,
  hexValue,
  pushUnit,
  separator,
  startView,
  type TextView,
  type WrittenView,
} from './text-view.ts';
import { type Bytes, pushUtf8 } from './utf8.ts';

/** `bits` per digit; after `period` digits a byte begins at a digit again. */
interface Notation {
  digitOf(unit: number): number;
  bits: number;
  period: number;
}

/** In units. Shorter encoded texts are ignored. */
const shortest = 4;

/** Decodes base64 and base64url. Undefined if the text has no run that is long enough. */
export function decodeBase64(view: TextView): TextView | undefined {
  return decodeRuns(view, { digitOf: base64Value, bits: 6, period: 4 });
}

export function decodeHex(view: TextView): TextView | undefined {
  return decodeRuns(view, { digitOf: hexValue, bits: 4, period: 2 });
}

interface Run {
  values: number[];
  places: number[];
  end: number;
}

function decodeRuns(view: TextView, notation: Notation): TextView | undefined {
  const decoded = startView();
  const least = Math.ceil((shortest * 8) / notation.bits);
  for (let at = 0; at < view.units.length; ) {
    const run = runAt(view, at, notation);
    if (run.values.length >= least)
      for (let offset = 0; offset < notation.period; offset += 1)
        pushText(decoded, bytesOf(view, run, { ...notation, offset }), endOf(view, run));
    at = run.end + 1;
  }
  return decoded.units.length > 0 ? decoded : undefined;
}

const [carriageReturn, lineFeed, equals] = [13, 10, 61];

/** The digits from `start` on, ignoring line breaks. */
function runAt({ units }: TextView, start: number, { digitOf }: Notation): Run {
  const run: Run = { values: [], places: [], end: start };
  for (; run.end < units.length; run.end += 1) {
    const unit = units[run.end] ?? 0;
    const value = digitOf(unit);
    if (value < 0 && unit !== carriageReturn && unit !== lineFeed) break;
    if (value < 0) continue;
    run.values.push(value);
    run.places.push(run.end);
  }
  return run;
}

/** The end of a run, including its padding. */
function endOf(view: TextView, { end }: Run): { to: number; isCut: boolean } {
  let next = end;
  while (view.units[next] === equals && next < end + 2) next += 1;
  const to = next === 0 ? 0 : endAt(view, next - 1);
  return { to, isCut: view.units[next] === ellipsis };
}

function bytesOf(
  view: TextView,
  { values, places }: Run,
  { bits, offset }: Notation & { offset: number },
): Bytes {
  const bytes: Bytes = { values: [], from: [], to: [] };
  const count = Math.floor(((values.length - offset) * bits) / 8);
  for (let index = 0; index < count; index += 1) {
    const first = offset + Math.floor((index * 8) / bits);
    const last = offset + Math.floor((index * 8 + 7) / bits);
    bytes.values.push(byteAt(values, { index, offset, bits }));
    bytes.from.push(beginningAt(view, places[first] ?? 0));
    bytes.to.push(endAt(view, places[last] ?? 0));
  }
  return bytes;
}

function byteAt(
  values: readonly number[],
  { index, offset, bits }: { index: number; offset: number; bits: number },
): number {
  if (bits === 4) return ((values[offset + index * 2] ?? 0) << 4) | (values[offset + index * 2 + 1] ?? 0);
  const first = offset + Math.floor((index * 8) / 6);
  const pair = ((values[first] ?? 0) << 6) | (values[first + 1] ?? 0);
  return (pair >> (4 - ((index * 8) % 6))) & 0xff;
}

/** Adds only valid UTF-8, which rules out most wrong offsets. */
function pushText(decoded: WrittenView, bytes: Bytes, { to, isCut }: { to: number; isCut: boolean }): void {
  let start = decoded.units.length;
  const end = () => {
    const isTooShort = decoded.units.length - start < shortest;
    for (const list of [decoded.units, decoded.from, decoded.to]) if (isTooShort) list.length = start;
    if (!isTooShort) pushUnit(decoded, separator, to, to);
    start = decoded.units.length;
  };
  pushUtf8(decoded, bytes, end);
  const last = decoded.to.length - 1;
  const isEnd = last >= start && decoded.to[last] === bytes.to.at(-1);
  if (isEnd) decoded.to[last] = Math.max(decoded.to[last] ?? 0, to);
  if (isCut && last >= start) pushUnit(decoded, ellipsis, to, to);
  end();
}

function base64Value(unit: number): number {
  if (unit >= 65 && unit <= 90) return unit - 65;
  if (unit >= 97 && unit <= 122) return unit - 71;
  if (unit >= 48 && unit <= 57) return unit + 4;
  if (unit === 43 || unit === 45) return 62;
  return unit === 47 || unit === 95 ? 63 : -1;
}
