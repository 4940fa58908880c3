// Says of a world seed all that is wrong with it. Loaded on demand, since the demo world needs no check.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parsePointer } from '../openapi/json-pointer.ts';
import { nearest } from '../openapi/nearest.ts';
import type { Json } from '../openapi/registers.ts';
import type { SiteSeed, WorldSeed } from './world-seed.ts';
import { worldSeedSchema } from './world-seed-schema.ts';

/** A world file, or what stands in one, is not as it must be. The message says where and why, one reason a line. */
export class WorldFileError extends Error {}

/** One thing that is wrong, and where, as the names and indexes that lead there. */
export interface Finding {
  path: readonly string[];
  text: string;
}

/** A world seed that was given as an object. `source` names it in errors. Throws WorldFileError. */
export function checkWorldSeed(value: unknown, source: string): WorldSeed {
  const findings = findMistakes(value);
  if (findings.length > 0) throw worldFileError(findings, (path) => [source, ...path].join('.'));
  return value as WorldSeed;
}

const mostReasons = 10;

export function worldFileError(
  findings: readonly Finding[],
  placeOf: (path: readonly string[]) => string,
): WorldFileError {
  const lines = findings.slice(0, mostReasons).map(({ path, text }) => `${placeOf(path)}: ${text}`);
  const more = findings.length - mostReasons;
  return new WorldFileError([...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
}

/** Everything that is wrong with a seed; nothing where it can be planted. */
export function findMistakes(value: unknown): Finding[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true });
  addFormats.default(ajv);
  const isSeed = ajv.compile<WorldSeed>(worldSeedSchema);
  if (!isSeed(value)) return (isSeed.errors ?? []).map(toFinding);
  return findRepeats(value);
}

function toFinding({ keyword, instancePath, params, parentSchema = {} }: ErrorObject): Finding {
  const path = parsePointer(instancePath);
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema.properties ?? {}) as Json);
    const name = String(params.additionalProperty);
    const guess = nearest(name, known);
    return {
      path: [...path, name],
      text: `there is no such member${guess ? `; did you mean "${guess}"?` : ''} (known: ${known.join(', ')})`,
    };
  }
  if (keyword === 'required') return { path, text: `lacks "${params.missingProperty}"` };
  // Never with the value: it may be a password.
  return { path, text: `expected ${String(parentSchema.description)}` };
}

interface Unique {
  kind: string;
  name: string | number | undefined;
  path: readonly string[];
}

/** Names, keys and identifiers that are given a second time. */
function findRepeats(seed: WorldSeed): Finding[] {
  const seen = new Set<string>();
  return uniquesOf(seed).flatMap(({ kind, name, path }) => {
    const key = `${kind} ${name}`;
    if (name === undefined || !seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ path, text: `another ${kind} has it already; it must be unique` }];
  });
}

function uniquesOf({ tenants }: WorldSeed): Unique[] {
  return each(['tenants'], tenants, (tenant, path) => [
    { kind: 'tenant', name: tenant.name, path: [...path, 'name'] },
    ...each([...path, 'users'], tenant.users, ({ username }, at) => [
      { kind: 'user', name: username, path: [...at, 'username'] },
    ]),
    ...each([...path, 'api_keys'], tenant.api_keys, ({ key }, at) => [
      { kind: 'API key', name: key, path: [...at, 'key'] },
    ]),
    ...each([...path, 'sites'], tenant.sites, uniquesOfSite),
  ]);
}

function uniquesOfSite(site: SiteSeed, path: readonly string[]): Unique[] {
  const idsOf = (kind: string, name: 'contents' | 'submissions' | 'comments') =>
    each<{ id?: number }>([...path, name], site[name], ({ id }, at) => [
      { kind, name: id, path: [...at, 'id'] },
    ]);
  return [
    { kind: 'site', name: site.id, path: [...path, 'id'] },
    ...idsOf('content', 'contents'),
    ...idsOf('form submission', 'submissions'),
    ...idsOf('comment', 'comments'),
  ];
}

function each<Entry>(
  path: readonly string[],
  entries: readonly Entry[] = [],
  read: (entry: Entry, path: readonly string[]) => Unique[],
): Unique[] {
  return entries.flatMap((entry, index) => read(entry, [...path, String(index)]));
}
