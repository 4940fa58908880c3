// Follows the references inside one description.
import { isObject, type Json } from '../../../openapi/json.ts';
import { getAt } from '../../../openapi/json-pointer.ts';

/** What a part of a description is, with its references followed; undefined for one that leads nowhere, or in a circle. */
export type Follow = (node: unknown) => Json | undefined;

const longestChain = 50;

export function followIn(root: Json): Follow {
  const known = new Map<string, unknown>();
  const find = (reference: string): unknown => {
    if (!known.has(reference)) known.set(reference, findAt(root, reference));
    return known.get(reference);
  };
  return (node) => {
    let current = node;
    for (let steps = 0; steps < longestChain; steps += 1) {
      if (!isObject(current)) return undefined;
      const reference = referenceOf(current);
      if (reference === undefined) return current;
      const target = find(reference);
      const beside = besides(current);
      // From OpenAPI 3.1 on, a description beside a reference counts.
      current = isObject(target) && beside ? { ...target, ...beside } : target;
    }
    return undefined;
  };
}

/** A property of the name $ref has a schema as its value. */
export function referenceOf(node: Json): string | undefined {
  return Object.hasOwn(node, '$ref') && typeof node.$ref === 'string' ? node.$ref : undefined;
}

function besides({ $ref: _, ...beside }: Json): Json | undefined {
  const texts = Object.entries(beside).filter(([name]) =>
    ['description', 'summary', 'default'].includes(name),
  );
  return texts.length > 0 ? Object.fromEntries(texts) : undefined;
}

function findAt(root: Json, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  const pointer = reference.slice(1);
  try {
    return getAt(root, decodeURIComponent(pointer)) ?? getAt(root, pointer);
  } catch {
    return getAt(root, pointer);
  }
}
