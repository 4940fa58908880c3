// How many bytes of what came the mock keeps. Numbers alone bound nothing: an entry may be large.
import { bytesOf } from './bytes.ts';
import type { Inbox, World } from './world.ts';

/** The bounds of the parts of a world, in bytes; over one of them, the oldest entries go. */
export const byteBounds = {
  inboxes: 64_000_000,
  content: 64_000_000,
  deliveries: 16_000_000,
  records: 16_000_000,
} as const;

export type WorldPart = keyof typeof byteBounds;

/** So much of a bound is left when it was reached, so that the next entries cost nothing. */
const filled = 0.9;

/** An entry of a part, and how it is removed. */
interface Entry {
  value: object;
  /** Goes last: something is still to be done with it, or others belong to it. */
  isNeeded: boolean;
  at: number;
  /** Orders those of the same time. */
  id: number;
  remove(): void;
}

/** How much each part takes at most: what was removed is only noticed when it is measured again, so that removing costs nothing. */
const estimates = new WeakMap<World, Partial<Record<WorldPart, number>>>();

/** Counts what was added to a part of a world, and drops its oldest entries once it has grown over its bound. */
export function keepBytes(world: World, part: WorldPart, added: object): void {
  const estimate = estimates.get(world) ?? {};
  estimates.set(world, estimate);
  const before = estimate[part];
  const now = before === undefined ? keptBytes(world, part) : before + bytesOf(added);
  estimate[part] = now > byteBounds[part] ? dropOldest(world, part, { bound: byteBounds[part], added }) : now;
}

/** How many bytes a part takes now. */
export function keptBytes(world: World, part: WorldPart): number {
  let bytes = 0;
  for (const values of valuesOf(world, part)) for (const value of values) bytes += bytesOf(value);
  return bytes;
}

function valuesOf(world: World, part: WorldPart): Iterable<object>[] {
  if (part === 'inboxes') return [...world.inboxes.values()].map(({ messages }) => messages);
  if (part === 'deliveries') return [world.deliveries.values()];
  if (part === 'content')
    return [world.contents.values(), world.submissions.values(), world.comments.values()];
  const { sites, publications, subscriptions, firstAnswers, faultMemory } = world;
  return [sites, publications, subscriptions, firstAnswers, faultMemory].map((map) => map.values());
}

const parts = Object.keys(byteBounds) as WorldPart[];

/** How many bytes a world keeps at most: what was removed counts until it is measured again. */
export function estimateBytes(world: World): number {
  const estimate = estimates.get(world) ?? {};
  estimates.set(world, estimate);
  for (const part of parts) estimate[part] ??= keptBytes(world, part);
  return parts.reduce((sum, part) => sum + (estimate[part] ?? 0), 0);
}

/** Drops the oldest entries of each part of a world, until about this share of its bytes is left. */
export function shrinkWorld(world: World, share: number): void {
  const estimate = estimates.get(world) ?? {};
  estimates.set(world, estimate);
  for (const part of parts)
    estimate[part] = dropOldest(world, part, { bound: (share / filled) * keptBytes(world, part) });
}

/** Returns how many bytes are left. */
function dropOldest(
  world: World,
  part: WorldPart,
  { bound, added }: { bound: number; added?: object },
): number {
  let left = keptBytes(world, part);
  if (left <= bound) return left;
  for (const { value, remove } of entriesOf(world, part).sort(byAge)) {
    if (left <= filled * bound) break;
    if (value === added) continue;
    remove();
    left -= bytesOf(value);
  }
  return left;
}

function byAge(one: Entry, other: Entry): number {
  return Number(one.isNeeded) - Number(other.isNeeded) || one.at - other.at || one.id - other.id;
}

function entriesOf(world: World, part: WorldPart): Entry[] {
  if (part === 'inboxes') return [...world.inboxes.keys()].flatMap((name) => messagesOf(world, name));
  if (part === 'deliveries')
    return entriesIn(world.deliveries, ({ id, createdAt: at, state }) => ({
      at,
      id,
      isNeeded: state === 'pending',
    }));
  if (part === 'content')
    return [
      ...entriesIn(world.contents, ({ id, updatedAt: at }) => ({ at, id })),
      ...entriesIn(world.submissions, ({ id, at }) => ({ at, id })),
      ...entriesIn(world.comments, ({ id, at }) => ({ at, id })),
    ];
  return [
    ...entriesIn(world.sites, ({ id, createdAt: at }) => ({ at, id, isNeeded: true })),
    ...entriesIn(world.publications, ({ id, startedAt: at, state }) => ({
      at,
      id,
      isNeeded: state === 'running',
    })),
    ...entriesIn(world.subscriptions, ({ createdAt: at }) => ({ at, id: 0 })),
    ...entriesIn(world.firstAnswers, ({ until: at }) => ({ at, id: 0 })),
    ...entriesIn(world.faultMemory, ({ at }) => ({ at, id: 0 })),
  ];
}

function entriesIn<Key, Value extends object>(
  entries: Map<Key, Value>,
  placeOf: (value: Value) => { at: number; id: number; isNeeded?: boolean },
): Entry[] {
  const found: Entry[] = [];
  for (const [key, value] of entries) {
    const { at, id, isNeeded = false } = placeOf(value);
    found.push({ value, isNeeded, at, id, remove: () => entries.delete(key) });
  }
  return found;
}

function messagesOf({ inboxes }: World, name: string): Entry[] {
  const { messages = [] }: Partial<Inbox> = inboxes.get(name) ?? {};
  return messages.map((value) => ({
    value,
    at: value.at,
    isNeeded: false,
    id: value.id,
    // The first one, as a rule.
    remove: () => messages.splice(messages.indexOf(value), 1),
  }));
}
