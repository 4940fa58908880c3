// The single values of an answer, with their JSON Pointers.
import { formatPointer } from '../../openapi/json-pointer.ts';

export interface JsonLeaf {
  pointer: string;
  /** The last name in the pointer. */
  name: string;
  value: unknown;
}

/** Strings, numbers, booleans and nulls, at any depth. */
export function jsonLeavesOf(node: unknown, path: readonly string[] = []): JsonLeaf[] {
  if (typeof node !== 'object' || node === null) return [leafAt(path, node)];
  return Object.entries(node).flatMap(([key, child]) => jsonLeavesOf(child, [...path, key]));
}

/** Lists, at any depth. */
export function listsIn(node: unknown, path: readonly string[] = []): JsonLeaf[] {
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.entries(node).flatMap(([key, child]) => listsIn(child, [...path, key]));
  return Array.isArray(node) ? [leafAt(path, node), ...inside] : inside;
}

/** The leaves of an answer without the fields of the envelope itself. */
export function answerLeaves(json: unknown): JsonLeaf[] {
  return jsonLeavesOf(json).filter(
    ({ pointer }) => !/^\/(code|message|trace_id)$/.test(pointer) && pointer !== '',
  );
}

function leafAt(path: readonly string[], value: unknown): JsonLeaf {
  return { pointer: formatPointer(path), name: path.at(-1) ?? '', value };
}
