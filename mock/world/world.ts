// The whole state of the mock as plain data; handlers keep no other state. Times are milliseconds since 1970.
import type { Robot } from '../../openapi/event-names.ts';
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { byMemory, bySite, byTenant, byUser, type GroupedMap } from './grouped-map.ts';

export interface World {
  /** State of the random generator (see random.ts). */
  random: number;
  clock: ClockState;
  /** The last assigned id, by kind. */
  counters: Counters;
  tenants: Map<number, Tenant>;
  /** By username. */
  users: Map<string, User>;
  /** By the digest of the token, the most recently used last; by user as well. */
  sessions: GroupedMap<string, Session, string>;
  /** By the digest of the key, and by tenant. */
  apiKeys: GroupedMap<string, ApiKey>;
  /** By tenant as well; what follows, by site. */
  sites: GroupedMap<number, Site>;
  contents: GroupedMap<number, Content>;
  submissions: GroupedMap<number, Submission>;
  comments: GroupedMap<number, Comment>;
  /** Every attempt to publish a site, successful or not. */
  publications: GroupedMap<number, Publication>;
  subscriptions: GroupedMap<string, Subscription>;
  deliveries: GroupedMap<number, Delivery>;
  /** Scheduled jobs, in the order in which they are due. */
  jobs: Job[];
  /** The times from which the counted calls count for a minute, and those at which locks end, by limit and tenant. */
  limits: Map<string, number[]>;
  /** The first answers of idempotent calls, by what identifies a call. */
  firstAnswers: Map<string, FirstAnswer>;
  /** Answers forced through the control API, oldest first. */
  overrides: Override[];
  /** The built-in webhook receivers, by name. */
  inboxes: Map<string, Inbox>;
  /** The ids of the faults that are on. */
  faults: readonly string[];
  /** What they remember, by its memory and key (see mock/faults/memory.ts). */
  faultMemory: GroupedMap<string, Remembered, string>;
}

/** A manual clock is stopped at its time; a real one is ahead of the machine's by its offset. */
export type ClockState = { mode: 'manual'; time: number } | { mode: 'real'; offset: number };

const noneAssigned = {
  tenant: 0,
  apiKey: 0,
  site: 0,
  content: 0,
  submission: 0,
  comment: 0,
  publication: 0,
  subscription: 0,
  delivery: 0,
  job: 0,
};

export type Counters = typeof noneAssigned;

export interface Tenant {
  id: number;
  name: string;
}

export interface User {
  tenantId: number;
  salt: string;
  passwordDigest: string;
  /** Since the last login. */
  wrongPasswords?: number;
  lockedUntil?: number;
}

export interface Session {
  tenantId: number;
  username: string;
  expiresAt: number;
}

export interface ApiKey {
  id: number;
  tenantId: number;
  /** Who created it; undefined for a key of an older world. */
  username?: string;
  name: string;
  createdAt: number;
  /** Of a key that is still taken after its deletion. */
  deletedAt?: number;
}

export interface Site {
  id: number;
  tenantId: number;
  name: string;
  /** The published version; 0 before the first publish. */
  version: number;
  /** The version number of the last publish, whether or not it succeeded. */
  lastVersion: number;
  /** Whether nothing was changed since the last publish that did not fail. */
  isUnchanged?: boolean;
  /** The last subscription identifier, where they are counted per site. */
  lastSubscription?: number;
  createdAt: number;
  /** The URL that the site was imported from. */
  source?: string;
}

export interface Content {
  id: number;
  siteId: number;
  title: string;
  text: string;
  state: 'draft' | 'published';
  updatedAt: number;
}

/** Something that a fault remembers. */
interface Remembered {
  /** The fault and the name of its memory. */
  memory: string;
  at: number;
  /** Plain data; it is replaced, and never changed. */
  value: unknown;
}

interface Submission {
  id: number;
  siteId: number;
  form: string;
  fields: Record<string, unknown>;
  at: number;
}

interface Comment {
  id: number;
  siteId: number;
  author: string;
  text: string;
  at: number;
}

export interface Publication {
  id: number;
  siteId: number;
  version: number;
  note: string;
  state: 'running' | 'complete' | 'failed';
  startedAt: number;
  /** The number of pages of a complete publication. */
  pages?: number;
}

export interface Subscription {
  id: number | string;
  siteId: number;
  url: string;
  events: EventName[];
  channel: Channel;
  secret?: string;
  createdAt: number;
}

