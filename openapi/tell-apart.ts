// Operations may share a method and path if their bodies or queries differ.
import { isDeepStrictEqual } from 'node:util';
import type { Json } from './json.ts';
import { getPath } from './json-pointer.ts';
import { gaps } from './registers.ts';
import { placeholdersOf, type Template } from './template.ts';

/** A place with a constant, or with any value, that requests of one operation have or, if `isNegated`, lack. */
export interface Sign {
  in: 'body' | 'query';
  path: readonly (string | number)[];
  /** Absent if any value matches. */
  constant?: unknown;
  isNegated?: boolean;
}

export interface Sent {
  query: Readonly<Record<string, unknown>>;
  body?: Template;
}

/** Returns a sign of `one` that requests of `other` never show; undefined if there is none. */
export function tellApart(one: Sent, other: Sent): Sign | undefined {
  const [ours, theirs] = [leavesOf(one), leavesOf(other)];
  const differing = ours.find((leaf) => theirs.some((another) => isOtherConstant(leaf, another)));
  if (differing) return signOf(differing);
  for (const kind of ['constant', 'placeholder'] as const) {
    const own = findOwn(kind, ours, theirs);
    if (own) return signOf(own);
    const foreign = findOwn(kind, theirs, ours);
    if (foreign) return { ...signOf(foreign), isNegated: true };
  }
  return undefined;
}

export function shows(sign: Sign, sent: Sent): boolean {
  const found = getPath(sent[sign.in], sign.path.map(String));
  const isThere = 'constant' in sign ? isDeepStrictEqual(found, sign.constant) : found !== undefined;
  return isThere !== (sign.isNegated ?? false);
}

/** Ignores `isNegated`. */
export function schemaOfSign({ path, ...sign }: Sign): Json {
  const value: Json = 'constant' in sign ? { const: sign.constant } : {};
  return path.reduceRight<Json>((inside, segment) => holding(segment, inside), value);
}

interface Leaf {
  /** Begins with `query` or `body`. */
  path: readonly (string | number)[];
  kind: 'constant' | 'placeholder' | 'optional';
  constant?: unknown;
}

function leavesOf({ query, body = {} }: Sent): Leaf[] {
  return leavesIn({ query, body }, []);
}

function leavesIn(template: Template, path: Leaf['path']): Leaf[] {
  const isObject = typeof template === 'object' && template !== null;
  if (isObject && (path.length < 2 || Object.keys(template).length > 0)) {
    const keyOf = (key: string) => (Array.isArray(template) ? Number(key) : key);
    return Object.entries(template).flatMap(([key, part]) => leavesIn(part, [...path, keyOf(key)]));
  }
  const names = placeholdersOf(template);
  if (names.length === 0) return [{ path, kind: 'constant', constant: template }];
  return [{ path, kind: names.every((name) => mayBeMissing.has(name)) ? 'optional' : 'placeholder' }];
}

const mayBeMissing = new Set(gaps.flatMap(({ query = [] }) => query));

function isOtherConstant(one: Leaf, other: Leaf): boolean {
  const areConstants = one.kind === 'constant' && other.kind === 'constant';
  return (
    areConstants &&
    isDeepStrictEqual(one.path, other.path) &&
    !isDeepStrictEqual(one.constant, other.constant)
  );
}

/** Finds a leaf without a counterpart in the other template, at its place, above or below it. */
function findOwn(kind: Leaf['kind'], leaves: readonly Leaf[], others: readonly Leaf[]): Leaf | undefined {
  return leaves.find((leaf) => leaf.kind === kind && !others.some((other) => areInOneBranch(leaf, other)));
}

function areInOneBranch({ path: one }: Leaf, { path: other }: Leaf): boolean {
  const length = Math.min(one.length, other.length);
  return isDeepStrictEqual(one.slice(0, length), other.slice(0, length));
}

function signOf({ path: [place, ...path], kind, constant }: Leaf): Sign {
  return { in: place === 'query' ? place : 'body', path, ...(kind === 'constant' && { constant }) };
}

function holding(segment: string | number, inside: Json): Json {
  if (typeof segment === 'string')
    return { type: 'object', required: [segment], properties: { [segment]: inside } };
  const before = Array.from({ length: segment }, () => ({}));
  return { type: 'array', minItems: segment + 1, prefixItems: [...before, inside] };
}
