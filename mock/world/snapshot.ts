import { collectionNames, collectionOf, planOf } from './collections.ts';
import type { Snapshot } from './entries.ts';
import { createEmptyWorld, type World } from './world.ts';

/** Tells a saved world from a seed. */
export function isSnapshot(value: object): value is Snapshot {
  return 'random' in value && 'counters' in value && 'clock' in value;
}

export function toSnapshot(world: World): Snapshot {
  const { random, clock, counters } = world;
  const shown = collectionNames.filter((name) => !planOf(name).isRare || world[name].size > 0);
  const { messages: _, ...entries } = Object.fromEntries(
    shown.map((name) => [name, Object.fromEntries(collectionOf(world, name))]),
  );
  const inboxes = [...world.inboxes].map(([name, inbox]) => {
    const messages = [...world.messages.of(name).values()].map(({ inbox: __, ...message }) => message);
    return [name, { ...inbox, messages }];
  });
  const jobs = world.jobs.order.map(({ held: __, ...job }) => job);
  const changed = { inboxes: Object.fromEntries(inboxes), jobs, overrides: [...world.overrides.values()] };
  return structuredClone({ random, clock, counters, ...entries, ...changed }) as Snapshot;
}

/** The shape of the snapshot must have been checked. */
export function fromSnapshot(snapshot: Snapshot): World {
  const { random, clock, counters, jobs, overrides, inboxes, ...entries } = structuredClone(snapshot);
  const world = Object.assign(createEmptyWorld(random, clock), { counters });
  for (const name of collectionNames) {
    const { key: form } = planOf(name);
    for (const [key, entry] of Object.entries(entries[name as keyof typeof entries] ?? {}))
      collectionOf(world, name).adopt(form === 'number' ? Number(key) : key, entry);
  }
  for (const [index, override] of overrides.entries()) world.overrides.adopt(index + 1, override);
  for (const job of jobs) {
    // The schema of snapshots can't exclude two jobs with the same id.
    const id = world.jobs.has(job.id) ? ++counters.job : job.id;
    world.jobs.adopt(id, { ...job, id });
  }
  for (const [name, { messages, ...inbox }] of Object.entries(inboxes)) {
    world.inboxes.adopt(name, inbox);
    for (const message of messages)
      world.messages.adopt(messageKey(name, message.id), { inbox: name, ...message });
  }
  return world;
}

export function messageKey(inbox: string, id: number): string {
  return `${id} ${inbox}`;
}
