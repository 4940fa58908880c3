// Runs of base64 or of hexadecimal digits, decoded. Nobody knows where the encoded text began, so each run is read from every place.
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

/** How a digit is read, how many bits it has, and after how many digits a byte begins at one again. */
interface Notation {
  digitOf(unit: number): number;
  bits: number;
  period: number;
}

/** Shorter texts are nobody's secret in these notations, in units. */
const shortest = 4;

/** Undefined where nothing in a text is so long a run of base64, of either alphabet, that it may be a text. */
export function decodeBase64(view: TextView): TextView | undefined {
  return decodeRuns(view, { digitOf: base64Value, bits: 6, period: 4 });
}

/** The same for hexadecimal digits. */
export function decodeHex(view: TextView): TextView | undefined {
  return decodeRuns(view, { digitOf: hexValue, bits: 4, period: 2 });
}

interface Run {
  values: number[];
  /** Where in the view each digit stands. */
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

/** The digits from a place on; line breaks may be among them. */
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

/** What stands behind a run: padding belongs to it. */
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

/** Most bytes that are read from a wrong place are no UTF-8, so that little of them is looked at again. */
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
