// A world as plain JSON and back, without losing anything or changing the order.
import { byMemory, bySite, byTenant, byUser } from './grouped-map.ts';
import type { World } from './world.ts';

/** The members of a world, with an object in place of each map; without the faults, which are chosen for the mock. */
export type Snapshot = Omit<AsObjects, 'faults' | 'faultMemory'> &
  // Older ones have none.
  Partial<Pick<AsObjects, 'faultMemory'>>;

type AsObjects = {
  [Name in keyof World]: World[Name] extends Map<unknown, infer Entry> ? Record<string, Entry> : World[Name];
};

/** A copy, which later changes of the world do not affect. */
export function toSnapshot({ faults: _faults, faultMemory, ...world }: World): Snapshot {
  return structuredClone({
    ...world,
    tenants: Object.fromEntries(world.tenants),
    users: Object.fromEntries(world.users),
    sessions: Object.fromEntries(world.sessions),
    apiKeys: Object.fromEntries(world.apiKeys),
    sites: Object.fromEntries(world.sites),
    contents: Object.fromEntries(world.contents),
    submissions: Object.fromEntries(world.submissions),
    comments: Object.fromEntries(world.comments),
    publications: Object.fromEntries(world.publications),
    subscriptions: Object.fromEntries(world.subscriptions),
    deliveries: Object.fromEntries(world.deliveries),
    limits: Object.fromEntries(world.limits),
    firstAnswers: Object.fromEntries(world.firstAnswers),
    inboxes: Object.fromEntries(world.inboxes),
    ...(faultMemory.size > 0 && { faultMemory: Object.fromEntries(faultMemory) }),
  });
}

/** A new world from a snapshot whose shape was checked. */
export function fromSnapshot(snapshot: Snapshot): World {
  const copy = structuredClone(snapshot);
  return {
    ...copy,
    tenants: byNumber(copy.tenants),
    users: byText(copy.users),
    sessions: byUser(byText(copy.sessions)),
    apiKeys: byTenant(byText(copy.apiKeys)),
    sites: byTenant(byNumber(copy.sites)),
    contents: bySite(byNumber(copy.contents)),
    submissions: bySite(byNumber(copy.submissions)),
    comments: bySite(byNumber(copy.comments)),
    publications: bySite(byNumber(copy.publications)),
    subscriptions: bySite(byText(copy.subscriptions)),
    deliveries: bySite(byNumber(copy.deliveries)),
    limits: byText(copy.limits),
    firstAnswers: byText(copy.firstAnswers),
    inboxes: byText(copy.inboxes),
    faults: [],
    faultMemory: byMemory(byText(copy.faultMemory ?? {})),
  };
}

function byText<Entry>(entries: Record<string, Entry>): Map<string, Entry> {
  return new Map(Object.entries(entries));
}

function byNumber<Entry>(entries: Record<string, Entry>): Map<number, Entry> {
  return new Map(Object.entries(entries).map(([key, entry]) => [Number(key), entry]));
}
