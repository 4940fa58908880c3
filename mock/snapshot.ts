// A world as plain JSON and back again, without anything being lost or put in another order.
import type { World } from './world.ts';

/** The members of a world, with an object for each of its maps. */
export type Snapshot = {
  [Name in keyof World]: World[Name] extends Map<unknown, infer Entry> ? Record<string, Entry> : World[Name];
};

/** A copy, which what happens later does not change. */
export function toSnapshot(world: World): Snapshot {
  const members = Object.entries(world).map(([name, value]) => [
    name,
    value instanceof Map ? Object.fromEntries(value) : value,
  ]);
  return structuredClone(Object.fromEntries(members)) as Snapshot;
}

/** Of a snapshot whose shape was checked. */
export function fromSnapshot(snapshot: Snapshot): World {
  const {
    tenants,
    users,
    sessions,
    apiKeys,
    sites,
    contents,
    submissions,
    comments,
    publications,
    subscriptions,
    deliveries,
    limits,
    firstAnswers,
    inboxes,
    ...rest
  } = structuredClone(snapshot);
  return {
    random: rest.random,
    clock: rest.clock,
    counters: rest.counters,
    tenants: byNumber(tenants),
    users: byName(users),
    sessions: byName(sessions),
    apiKeys: byName(apiKeys),
    sites: byNumber(sites),
    contents: byNumber(contents),
    submissions: byNumber(submissions),
    comments: byNumber(comments),
    publications: byNumber(publications),
    subscriptions: byName(subscriptions),
    deliveries: byNumber(deliveries),
    jobs: rest.jobs,
    limits: byName(limits),
    firstAnswers: byName(firstAnswers),
    overrides: rest.overrides,
    inboxes: byName(inboxes),
  };
}

function byName<Entry>(entries: Record<string, Entry>): Map<string, Entry> {
  return new Map(Object.entries(entries));
}

function byNumber<Entry>(entries: Record<string, Entry>): Map<number, Entry> {
  return new Map(Object.entries(entries).map(([key, entry]) => [Number(key), entry]));
}
