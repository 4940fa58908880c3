// Builds the object that holds given values at given places.
import type { ApiProperty, ApiValue } from './api-model.ts';
import { pascal } from './naming.ts';

export interface ValueTree {
  /** Undefined for what only holds others. */
  value?: ApiValue;
  isRequired: boolean;
  children: Map<string, ValueTree>;
}

export function emptyTree(): ValueTree {
  return { isRequired: true, children: new Map() };
}

/** Puts a value at a place, and creates what is above it. */
export function putValue(tree: ValueTree, place: readonly string[], { value, isRequired }: Placed): void {
  let current = tree;
  for (const segment of place) {
    const child = current.children.get(segment) ?? emptyTree();
    current.children.set(segment, child);
    current = child;
  }
  Object.assign(current, { value, isRequired });
}

interface Placed {
  value: ApiValue;
  isRequired: boolean;
}

/** Adds members to the object at a place; those whose names are taken are left out. */
export function addMembers(tree: ValueTree, place: readonly string[], members: readonly ApiProperty[]): void {
  const holder = place.reduce<ValueTree | undefined>((at, segment) => at?.children.get(segment), tree);
  if (!holder || holder.value) return;
  for (const { name, ...placed } of members) if (!holder.children.has(name)) putValue(holder, [name], placed);
}

/** The value of a whole tree. Objects bear the names of their classes, `model` and what is made of it. */
export function valueOfTree({ value, children }: ValueTree, model: string): ApiValue {
  if (value) return value;
  const names = [...children.keys()];
  const [first] = children.values();
  if (first && names.every((name) => /^(0|[1-9]\d{0,3})$/.test(name)))
    return { type: 'array', items: valueOfTree(first, model), minItems: 1 };
  const properties = [...children].map(([name, child]) => ({
    name,
    isRequired: child.isRequired,
    value: valueOfTree(child, model + pascal(name)),
  }));
  return { type: 'object', properties, model };
}
