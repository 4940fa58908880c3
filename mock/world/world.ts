// The whole state of the mock as plain data. No handler keeps anything beside it. Times are milliseconds since 1970.
import type { Channel, EventName } from '../../openapi/generated/types.ts';

export interface World {
  /** State of the random generator (see random.ts). */
  random: number;
  clock: ClockState;
  /** The identifier that was given out last, by kind. */
  counters: Counters;
  tenants: Map<number, Tenant>;
  /** By username. */
  users: Map<string, User>;
  /** By the digest of the token, the one that was used last at the end. */
  sessions: Map<string, Session>;
  /** By the digest of the key. */
  apiKeys: Map<string, ApiKey>;
  sites: Map<number, Site>;
  contents: Map<number, Content>;
  submissions: Map<number, Submission>;
  comments: Map<number, Comment>;
  /** Every attempt to publish a site, successful or not. */
  publications: Map<number, Publication>;
  subscriptions: Map<string, Subscription>;
  deliveries: Map<number, Delivery>;
  /** What is to happen, in the order in which it is due. */
  jobs: Job[];
  /** The times of the calls that were counted, by limit and tenant. */
  limits: Map<string, number[]>;
  /** The first answers of calls that may be repeated, by what makes a call the same. */
  firstAnswers: Map<string, FirstAnswer>;
  /** Answers that were asked for with the control API, oldest first. */
  overrides: Override[];
  /** The built-in webhook receivers, by name. */
  inboxes: Map<string, Inbox>;
}

/** A manual clock stands still at its time; a real one is ahead of the machine's by its offset. */
export type ClockState = { mode: 'manual'; time: number } | { mode: 'real'; offset: number };

export interface Counters {
  tenant: number;
  apiKey: number;
  site: number;
  content: number;
  submission: number;
  comment: number;
  publication: number;
  subscription: number;
  delivery: number;
  job: number;
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

export interface Session {
  tenantId: number;
  username: string;
  expiresAt: number;
}

export interface ApiKey {
  id: number;
  tenantId: number;
  name: string;
  createdAt: number;
}

export interface Site {
  id: number;
  tenantId: number;
  name: string;
  /** The published version; 0 before the first publish. */
  version: number;
  /** The version number that was given to a publish last, whether or not that one succeeded. */
  lastVersion: number;
  createdAt: number;
  /** The URL that it was imported from. */
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

export interface Submission {
  id: number;
  siteId: number;
  form: string;
  fields: Record<string, unknown>;
  at: number;
}

export interface Comment {
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
  /** The number of pages, once it is complete. */
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

/** A push to one subscription. What is sent is fixed when it is recorded, so that every attempt sends the same bytes. */
export interface Delivery {
  id: number;
  siteId: number;
  subscriptionId: number | string;
  event: string;
  channel: Channel;
  isTest: boolean;
  createdAt: number;
  url: string;
  body: string;
  /** X-Webhook-Signature, where the subscription has a secret. */
  signature?: string;
  state: DeliveryState;
  /** How many of the retries of section 6.5 have been made. */
  retries: number;
  /** What the first attempt counts as made at, for retries that are reckoned from it. */
  firstAttemptAt?: number;
  nextAttemptAt?: number;
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

/** What came back: an answer, or the reason why there was none. `refusal` is what a chat robot says in an answer of status 200. */
export type AttemptOutcome = { status: number; body: string; refusal?: string } | { error: string };

/** Something that is due at a time. */
export interface Job {
  id: number;
  at: number;
  task: Task;
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

/** What an operation answers instead of what it would, or how long it takes, for so many calls. */
export interface Override {
  operation: string;
  status?: number;
  code?: number;
  delayMs?: number;
  /** Calls that are still to be answered so; without it, all of them. */
  times?: number;
}

export interface Inbox {
  kind: InboxKind;
  /** The signing secret by which X-Webhook-Signature is checked. */
  secret?: string;
  /** What the next messages are answered, one entry each. */
  respond: InboxStep[];
  robot: RobotSettings;
  robotState: RobotState;
  messages: InboxMessage[];
  /** How many messages came in all; older ones than those kept were dropped. */
  received: number;
}

export type InboxKind = 'plain' | RobotKind;
export type RobotKind = Exclude<Channel, 'custom'>;

/** An HTTP status, an answer in full, no answer at all, or an end of the connection. */
export type InboxStep =
  | number
  | 'timeout'
  | 'reset'
  | { status: number; headers?: Record<string, string>; body?: string };

/** How a robot is set up in its group. */
export interface RobotSettings {
  /** The key, access token or hook that a message must come with; any will do without it. */
  token?: string;
  /** The secret of the product's own sign (DingTalk and Feishu). */
  signSecret?: string;
  /** One of them must stand in a message (DingTalk and Feishu). */
  keywords?: string[];
  /** The vendor's wording of refusals: as documented, or as seen in the wild (the default). */
  wording?: 'documented' | 'observed';
}

/** What a robot remembers for its rate limit. */
export interface RobotState {
  /** When the latest messages came that count. */
  times: number[];
  blockedUntil?: number;
}

export interface InboxMessage {
  /** Counts from 1 within the inbox. */
  id: number;
  at: number;
  method: string;
  /** After the inbox's own address, with its query. */
  path: string;
  headers: Record<string, string>;
  /** The body, where it is UTF-8; otherwise `bodyBase64` has its bytes. */
  body?: string;
  bodyBase64?: string;
  /** Whether the signature is right; undefined where the inbox has no secret. */
  verified?: boolean;
  answer: { status: number; body: string } | { error: 'timeout' | 'reset' };
}

/** A world in which nothing exists yet. */
export function createEmptyWorld(seed: number, clock: ClockState): World {
  return {
    random: seed,
    clock,
    counters: {
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
    },
    tenants: new Map(),
    users: new Map(),
    sessions: new Map(),
    apiKeys: new Map(),
    sites: new Map(),
    contents: new Map(),
    submissions: new Map(),
    comments: new Map(),
    publications: new Map(),
    subscriptions: new Map(),
    deliveries: new Map(),
    jobs: [],
    limits: new Map(),
    firstAnswers: new Map(),
    overrides: [],
    inboxes: new Map(),
  };
}
