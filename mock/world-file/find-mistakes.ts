// Finds all mistakes in a world seed; the messages never repeat what may be secret.
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { explainErrors } from '../../openapi/explain-errors.ts';
import type { Json } from '../../openapi/json.ts';
import { createAjv } from '../../openapi/libraries.ts';
import { isReceivingUrl } from '../world/receiving-url.ts';
import type { SiteSeed, WorldSeed } from '../world/world-seed.ts';
import { worldSeedSchema } from './seed-schema.ts';

/** The names and indexes that lead to a place in a world seed. */
export type Path = readonly (string | number)[];

/** Formats a path as in code: tenants[0].sites[1].version. */
export function formatPath(path: Path): string {
  return path
    .map((step, index) => (/^\d+$/.test(String(step)) ? `[${step}]` : `${index > 0 ? '.' : ''}${step}`))
    .join('');
}

export interface Mistake {
  path: Path;
  /** The member at that place that should not be there. */
  member?: string;
  text: string;
}

/** All mistakes in a seed; empty for a valid one. */
export function findMistakes(seed: unknown): Mistake[] {
  compiled ??= createAjv({ formats: { 'receiving-url': isReceivingUrl } }).compile<WorldSeed>(
    worldSeedSchema(),
  );
  const isSeed = compiled;
  if (isSeed(seed)) return findDuplicates(seed);
  return explainErrors(isSeed.errors ?? [], { expected: ({ description }) => String(description), found });
}

/** Compiled at the first seed: it takes longer than checking one. */
let compiled: ValidateFunction<WorldSeed> | undefined;

/** A value in the wrong place may be a password, so only values in the place of a plain value are repeated. */
function found(value: unknown, { type, writeOnly }: Json): string {
  const isBare = typeof value === 'number' || typeof value === 'boolean';
  const hint = type === 'string' && isBare ? '; put it in quotes' : '';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (!writeOnly && type !== 'object' && type !== 'array') return `${shorten(JSON.stringify(value))}${hint}`;
  if (typeof value === 'string') return writeOnly ? '' : 'a text';
  return `${typeof value === 'number' ? 'a number' : 'true or false'}${hint}`;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

interface Use {
  kind: string;
  value: string | number | undefined;
  path: Path;
}

/** The names, keys and ids that a seed uses twice. */
function findDuplicates(seed: WorldSeed): Mistake[] {
  const firstUses = new Map<string, Path>();
  return usesIn(seed).flatMap(({ kind, value, path }) => {
    if (value === undefined) return [];
    const use = `${kind} ${value}`;
    const first = firstUses.get(use);
    if (first)
      return [{ path, text: `this ${kind} is already used at ${formatPath(first)}; use each only once` }];
    firstUses.set(use, path);
    return [];
  });
}

function usesIn({ tenants }: WorldSeed): Use[] {
  return each(tenants, ['tenants'], (tenant, path) => [
    { kind: 'name of a tenant', value: tenant.name, path: [...path, 'name'] },
    ...each(tenant.users, [...path, 'users'], ({ username }, at) => [
      { kind: 'username', value: username, path: [...at, 'username'] },
    ]),
    ...each(tenant.api_keys, [...path, 'api_keys'], ({ key }, at) => [
      { kind: 'API key', value: key, path: [...at, 'key'] },
    ]),
    ...each(tenant.sites, [...path, 'sites'], usesInSite),
  ]);
}

function usesInSite({ id, contents, submissions, comments }: SiteSeed, path: Path): Use[] {
  const idsOf = (kind: string) => (entry: { id?: number }, at: Path) => [
    { kind, value: entry.id, path: [...at, 'id'] },
  ];
  return [
    { kind: 'id of a site', value: id, path: [...path, 'id'] },
    ...each(contents, [...path, 'contents'], idsOf('id of a content')),
    ...each(submissions, [...path, 'submissions'], idsOf('id of a submission')),
    ...each(comments, [...path, 'comments'], idsOf('id of a comment')),
  ];
}

function each<Entry>(
  entries: readonly Entry[] | undefined,
  path: Path,
  usesOf: (entry: Entry, path: Path) => Use[],
): Use[] {
  return (entries ?? []).flatMap((entry, index) => usesOf(entry, [...path, index]));
}
