// Moves the parts of a body that are marked `x-gap` or `x-value` to the places that a profile states.
import { ownSchema } from './description.ts';
import type { Json } from './json.ts';
import { formatPointer, getAt, isIndex, parsePointer, removeAt, setAt } from './json-pointer.ts';
import { gapValue, type Profile } from './profile.ts';
import { findGap, type Gap } from './registers.ts';
import { fillTemplate, schemaFromTemplate, type Template } from './template.ts';

/** Moves a part of an example to its new place (undefined: removes it) and gives it its new value. */
export interface Move {
  from: string;
  to: string | undefined;
  value?: unknown;
  template?: Template;
}

interface Part {
  node: Json;
  at: string[];
  from: string;
  owner: Json | undefined;
}

interface Context {
  profile: Profile;
  /** The value of the operation gap. Its pointers are the places of the `x-value` parts of this answer. */
  call: Json | undefined;
  /** "item." inside the items of a list. */
  prefix: string;
}

/** Changes `schema` in place. Pointers are relative to it; pointers of list items are relative to the item. */
export function moveMarkedParts(schema: Json, profile: Profile, call?: Json, prefix = ''): Move[] {
  const context = { profile, prefix, call };
  const parts = partsOf(schema);
  const moves = parts.map((part) => fill(part, context)).filter((move) => move !== undefined);
  const moving = parts.flatMap((part) => {
    const move = moves.find(({ from }) => from === part.from) ?? { from: part.from, to: part.from };
    if (!moves.includes(move)) moves.push(move);
    const to = destination(part, context);
    if (to === move.from) return [];
    move.to = to;
    return [{ part, to }];
  });
  // Detach all parts before placing any, because two may exchange places.
  const detached = moving.map(({ part, to }) => ({ to, node: part.node, required: detach(part) }));
  for (const { to, ...part } of detached)
    if (to !== undefined) place(ownSchema(schema), parsePointer(to), part);
  return moves.filter((move) => move.to !== move.from || 'value' in move || 'template' in move);
}

export function moveExample(example: unknown, moves: readonly Move[]): unknown {
  if (typeof example !== 'object' || example === null) return example;
  const moved = structuredClone(example);
  const carried = moves
    .map((move) => ({ move, value: getAt(example, move.from) }))
    .filter(({ value }) => value !== undefined);
  for (const { move } of carried) removeAt(moved, move.from);
  for (const { move, value } of carried) {
    const isTemplate = 'template' in move;
    const filled = isTemplate ? fillTemplate(move.template, value as Json) : (move.value ?? value);
    if (move.to !== undefined) setAt(moved, move.to, filled);
  }
  return moved;
}

function partsOf(node: Json, at: string[] = [], owner?: Json): Part[] {
  const properties = Object.entries((node.properties ?? {}) as Record<string, Json>);
  const inside = properties.flatMap(([key, part]) => partsOf(part, [...at, key], node));
  const combined = ((node.allOf ?? []) as Json[]).flatMap((part) =>
    partsOf(part, at, owner).slice(part.$ref ? 1 : 0),
  );
  return [{ node, at, from: formatPointer(at), owner }, ...combined, ...inside];
}

function fill(part: Part, { profile, call, prefix }: Context): Move | undefined {
  const { node, from } = part;
  if (node.items && call) moveMarkedParts(node.items as Json, profile, call, 'item.');
  else if (node.items && prefix === '') moveMarkedParts(node.items as Json, profile);
  let move: Move | undefined;
  for (const gap of gapsAt(node)) {
    const value = gapValue(profile, gap.id);
    if (gap.kind === 'fill') {
      const patch = structuredClone(gap.fill?.[String(value)] ?? {});
      Object.assign(node, patch);
      if (Array.isArray(patch.examples)) move = { from, to: from, value: patch.examples[0] };
    }
    if (gap.kind === 'template') move = fillWithTemplate(node, gap, value, from);
  }
  return move;
}

