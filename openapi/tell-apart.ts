// Several operations may be called by one method and path, where their bodies or queries tell them apart.
import { isDeepStrictEqual } from 'node:util';
import type { Json } from './json.ts';
import { getPath } from './json-pointer.ts';
import { gaps } from './registers.ts';
import { placeholdersOf, type Template } from './template.ts';

/** Something that the requests of one operation have, or (`isNegated`) have not: a constant, or anything at all at a place. */
export interface Sign {
  in: 'body' | 'query';
  /** Names, and the indexes of lists. */
  path: readonly (string | number)[];
  /** The constant; absent where any value will do. */
  constant?: unknown;
  isNegated?: boolean;
}

/** The templates of what an operation sends. */
export interface Sent {
  query: Readonly<Record<string, unknown>>;
  body?: Template;
}

/** A sign of each of two operations that the other's requests never show; undefined where nothing tells them apart. */
export function tellApart(one: Sent, other: Sent): [Sign, Sign] | undefined {
  const [ours, theirs] = [leavesOf(one), leavesOf(other)];
  return (
    differingConstants(ours, theirs) ??
    onlyInOne(ours, theirs, 'constant') ??
    onlyInOne(ours, theirs, 'placeholder')
  );
}

/** Whether a request shows a sign. */
export function shows(sign: Sign, sent: Sent): boolean {
  const found = getPath(sent[sign.in], sign.path.map(String));
  const isThere = 'constant' in sign ? isDeepStrictEqual(found, sign.constant) : found !== undefined;
  return isThere !== (sign.isNegated ?? false);
}

/** The schema of the bodies that have what a sign is about. */
export function schemaOfSign({ path, ...sign }: Sign): Json {
  const value: Json = 'constant' in sign ? { const: sign.constant } : {};
  return path.reduceRight<Json>((inside, segment) => holding(segment, inside), value);
}

interface Leaf {
  in: Sign['in'];
  path: Sign['path'];
  kind: 'constant' | 'placeholder' | 'optional';
  constant?: unknown;
}

function leavesOf({ query, body }: Sent): Leaf[] {
  return [...leavesIn('query', query, []), ...leavesIn('body', body, [])];
}

function leavesIn(place: Sign['in'], template: Template, path: Sign['path']): Leaf[] {
  if (typeof template === 'object' && template !== null && (path.length === 0 || hasMembers(template))) {
    const keyOf = (key: string) => (Array.isArray(template) ? Number(key) : key);
    return Object.entries(template).flatMap(([key, part]) => leavesIn(place, part, [...path, keyOf(key)]));
  }
  if (template === undefined) return [];
  const names = placeholdersOf(template);
  if (names.length === 0) return [{ in: place, path, kind: 'constant', constant: template }];
  return [
    { in: place, path, kind: names.some((name) => !mayBeMissing.has(name)) ? 'placeholder' : 'optional' },
  ];
}

function hasMembers(value: object): boolean {
  return Object.keys(value).length > 0;
}

const mayBeMissing = new Set(gaps.flatMap(({ query = [] }) => query));

function differingConstants(ours: readonly Leaf[], theirs: readonly Leaf[]): [Sign, Sign] | undefined {
  for (const leaf of ours) {
    const other = theirs.find((one) => one.in === leaf.in && isDeepStrictEqual(one.path, leaf.path));
    const areConstants = leaf.kind === 'constant' && other?.kind === 'constant';
    if (areConstants && !isDeepStrictEqual(leaf.constant, other.constant))
      return [signOf(leaf), signOf(other)];
  }
  return undefined;
}

function onlyInOne(
  ours: readonly Leaf[],
  theirs: readonly Leaf[],
  kind: Leaf['kind'],
): [Sign, Sign] | undefined {
  const mine = findOwn(ours, theirs, kind);
  if (mine) return [mine, { ...mine, isNegated: true }];
  const others = findOwn(theirs, ours, kind);
  return others && [{ ...others, isNegated: true }, others];
}

/** A place that only one of two templates has, with nothing of the other above or below it. */
function findOwn(leaves: readonly Leaf[], others: readonly Leaf[], kind: Leaf['kind']): Sign | undefined {
  const own = leaves.find(
    (leaf) => leaf.kind === kind && !others.some((other) => areInOneBranch(leaf, other)),
  );
  return own && signOf(own);
}

function areInOneBranch(one: Leaf, other: Leaf): boolean {
  const length = Math.min(one.path.length, other.path.length);
  return one.in === other.in && isDeepStrictEqual(one.path.slice(0, length), other.path.slice(0, length));
}

function signOf({ kind, constant, ...place }: Leaf): Sign {
  return { in: place.in, path: place.path, ...(kind === 'constant' && { constant }) };
}

/** The schema of an object or list with something in a place. */
function holding(segment: string | number, inside: Json): Json {
  if (typeof segment === 'string')
    return { type: 'object', required: [segment], properties: { [segment]: inside } };
  const before = Array.from({ length: segment }, () => ({}));
  return { type: 'array', minItems: segment + 1, prefixItems: [...before, inside] };
}
