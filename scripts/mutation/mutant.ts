// What Stryker says of a mutant, as far as it is read here.

export interface Position {
  line: number;
  column: number;
}

/** Lines and columns count from 1; the end stands behind the last character. */
export interface Location {
  start: Position;
  end: Position;
}

/** The same place, where lines and columns counted from 0. */
export function countedFromOne({ start, end }: Location): Location {
  const move = ({ line, column }: Position) => ({ line: line + 1, column: column + 1 });
  return { start: move(start), end: move(end) };
}

export interface Mutant {
  fileName: string;
  location: Location;
  replacement?: string | undefined;
  status: string;
  statusReason?: string | undefined;
}

/** How the reason begins why a mutant counts as killed of which the suite warned only, or which kept it from verifying something. */
export const warnedOnly = 'told only: ';
