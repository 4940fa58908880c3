// The one table of collections. The empty world, snapshots, resets of a tenant, rows of a store, limits and cascading deletes follow from it.
import { Agenda } from './agenda.ts';
import { ByteLimit, bytesOfText } from './bytes.ts';
import { Collection, type CollectionRule } from './collection.ts';
import type {
  ApiKey,
  Comment,
  Content,
  Delivery,
  FirstAnswer,
  Inbox,
  InboxMessage,
  Job,
  Override,
  Publication,
  Remembered,
  Session,
  Site,
  Submission,
  Subscription,
  Tenant,
  User,
} from './entries.ts';

/** A tenant, and the ids of its sites. */
interface TenantSites {
  id: number;
  sites: ReadonlySet<number>;
}

/** The most bytes of the parts of a world. */
export const mostBytes = {
  inboxes: 64_000_000,
  content: 64_000_000,
  deliveries: 16_000_000,
  records: 16_000_000,
} as const;

export type WorldPart = keyof typeof mostBytes;

interface Plan<Key, Entry, Group> extends CollectionRule<Entry, Group> {
  /** The number of its rows in a store. A number is never given out anew. */
  kind: number;
  key: Key extends number ? 'number' : 'text';
  /** The keys that an entry may have, where they follow from its id. */
  keysOf?(entry: Entry): readonly unknown[];
  /** Whether the reset of a tenant puts an entry back. */
  isOf?(entry: Entry, tenant: TenantSites, key: Key): boolean;
  /** Entries are deleted with what they are grouped by. */
  goesWith?: 'sites' | 'inboxes';
  /** The part whose byte limit it shares. */
  part?: WorldPart;
  /** Entries move to the end with each use: a store writes their places now and then. */
  movesOften?: boolean;
  /** Snapshots leave it out while it is empty. */
  isRare?: boolean;
}

const byId = { keysOf: ({ id }: { id: unknown }) => [id] };
const byTenant = {
  isOf: ({ tenantId }: { tenantId: number }, { id }: TenantSites) => tenantId === id,
};
const bySite = {
  ...byId,
  key: 'number',
  group: ({ siteId }: { siteId: number }) => siteId,
  isOf: ({ siteId }: { siteId: number }, { sites }: TenantSites) => sites.has(siteId),
} as const;
const ofSite = { ...bySite, goesWith: 'sites', most: 5_000 } as const;

export const collections = {
  tenants: plan<number, Tenant>({
    kind: 1,
    key: 'number',
    ...byId,
    isOf: (one, { id }) => one.id === id,
  }),
  /** By username. */
  users: plan<string, User>({ kind: 2, key: 'text', ...byTenant }),
  /** By the digest of the token, the most recently used last. */
  sessions: plan<string, Session, string>({
    kind: 3,
    key: 'text',
    group: ({ username }) => username,
    ...byTenant,
    most: 5_000,
    movesOften: true,
  }),
  /** By the digest of the key. */
  apiKeys: plan<string, ApiKey, number>({
    kind: 4,
    key: 'text',
    group: ({ tenantId }) => tenantId,
    ...byTenant,
  }),
  sites: plan<number, Site, number>({
    kind: 5,
    key: 'number',
    ...byId,
    group: ({ tenantId }) => tenantId,
    ...byTenant,
    most: 5_000,
    part: 'records',
    at: ({ createdAt }) => createdAt,
    isLast: true,
  }),
  contents: plan<number, Content, number>({
    kind: 6,
    ...ofSite,
    part: 'content',
    at: ({ updatedAt }) => updatedAt,
  }),
  submissions: plan<number, Submission, number>({ kind: 7, ...ofSite, part: 'content', at: ({ at }) => at }),
  comments: plan<number, Comment, number>({ kind: 8, ...ofSite, part: 'content', at: ({ at }) => at }),
  /** Every attempt to publish a site, successful or not. */
  publications: plan<number, Publication, number>({
    kind: 9,
    ...ofSite,
    part: 'records',
    at: ({ startedAt }) => startedAt,
    isNeeded: ({ state }) => state === 'running',
  }),
  subscriptions: plan<string, Subscription, number>({
    kind: 10,
    ...ofSite,
    key: 'text',
    // Some deployments count them per site (see subscriptionKey).
    keysOf: ({ siteId, id }) => [id, `${siteId}:${id}`],
    part: 'records',
    at: ({ createdAt }) => createdAt,
  }),
  /** The log of pushes, which outlasts their sites. */
  deliveries: plan<number, Delivery, number>({
    kind: 11,
    ...bySite,
    most: 2_500,
    part: 'deliveries',
    at: ({ createdAt }) => createdAt,
    isNeeded: ({ state }) => state === 'pending',
    bytes: bytesOfDelivery,
  }),
  /** The times from which the counted calls count for a minute, and those at which locks end, by limit and tenant. */
  limits: plan<string, readonly number[]>({
    kind: 12,
    key: 'text',
    isOf: (_, { id }, key) => key.endsWith(`:${id}`),
  }),
  /** The first answers of idempotent calls, by what identifies a call. */
  firstAnswers: plan<string, FirstAnswer>({
    kind: 13,
    key: 'text',
    ...byTenant,
    most: 5_000,
    part: 'records',
    at: ({ until }) => until,
  }),
  /** The scheduled jobs. */
  jobs: plan<number, Job>({ kind: 15, key: 'number' }),
  /** Answers forced through the control API, oldest first. */
  overrides: plan<number, Override>({ kind: 17, key: 'number' }),
  /** The built-in webhook receivers, by name. */
  inboxes: plan<string, Inbox>({ kind: 14, key: 'text' }),
  messages: plan<string, InboxMessage, string>({
    kind: 16,
    key: 'text',
    group: ({ inbox }) => inbox,
    goesWith: 'inboxes',
    mostOfGroup: 1_000,
    part: 'inboxes',
    at: ({ at }) => at,
  }),
  /** What faults remember, by its memory and key (see mock/faults/memory.ts). */
  faultMemory: plan<string, Remembered, string>({
    kind: 18,
    key: 'text',
    group: ({ memory }) => memory,
    mostOfGroup: 5_000,
    part: 'records',
    at: ({ at }) => at,
    isRare: true,
  }),
};

