// A world of the rows that were kept of it.
import {
  createEmptyWorld,
  type Inbox,
  type InboxMessage,
  type Job,
  type Override,
  type World,
} from '../world/world.ts';
import { inboxKind, jobKind, mapKinds, messageKind, overrideKind } from './kinds.ts';
import type { KeptRows, Row } from './row.ts';

/** What of a world is no entry. */
type Head = Pick<World, 'random' | 'clock' | 'counters'>;

export function headOf({ random, clock, counters }: World): string {
  return JSON.stringify({ random, clock, counters } satisfies Head);
}

/** A message, and whose it is. */
export interface MessageRow {
  inbox: string;
  message: InboxMessage;
}

/** The keys of the rows of what stands in a list and has no key by itself. */
export const itemKeys = new WeakMap<object, string>();

export function toWorld({ head, rows }: KeptRows): World {
  const { random, clock, counters } = JSON.parse(head) as Head;
  const world = createEmptyWorld(random, clock);
  Object.assign(world.counters, counters);
  const ofKind = Map.groupBy(rows, ({ kind }) => kind);
  for (const { name, kind, hasNumbers } of mapKinds) {
    const map = world[name] as Map<unknown, unknown>;
    for (const { key, value } of ofKind.get(kind) ?? [])
      map.set(hasNumbers ? Number(key) : key, kind === inboxKind ? readInbox(value) : JSON.parse(value));
  }
  for (const { key, value } of ofKind.get(messageKind) ?? []) {
    const { inbox, message } = JSON.parse(value) as MessageRow;
    world.inboxes.get(inbox)?.messages.push(remember(message, key));
  }
  world.overrides = itemsOf<Override>(ofKind.get(overrideKind));
  world.jobs = itemsOf<Job>(ofKind.get(jobKind)).sort((one, other) => one.at - other.at || one.id - other.id);
  return world;
}

function readInbox(value: string): Inbox {
  return { ...(JSON.parse(value) as Omit<Inbox, 'messages'>), messages: [] };
}

function itemsOf<Item extends object>(rows: readonly Row[] = []): Item[] {
  return rows.map(({ key, value }) => remember(JSON.parse(value) as Item, key));
}

function remember<Item extends object>(item: Item, key: string): Item {
  itemKeys.set(item, key);
  return item;
}
