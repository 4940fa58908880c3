import { formatPointer } from '../../openapi/json-pointer.ts';

export interface JsonLeaf {
  pointer: string;
  name: string;
  value: unknown;
}

/** The most values that are visited. Discovery finds what it needs among the first. */
const mostVisited = 20_000;

/** Strings, numbers, booleans and nulls, at any depth. */
export function jsonLeavesOf(json: unknown): JsonLeaf[] {
  return valuesOf(json, (value) => !isContainer(value));
}

/** Lists, at any depth. */
export function listsIn(json: unknown): JsonLeaf[] {
  return valuesOf(json, Array.isArray);
}

function valuesOf(json: unknown, isWanted: (value: unknown) => boolean): JsonLeaf[] {
  const found: JsonLeaf[] = [];
  let left = mostVisited;
  const visit = (value: unknown, pointer: string, name: string): void => {
    if (--left < 0) return;
    if (isWanted(value)) found.push({ pointer, name, value });
    if (!isContainer(value)) return;
    for (const key in value) {
      if (left <= 0) return;
      visit((value as Record<string, unknown>)[key], `${pointer}${formatPointer([key])}`, key);
    }
  };
  visit(json, '', '');
  return found;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The leaves of an answer without the fields of the envelope itself. */
export function answerLeaves(json: unknown): JsonLeaf[] {
  return jsonLeavesOf(json).filter(
    ({ pointer }) => !/^\/(code|message|trace_id)$/.test(pointer) && pointer !== '',
  );
}
