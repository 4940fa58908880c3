// The empty world, snapshots, resets of a tenant, store rows, limits and cascading deletes all follow from this table.
import { ByteLimit, bytesOfText } from './bytes.ts';
import { Collection, type CollectionRule } from './collection.ts';
import type * as Entries from './entries.ts';

interface TenantSites {
  id: number;
  sites: ReadonlySet<number>;
}

export const mostBytes = {
  inboxes: 64_000_000,
  content: 64_000_000,
  deliveries: 16_000_000,
  records: 16_000_000,
} as const;

export type WorldPart = keyof typeof mostBytes;

interface Plan<Key, Entry, Group> extends CollectionRule<Entry, Group> {
  /** Identifies the rows of the collection in a store; a number must never be reused. */
  kind: number;
  key: Key extends number ? 'number' : 'text';
  /** The keys under which a snapshot may have an entry; undefined if any key is valid. */
  keysOf?(entry: Entry): readonly unknown[];
  /** Whether the reset of a tenant restores an entry; undefined if it restores none. */
  isOf?(entry: Entry, tenant: TenantSites, key: Key): boolean;
  /** Deleting a site or an inbox deletes the entries in its group. */
  goesWith?: 'sites' | 'inboxes';
  part?: WorldPart;
  /** Each use moves an entry to the end, so a store writes positions only from time to time. */
  movesOften?: boolean;
  /** Snapshots omit the collection while it is empty. */
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
  tenants: plan<number, Entries.Tenant>({
    kind: 1,
    key: 'number',
    ...byId,
    isOf: (one, { id }) => one.id === id,
  }),
  /** Keyed by username. */
  users: plan<string, Entries.User>({ kind: 2, key: 'text', ...byTenant }),
  /** Keyed by the digest of the token, the most recently used last. */
  sessions: plan<string, Entries.Session, string>({
    kind: 3,
    key: 'text',
    group: ({ username }) => username,
    ...byTenant,
    most: 5_000,
    movesOften: true,
  }),
  /** Keyed by the digest of the key. */
  apiKeys: plan<string, Entries.ApiKey, number>({
    kind: 4,
    key: 'text',
    group: ({ tenantId }) => tenantId,
    ...byTenant,
  }),
  sites: plan<number, Entries.Site, number>({
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
  contents: plan<number, Entries.Content, number>({
    kind: 6,
    ...ofSite,
    part: 'content',
    at: ({ updatedAt }) => updatedAt,
  }),
  submissions: plan<number, Entries.Submission, number>({
    kind: 7,
    ...ofSite,
    part: 'content',
    at: ({ at }) => at,
  }),
  comments: plan<number, Entries.Comment, number>({
    kind: 8,
    ...ofSite,
    part: 'content',
    at: ({ at }) => at,
  }),
  publications: plan<number, Entries.Publication, number>({
    kind: 9,
    ...ofSite,
    part: 'records',
    at: ({ startedAt }) => startedAt,
    isNeeded: ({ state }) => state === 'running',
  }),
  subscriptions: plan<string, Entries.Subscription, number>({
    kind: 10,
    ...ofSite,
    key: 'text',
    // Some deployments number them per site (see subscriptionKey).
    keysOf: ({ siteId, id }) => [id, `${siteId}:${id}`],
    part: 'records',
    at: ({ createdAt }) => createdAt,
  }),
  /** The push log outlives its sites, so it has no `goesWith`. */
  deliveries: plan<number, Entries.Delivery, number>({
    kind: 11,
    ...bySite,
    most: 2_500,
    part: 'deliveries',
    at: ({ createdAt }) => createdAt,
    isNeeded: ({ state }) => state === 'pending',
    bytes: bytesOfDelivery,
  }),
  /** Times from which counted calls count for a minute, or when a lock ends, keyed by limit and tenant. */
  limits: plan<string, readonly number[]>({
    kind: 12,
    key: 'text',
    isOf: (_, { id }, key) => key.endsWith(`:${id}`),
  }),
  /** Keyed by what identifies an idempotent call. */
  firstAnswers: plan<string, Entries.FirstAnswer>({
    kind: 13,
    key: 'text',
    ...byTenant,
    most: 5_000,
    part: 'records',
    at: ({ until }) => until,
  }),
  jobs: plan<number, Entries.Job>({ kind: 15, key: 'number' }),
  /** Answers forced through the control API, oldest first. */
  overrides: plan<number, Entries.Override>({ kind: 17, key: 'number' }),
  inboxes: plan<string, Entries.Inbox>({ kind: 14, key: 'text' }),
  messages: plan<string, Entries.InboxMessage, string>({
    kind: 16,
    key: 'text',
    group: ({ inbox }) => inbox,
    goesWith: 'inboxes',
    mostOfGroup: 1_000,
    part: 'inboxes',
    at: ({ at }) => at,
  }),
  /** Keyed by memory and key (see mock/faults/memory.ts). */
  faultMemory: plan<string, Entries.Remembered, string>({
    kind: 18,
    key: 'text',
    group: ({ memory }) => memory,
    mostOfGroup: 5_000,
    part: 'records',
    at: ({ at }) => at,
    isRare: true,
  }),
};

/** Measures only the texts, since the rest is nearly constant and each attempt changes the delivery. Snapshots may lack members. */
function bytesOfDelivery({ url = '', body = '', attempts = [] }: Entries.Delivery): number {
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
  [Name in CollectionName]: Name extends 'jobs' ? Jobs : CollectionOf<(typeof collections)[Name]>;
};

type ByteLimits = Record<WorldPart, ByteLimit>;

type AnyCollection = Collection<number | string, object, unknown>;
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
    return [name, name === 'jobs' ? new Jobs() : new Collection(plan, plan.part && byteLimits[plan.part])];
  });
  return { ...(Object.fromEntries(all) as Collections), byteLimits };
}

export function deleteWith(world: Collections, owner: 'sites' | 'inboxes', key: number | string): void {
  for (const name of collectionNames) {
    if (planOf(name).goesWith !== owner) continue;
    const entries = collectionOf(world, name);
    for (const member of entries.of(key).keys()) entries.delete(member);
  }
}

class Jobs extends Collection<number, Entries.Job> {
  readonly #order: Entries.Job[] = [];

  /** Sorted by due time, then by id. */
  get order(): readonly Entries.Job[] {
    return this.#order;
  }

  dueBy(until: number): Entries.Job[] {
    const count = countWhile(this.#order, ({ at }) => at <= until);
    return this.#order.slice(0, count);
  }

  protected override entered(job: Entries.Job): void {
    this.#order.splice(this.#placeOf(job), 0, job);
  }

  protected override left(job: Entries.Job): void {
    this.#order.splice(this.#placeOf(job), 1);
  }

  #placeOf(job: Entries.Job): number {
    return countWhile(this.#order, ({ at, id }) => at < job.at || (at === job.at && id < job.id));
  }
}

/** Binary search for how many first entries meet a condition that no later entry meets. */
function countWhile<Entry>(entries: readonly Entry[], holds: (entry: Entry) => boolean): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(entries[middle] as Entry)) from = middle + 1;
    else to = middle;
  }
  return from;
}