/** By its texts, since each attempt changes a delivery: the rest of it and of an attempt takes about the same each time. Those of a snapshot may lack members. */
function bytesOfDelivery({ url = '', body = '', attempts = [] }: Delivery): number {
  let bytes = deliveryBytes + bytesOfText(url) + bytesOfText(body);
  for (const { outcome } of attempts)
    bytes += attemptBytes + bytesOfText('error' in outcome ? outcome.error : outcome.body);
  return bytes;
}

const deliveryBytes = 1_200;
const attemptBytes = 1_600;

function plan<Key extends number | string, Entry extends object, Group = never>(
  given: Plan<Key, Entry, Group>,
): Plan<Key, Entry, Group> {
  return given;
}

export type CollectionName = keyof typeof collections;

export const collectionNames = Object.keys(collections) as CollectionName[];

type CollectionOf<Row> =
  Row extends Plan<infer Key, infer Entry extends object, infer Group>
    ? Collection<Key, Entry, Group>
    : never;

type Collections = {
  [Name in CollectionName]: Name extends 'jobs' ? Agenda : CollectionOf<(typeof collections)[Name]>;
};

/** By part. */
type ByteLimits = Record<WorldPart, ByteLimit>;

/** A collection of which only the table knows what it holds. */
export type AnyCollection = Collection<number | string, object, unknown>;
type AnyPlan = Plan<number | string, object, unknown>;

export function planOf(name: CollectionName): AnyPlan {
  return collections[name] as unknown as AnyPlan;
}

export function collectionOf(world: Collections, name: CollectionName): AnyCollection {
  return world[name] as unknown as AnyCollection;
}

export function createCollections(): Collections & { byteLimits: ByteLimits } {
  const byteLimits = Object.fromEntries(
    Object.entries(mostBytes).map(([part, most]) => [part, new ByteLimit(most)]),
  ) as ByteLimits;
  const all = collectionNames.map((name) => {
    const plan = planOf(name);
    return [name, name === 'jobs' ? new Agenda() : new Collection(plan, plan.part && byteLimits[plan.part])];
  });
  return { ...(Object.fromEntries(all) as Collections), byteLimits };
}

/** Deletes what belongs to a site or an inbox. */
export function deleteWith(world: Collections, owner: 'sites' | 'inboxes', key: number | string): void {
  for (const name of collectionNames) {
    if (planOf(name).goesWith !== owner) continue;
    const entries = collectionOf(world, name);
    for (const member of entries.of(key).keys()) entries.delete(member);
  }
}