/** A push to one subscription. Its content is fixed when it is recorded, so every attempt sends the same bytes. */
export interface Delivery {
  id: number;
  siteId: number;
  subscriptionId: number | string;
  event: string;
  channel: Channel;
  isTest: boolean;
  /** A greeting of a new target is never retried, and not in the log. */
  isGreeting?: boolean;
  createdAt: number;
  url: string;
  body: string;
  /** X-Webhook-Signature, if the subscription has a secret. */
  signature?: string;
  state: DeliveryState;
  /** Number of retries made so far (section 6.5). */
  retries: number;
  /** When the first attempt counts as made, for retry delays that count from it. */
  firstAttemptAt?: number;
  nextAttemptAt?: number | undefined;
  attempts: Attempt[];
}

export type DeliveryState = 'pending' | 'delivered' | 'given-up';

export interface Attempt {
  at: number;
  cause: AttemptCause;
  requestHeaders: Record<string, string>;
  outcome: AttemptOutcome;
  durationMs: number;
}

export type AttemptCause = 'event' | 'retry' | 'redelivery';

/** An answer, or the reason why there was none. `refusal` is the reason that a chat robot gives in an answer of status 200. */
export type AttemptOutcome = { status: number; body: string; refusal?: string } | { error: string };

export interface Job {
  id: number;
  at: number;
  task: Task;
  /** Who works on it, where several processes share the world, and until when it is theirs: milliseconds since 1970. */
  held?: { by: string; until: number } | undefined;
}

export type Task =
  | { kind: 'attempt'; deliveryId: number; cause: AttemptCause }
  | { kind: 'end-publication'; publicationId: number; outcome: 'complete' | 'failed' };

export interface FirstAnswer {
  tenantId: number;
  until: number;
  values: Record<string, unknown>;
  traceId: string;
}

/** A forced answer or delay of an operation, for a number of calls. */
export interface Override {
  operation: string;
  status?: number;
  code?: number;
  /** The whole answer, in place of the envelope. */
  body?: unknown;
  delayMs?: number;
  /** Number of calls left that it applies to; all when missing. */
  times?: number;
}

export interface Inbox {
  kind: InboxKind;
  /** The signing secret that X-Webhook-Signature is verified with. */
  secret?: string;
  /** The answers to the next messages, one entry each. */
  respond: InboxStep[];
  robot: RobotSettings;
  robotState: RobotState;
  messages: InboxMessage[];
  /** Number of messages received; the oldest may have been dropped. */
  received: number;
}

type InboxKind = 'plain' | Robot;

/** An HTTP status, a whole answer, no answer, or a reset of the connection. */
export type InboxStep =
  | number
  | 'timeout'
  | 'reset'
  | { status: number; headers?: Record<string, string>; body?: string };

/** The settings of a robot in its group. */
export interface RobotSettings {
  /** The key, access token or hook that a message needs; without it, any is accepted. */
  token?: string;
  /** The secret for the vendor's own sign (DingTalk and Feishu). */
  signSecret?: string;
  /** A message must contain one of them (DingTalk and Feishu). */
  keywords?: string[];
  /** The wording of refusals: as documented by the vendor, or as observed in production (the default). */
  wording?: 'documented' | 'observed';
}

/** The state of a robot's rate limit. */
export interface RobotState {
  /** Times of the latest counted messages. */
  times: number[];
  blockedUntil?: number;
}

export interface InboxMessage {
  /** Counts from 1 within the inbox. */
  id: number;
  at: number;
  method: string;
  /** The path after that of the inbox, with the query. */
  path: string;
  headers: Record<string, string>;
  /** The body if it is UTF-8; otherwise `bodyBase64` has its bytes. */
  body?: string;
  bodyBase64?: string;
  /** Whether the signature is valid; undefined when the inbox has no secret. */
  verified?: boolean;
  answer: { status: number; body: string } | { error: 'timeout' | 'reset' };
}

export function createEmptyWorld(seed: number, clock: ClockState): World {
  return {
    random: seed,
    clock,
    counters: { ...noneAssigned },
    tenants: new Map(),
    users: new Map(),
    sessions: byUser(),
    apiKeys: byTenant(),
    sites: byTenant(),
    contents: bySite(),
    submissions: bySite(),
    comments: bySite(),
    publications: bySite(),
    subscriptions: bySite(),
    deliveries: bySite(),
    jobs: [],
    limits: new Map(),
    firstAnswers: new Map(),
    overrides: [],
    inboxes: new Map(),
    faults: [],
    faultMemory: byMemory(),
  };
}
