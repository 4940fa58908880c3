// A decoded text in which every unit refers to its part of the original text.

/** UTF-16 code units, each with the start and end of its part of the original. */
export interface TextView {
  units: readonly number[] | Uint16Array | Int32Array;
  from: readonly number[] | Int32Array | undefined;
  to: readonly number[] | Int32Array | undefined;
}

export interface WrittenView extends TextView {
  units: number[];
  from: number[];
  to: number[];
}

/** A decoded escape: its units, and its length in the view. */
export interface Escape {
  units: readonly number[];
  length: number;
}

/** A unit that occurs in no text. Separates unrelated parts. */
export const separator = -1;

/** Marks an omission. */
export const ellipsis = 0x2026;

export function viewOf(text: string): TextView {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return { units, from: undefined, to: undefined };
}

export function startView(): WrittenView {
  return { units: [], from: [], to: [] };
}

/** Halves the memory of a view. */
export function packView({ units, from, to }: TextView): TextView {
  return {
    units: Int32Array.from(units),
    from: from && Int32Array.from(from),
    to: to && Int32Array.from(to),
  };
}

export function beginningAt({ from }: TextView, at: number): number {
  return from?.[at] ?? at;
}

export function endAt({ to }: TextView, at: number): number {
  return to?.[at] ?? at + 1;
}

export function pushUnit(view: WrittenView, unit: number, from: number, to: number): void {
  view.units.push(unit);
  view.from.push(from);
  view.to.push(to);
}

/** The value of a hexadecimal digit, or -1. */
export function hexValue(unit: number | undefined): number {
  if (unit === undefined) return -1;
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
