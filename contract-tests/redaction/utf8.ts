import { pushUnit, type WrittenView } from './text-view.ts';

/** Bytes, each with the start and end of its part of the original text. */
export interface Bytes {
  values: number[];
  from: number[];
  to: number[];
}

interface Character {
  point: number;
  length: number;
}

/** Decodes bytes and returns how many, without an incomplete character at the end. Calls `spoil` at invalid UTF-8. */
export function pushUtf8(view: WrittenView, bytes: Bytes, spoil: (at: number) => void): number {
  const { values, from, to } = bytes;
  let at = 0;
  while (at < values.length) {
    const character = characterAt(values, at);
    if (character === 'cut off') return at;
    if (character === undefined) spoil(at);
    const { point, length } = character ?? { point: -1, length: 1 };
    if (point >= 0) {
      const [start, end] = [from[at] ?? 0, to[at + length - 1] ?? 0];
      for (const unit of unitsOf(point)) pushUnit(view, unit, start, end);
    }
    at += length;
  }
  return at;
}

/** One code unit, or a surrogate pair. */
export function unitsOf(point: number): number[] {
  if (point < 0x10000) return [point];
  const beyond = point - 0x10000;
  return [0xd800 + (beyond >> 10), 0xdc00 + (beyond & 0x3ff)];
}

function characterAt(values: readonly number[], at: number): Character | 'cut off' | undefined {
  const first = values[at] ?? 0;
  if (first < 0x80) return { point: first, length: 1 };
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return undefined;
  let point = first & (0x7f >> length);
  for (let next = at + 1; next < at + length; next += 1) {
    const value = values[next];
    if (value === undefined) return 'cut off';
    if ((value & 0xc0) !== 0x80) return undefined;
    point = (point << 6) | (value & 0x3f);
  }
  return point > 0x10ffff ? undefined : { point, length };
}
