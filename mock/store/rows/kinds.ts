// The maps of a world whose entries are kept as rows, and the number of each kind of row. Numbers are never given out anew: stores have them.
import type { World } from '../../world/world.ts';

type MapName = {
  [Name in keyof World]: World[Name] extends Map<unknown, unknown> ? Name : never;
}[keyof World];

interface MapKind {
  name: MapName;
  kind: number;
  /** Whether its keys are numbers rather than texts. */
  hasNumbers: boolean;
}

const numberOfMap: Readonly<Record<MapName, number>> = {
  tenants: 1,
  users: 2,
  sessions: 3,
  apiKeys: 4,
  sites: 5,
  contents: 6,
  submissions: 7,
  comments: 8,
  publications: 9,
  subscriptions: 10,
  deliveries: 11,
  limits: 12,
  firstAnswers: 13,
  inboxes: 14,
  faultMemory: 18,
};

const withNumbers: ReadonlySet<MapName> = new Set([
  'tenants',
  'sites',
  'contents',
  'submissions',
  'comments',
  'publications',
  'deliveries',
]);

export const mapKinds: readonly MapKind[] = Object.entries(numberOfMap).map(([text, kind]) => {
  const name = text as MapName;
  return { name, kind, hasNumbers: withNumbers.has(name) };
});

export const sessionKind = numberOfMap.sessions;
export const deliveryKind = numberOfMap.deliveries;
export const inboxKind = numberOfMap.inboxes;

/** What is kept in lists. The messages of an inbox are rows of their own: all of them together may be 64 MB. */
export const jobKind = 15;
export const messageKind = 16;
export const overrideKind = 17;
