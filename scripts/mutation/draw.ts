// The sample: places of the code are drawn, and all mutants of a place are tried.
import { createHash } from 'node:crypto';
import type { Location, Mutant } from './mutant.ts';
import { firstLineAt, textAt } from './source.ts';

interface Draw {
  seed: number;
  /** How many of the places are drawn, between 0 and 1. */
  share: number;
  sourceOf(fileName: string): string;
}

/** The mutants at the places that were drawn. Whether a place is drawn depends on its text alone, so that the code around it can change. */
export function draw<M extends Mutant>(mutants: readonly M[], { seed, share, sourceOf }: Draw): M[] {
  const seen = new Map<string, number>();
  const places = [...Map.groupBy(mutants, placeOf).values()];
  return places
    .filter(([first]) => {
      if (!first) return false;
      const { fileName, location } = first;
      const source = sourceOf(fileName);
      const text = JSON.stringify([fileName, firstLineAt(source, location), textAt(source, location)]);
      const count = seen.get(text) ?? 0;
      seen.set(text, count + 1);
      return fraction(`${seed} ${count} ${text}`) < share;
    })
    .flat();
}

/** The place of a mutant, as text. */
export function placeOf({ fileName, location }: Mutant): string {
  return rangeOf(fileName, location);
}

/** A place in the form of Stryker's option `mutate`, in which columns count from 0. */
export function rangeOf(fileName: string, { start, end }: Location): string {
  return `${fileName}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

/** The inverse of `rangeOf`; undefined for a pattern of whole files. */
export function readRange(pattern: string): Location | undefined {
  const match = /:(\d+):(\d+)-(\d+):(\d+)$/.exec(pattern);
  if (!match) return undefined;
  const [startLine = 0, startColumn = 0, endLine = 0, endColumn = 0] = match.slice(1).map(Number);
  return {
    start: { line: startLine, column: startColumn + 1 },
    end: { line: endLine, column: endColumn + 1 },
  };
}

/** A number from 0 up to 1 that looks random. */
function fraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}
