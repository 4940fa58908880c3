// A world of the rows that were kept of it.
import { collectionNames, collectionOf, listKinds, planOf } from '../../world/collections.ts';
import type { Job, Override } from '../../world/entries.ts';
import { createEmptyWorld, type World } from '../../world/world.ts';
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

/** The keys of the rows of what stands in a list and has no key by itself. */
export const itemKeys = new WeakMap<object, string>();

export function toWorld({ head, rows }: KeptRows): World {
  const { random, clock, counters, faults } = readHead(head);
  const world = createEmptyWorld(random, clock);
  world.faults = faults;
  Object.assign(world.counters, counters);
  const ofKind = Map.groupBy(rows, ({ kind }) => kind);
  for (const name of collectionNames) {
    const { kind, key: form } = planOf(name);
    for (const { key, value } of ofKind.get(kind) ?? [])
      collectionOf(world, name).adopt(
        form === 'number' ? Number(key) : readKey(key),
        JSON.parse(value) as object,
      );
  }
  world.overrides = itemsOf<Override>(ofKind.get(listKinds.overrides));
  world.jobs = sortJobs(itemsOf<Job>(ofKind.get(listKinds.jobs)));
  return world;
}

/** In place. */
export function sortJobs(jobs: Job[]): Job[] {
  return jobs.sort((one, other) => one.at - other.at || one.id - other.id);
}

function itemsOf<Item extends object>(rows: readonly Row[] = []): Item[] {
  return rows.map(({ key, value }) => remember(JSON.parse(value) as Item, key));
}

function remember<Item extends object>(item: Item, key: string): Item {
  itemKeys.set(item, key);
  return item;
}
