// A world of the rows that were kept of it.
import {
  createEmptyWorld,
  type Inbox,
  type InboxMessage,
  type Job,
  type Override,
  type World,
} from '../../world/world.ts';
import { inboxKind, jobKind, mapKinds, messageKind, overrideKind } from './kinds.ts';
import type { KeptRows, Row } from './row.ts';
import { readKey } from './row-key.ts';

/** What of a world is no entry. */
interface Head extends Pick<World, 'random' | 'clock' | 'counters' | 'faults'> {
  /** The last place that was given to a row. */
  lastOrd: number;
}

export function writeHead(head: Head): string {
  return JSON.stringify(head);
}

export function readHead(text: string): Head {
  // Older ones have no faults.
  return { faults: [], ...(JSON.parse(text) as Omit<Head, 'faults'>) };
}

/** A message, and whose it is. */
export interface MessageRow {
  inbox: string;
  message: InboxMessage;
}

/** The keys of the rows of what stands in a list and has no key by itself. */
export const itemKeys = new WeakMap<object, string>();

export function toWorld({ head, rows }: KeptRows): World {
  const { random, clock, counters, faults } = readHead(head);
  const world = createEmptyWorld(random, clock);
  world.faults = faults;
  Object.assign(world.counters, counters);
  const ofKind = Map.groupBy(rows, ({ kind }) => kind);
  for (const { name, kind, hasNumbers } of mapKinds) {
    const map = world[name] as Map<unknown, unknown>;
    for (const { key, value } of ofKind.get(kind) ?? [])
      map.set(
        hasNumbers ? Number(key) : readKey(key),
        kind === inboxKind ? readInbox(value) : JSON.parse(value),
      );
  }
  for (const { key, value } of ofKind.get(messageKind) ?? []) {
    const { inbox, message } = JSON.parse(value) as MessageRow;
    world.inboxes.get(inbox)?.messages.push(remember(message, key));
  }
  world.overrides = itemsOf<Override>(ofKind.get(overrideKind));
  world.jobs = sortJobs(itemsOf<Job>(ofKind.get(jobKind)));
  return world;
}

/** In place. */
export function sortJobs(jobs: Job[]): Job[] {
  return jobs.sort((one, other) => one.at - other.at || one.id - other.id);
}

/** Its messages have rows of their own; their place is kept, so that a saved world is the same wherever it is saved. */
export function writeInbox(inbox: Inbox): string {
  return JSON.stringify({ ...inbox, messages: [] });
}

export function readInbox(value: string, messages: InboxMessage[] = []): Inbox {
  return { ...(JSON.parse(value) as Omit<Inbox, 'messages'>), messages };
}

function itemsOf<Item extends object>(rows: readonly Row[] = []): Item[] {
  return rows.map(({ key, value }) => remember(JSON.parse(value) as Item, key));
}

function remember<Item extends object>(item: Item, key: string): Item {
  itemKeys.set(item, key);
  return item;
}
