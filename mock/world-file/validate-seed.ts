// Imported on demand, since the demo world needs no check. Messages never quote what may be a secret.
import { explainErrors, type Mistake } from '../../openapi/explain-errors.ts';
import type { Json } from '../../openapi/json.ts';
import { createAjv, lazily } from '../../openapi/libraries.ts';
import { assignBigint } from '../world/long-ids.ts';
import { isReceivingUrl } from '../world/subscription-rules.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { worldSeedSchema } from './seed-schema.ts';

/** A world file or seed is invalid. Each problem is one line: where, what is wrong, what to do. */
export class WorldFileError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const more = problems.length - maxShown;
    super([...problems.slice(0, maxShown), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
    this.problems = problems;
  }
}

const maxShown = 10;
/** Finding a line takes time linear in the members of the maps around it. */
const mostLocated = 100;

type Path = readonly string[];

/** Returns a copy. Messages begin with `source` and the line from `lineOf`. Throws WorldFileError. */
export function checkWorldSeed(value: unknown, source: string, lineOf?: (path: Path) => number): WorldSeed {
  const seed = plainCopy(value, source);
  const found = findMistakes(seed);
  if (found.length === 0) return seed as WorldSeed;
  const problems = found
    .slice(0, mostLocated)
    .map((mistake) => ({ mistake, line: lineOf?.(placeOf(mistake)) ?? 0 }))
    .sort((one, other) => one.line - other.line)
    .map(({ mistake, line }) => `${lineOf ? `${source}:${line}` : source}: ${wordingOf(mistake)}`);
  throw new WorldFileError([...problems, ...found.slice(mostLocated).map(wordingOf)]);
}

function plainCopy(value: unknown, source: string): unknown {
  try {
    return JSON.parse(JSON.stringify(value, (_, part) => assignBigint(part)));
  } catch {
    throw new WorldFileError([
      `${source}: it is not JSON data; use plain objects, arrays, strings, numbers and booleans`,
    ]);
  }
}

function placeOf({ path, member }: Mistake): Path {
  return member === undefined ? path : [...path, member];
}

function wordingOf({ path, text }: Mistake): string {
  return path.length === 0 ? text : `${formatPath(path)}: ${text}`;
}

/** Shape: tenants[0].sites[1].version. */
function formatPath(path: Path): string {
  return path
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : `${index > 0 ? '.' : ''}${step}`))
    .join('');
}

const schema = worldSeedSchema();
/** Compiling the schema takes longer than checking a seed. */
const compiled = lazily(() =>
  createAjv({ formats: { 'receiving-url': isReceivingUrl } }).compile<WorldSeed>(schema),
);

function findMistakes(seed: unknown): Mistake[] {
  const isSeed = compiled();
  if (isSeed(seed)) return findDuplicates(seed);
  return explainErrors(isSeed.errors ?? [], { expected: ({ description }) => String(description), found });
}

/** A misplaced value may be a password, so values are quoted only if the schema expects a public scalar. */
function found(value: unknown, { type, writeOnly }: Json): string {
  const isBare = typeof value === 'number' || typeof value === 'boolean';
  const hint = type === 'string' && isBare ? '; put it in quotes' : '';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (!writeOnly && type !== 'object' && type !== 'array')
    return `${JSON.stringify(value).replace(/^(.{60}).+/s, '$1…')}${hint}`;
  if (typeof value === 'string') return writeOnly ? '' : 'a text';
  return `${typeof value === 'number' ? 'a number' : 'true or false'}${hint}`;
}

/** JSON Schema can't express that ids are unique in a whole document. */
function findDuplicates(seed: WorldSeed): Mistake[] {
  const firstUses = new Map<string, Path>();
  const findIn = ({ unique: kind, items, properties = {} }: Json, value: unknown, path: Path): Mistake[] => {
    if (value === undefined) return [];
    if (Array.isArray(value))
      return value.flatMap((item, index) => findIn(items as Json, item, [...path, String(index)]));
    if (kind === undefined)
      return Object.entries(properties as Record<string, Json>).flatMap(([name, part]) =>
        findIn(part, (value as Json)[name], [...path, name]),
      );
    const use = `${kind} ${value}`;
    const first = firstUses.get(use);
    if (first)
      return [{ path, text: `this ${kind} is already used at ${formatPath(first)}; each must be unique` }];
    firstUses.set(use, path);
    return [];
  };
  return findIn(schema, seed, []);
}
