// The part of Stryker's results that is read here.

export interface Position {
  line: number;
  column: number;
}

/** Lines and columns count from 1; the end is behind the last character. */
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

/** Begins the status reason of a mutant that made no check fail, but caused a warning or left a requirement unverified. */
export const warnedOnly = 'warned only: ';
