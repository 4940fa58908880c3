// A plugin of Stryker that leaves out what was not drawn. The option `mutate` alone would include everything inside a place.
import { readRange } from './draw.ts';
import type { Location, Position } from './mutant.ts';

/** A node of the syntax tree, as Babel has it: lines count from 1, columns from 0. */
interface Node {
  node: { loc?: Location | null | undefined };
}

/** Ignores all nodes but those at the drawn places. Where none was drawn, as when mutants are listed, it ignores all. */
export function createIgnorer({ mutate }: { mutate: readonly string[] }) {
  const drawn = mutate.map(readRange).filter((range) => range !== undefined);
  return {
    shouldIgnore: ({ node: { loc } }: Node) =>
      loc && !drawn.some((place) => contains(loc, place)) ? 'not drawn' : undefined,
  };
}

function contains({ start, end }: Location, place: Location): boolean {
  return !isBefore(place.start, countedFromOne(start)) && !isBefore(countedFromOne(end), place.end);
}

function countedFromOne({ line, column }: Position): Position {
  return { line, column: column + 1 };
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}

createIgnorer.inject = ['options'] as const;

export const strykerPlugins = [{ kind: 'Ignore', name: 'only-drawn', factory: createIgnorer }];