function fillWithTemplate(node: Json, gap: Gap, template: unknown, from: string): Move {
  if (template === 'none') return { from, to: from === '' ? undefined : from };
  const schemas = (node.properties ?? {}) as Record<string, Json>;
  const shaped = schemaFromTemplate(template, { schemas, required: Object.keys(schemas), gap: gap.id });
  for (const key of ['properties', 'required']) delete node[key];
  Object.assign(node, shaped);
  return { from, to: from, template };
}

function destination(
  { node, at, from, owner }: Part,
  { profile, call, prefix }: Context,
): string | undefined {
  if (!owner) return from;
  const field = gapsAt(node).find((gap) => gap.kind === 'field');
  if (field) return formatPointer([...at.slice(0, -1), String(gapValue(profile, field.id))]);
  const pointer = gapsAt(node).find((gap) => gap.kind === 'pointer');
  if (pointer) {
    const target = String(gapValue(profile, pointer.id));
    return target === 'absent' ? undefined : target;
  }
  const name = node['x-value'];
  if (!call || typeof name !== 'string' || name.startsWith('item.') !== (prefix === 'item.')) return from;
  // A documented place, for example of `list`, needs no pointer.
  return (call[name] as string | undefined) ?? (node['x-requirement'] ? from : undefined);
}

function detach({ node, at, owner }: Part): boolean {
  const key = at.at(-1);
  if (!owner || key === undefined) return false;
  const required = (owner.required ?? []) as string[];
  const others = required.filter((name) => name !== key);
  if (others.length > 0) owner.required = others;
  else delete owner.required;
  Reflect.deleteProperty(owner.properties as Json, key);
  node['x-value'] ??= key;
  return required.includes(key);
}

interface PlacedPart {
  node: Json;
  required: boolean;
}

function place(schema: Json, [segment, ...rest]: string[], part: PlacedPart): void {
  if (segment === undefined) return;
  const child = rest.length === 0 ? part.node : childOnTheWay(schema, segment, part);
  putChild(schema, segment, { node: child, required: part.required });
  place(child, rest, part);
}

/** An object on the way to parts has the gaps of all of them. */
function childOnTheWay(schema: Json, segment: string, { node }: PlacedPart): Json {
  const placing = gapsAt(node).filter(({ kind }) => kind === 'pointer' || kind === 'operation');
  const ids = placing.map(({ id }) => id);
  const child = childAt(schema, segment) ?? (ids.length > 0 ? { 'x-gap': ids } : {});
  if (child['x-gap'] !== undefined) child['x-gap'] = [...new Set([child['x-gap'], ids].flat())];
  return child;
}

function childAt(schema: Json, segment: string): Json | undefined {
  const children = (isItem(schema, segment) ? schema.prefixItems : schema.properties) ?? {};
  return Object.hasOwn(children, segment) ? (children as Record<string, Json>)[segment] : undefined;
}

function isItem(schema: Json, segment: string): boolean {
  return isIndex(segment) && schema.type !== 'object';
}

function putChild(schema: Json, segment: string, { node, required }: PlacedPart): void {
  if (isItem(schema, segment)) {
    const items = (schema.prefixItems ?? []) as Json[];
    const index = Number(segment);
    for (let missing = items.length; missing < index; missing++) items.push({});
    items[index] = node;
    Object.assign(
      schema,
      { type: 'array', prefixItems: items },
      required && { minItems: Math.max(index + 1, Number(schema.minItems ?? 0)) },
    );
    return;
  }
  const names = new Set((schema.required ?? []) as string[]);
  if (required) names.add(segment);
  const properties = { ...(schema.properties as Json | undefined), [segment]: node };
  Object.assign(schema, { type: 'object', properties }, names.size > 0 && { required: [...names] });
}

function gapsAt(node: Json): Gap[] {
  return [node['x-gap'] ?? []].flat().flatMap((id) => findGap(String(id)) ?? []);
}
