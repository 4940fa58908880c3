// The whole state of the mock as plain JSON data. No handler keeps anything beside it.
import type { Channel, EventName } from '../openapi/generated/types.ts';

export interface World {
  /** State of the random generator (see random.ts). */
  random: number;
  /** The identifier that was given out last, by kind. */
  counters: { site: number; subscription: number; delivery: number };
  tenants: Record<string, Tenant>;
  /** By username. */
  users: Record<string, User>;
  /** By the digest of the token. */
  sessions: Record<string, Session>;
  /** By the digest of the key. */
  apiKeys: Record<string, ApiKey>;
  sites: Record<string, Site>;
  subscriptions: Record<string, Subscription>;
  deliveries: Record<string, Delivery>;
  /** The times of the calls that were counted, by limit and tenant. */
  limits: Record<string, number[]>;
}

export interface Tenant {
  id: number;
  name: string;
}

export interface User {
  tenantId: number;
  salt: string;
  passwordDigest: string;
}

/** All times are in milliseconds since 1970. */
export interface Session {
  tenantId: number;
  username: string;
  expiresAt: number;
}

export interface ApiKey {
  tenantId: number;
  createdAt: number;
}

export interface Site {
  id: number;
  tenantId: number;
  name: string;
  /** The published version; 0 before the first publish. */
  version: number;
}

export interface Subscription {
  id: number | string;
  siteId: number;
  url: string;
  events: EventName[];
  channel: Channel;
  secret?: string;
}

/** A push to one subscription. What is sent is fixed when it is recorded, so that every attempt sends the same bytes. */
export interface Delivery {
  id: number;
  siteId: number;
  subscriptionId: number | string;
  event: string;
  isTest: boolean;
  createdAt: number;
  url: string;
  body: string;
  /** X-Webhook-Signature, where the subscription has a secret. */
  signature?: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: Attempt[];
}

export interface Attempt {
  at: number;
  requestHeaders: Record<string, string>;
  outcome: AttemptOutcome;
  durationMs: number;
}

/** What came back: an answer, or the reason why there was none. */
export type AttemptOutcome = { status: number; body: string } | { error: string };

/** A world in which nothing exists yet. */
export function createWorld(seed: number): World {
  return {
    random: seed,
    counters: { site: 0, subscription: 0, delivery: 0 },
    tenants: {},
    users: {},
    sessions: {},
    apiKeys: {},
    sites: {},
    subscriptions: {},
    deliveries: {},
    limits: {},
  };
}

/** An entry by a key that came from outside, which may be "__proto__". */
export function find<Entry>(entries: Readonly<Record<string, Entry>>, key: string): Entry | undefined {
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}
