// Validates a world seed from outside. Loaded on demand, since the demo world needs no check.
import { keepLongId } from '../world/long-ids.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { findMistakes, formatPath, type Mistake, type Path } from './find-mistakes.ts';

/** An invalid world seed. Each problem is one line: where, what is wrong, what to do. */
export class WorldFileError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const more = problems.length - maxShown;
    super([...problems.slice(0, maxShown), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
    this.problems = problems;
  }
}

const maxShown = 10;
/** Looking for a line takes as long as the map around it has members. */
const mostLocated = 100;

/** A copy of a valid seed. `source` names it in messages; `lineOf` adds the line of a file. Throws WorldFileError. */
export function checkWorldSeed(value: unknown, source: string, lineOf?: (path: Path) => number): WorldSeed {
  const seed = plainCopy(value);
  if (seed === undefined)
    throw new WorldFileError([
      `${source}: it can't be written as JSON; give plain objects, lists, texts, numbers, true and false`,
    ]);
  const found = findMistakes(seed);
  const mistakes = found
    .slice(0, mostLocated)
    .map((mistake) => ({ mistake, line: lineOf?.(placeOf(mistake)) ?? 0 }));
  if (mistakes.length === 0) return seed as WorldSeed;
  const problems = mistakes
    .sort((one, other) => one.line - other.line)
    .map(({ mistake, line }) => `${lineOf ? `${source}:${line}` : source}: ${wordingOf(mistake)}`);
  throw new WorldFileError([...problems, ...found.slice(mostLocated).map(wordingOf)]);
}

function plainCopy(value: unknown): unknown {
  try {
    return JSON.parse(
      JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? numberFor(part) : part)),
    );
  } catch {
    return undefined;
  }
}

function numberFor(integer: bigint): number {
  return Number(keepLongId(String(integer)) ?? integer);
}

function placeOf({ path, member }: Mistake): Path {
  return member === undefined ? path : [...path, member];
}

function wordingOf({ path, text }: Mistake): string {
  return path.length === 0 ? text : `${formatPath(path)}: ${text}`;
}
