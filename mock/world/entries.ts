// The entries of the world as plain data. They are read-only: who changes one takes it by `edit` (see collection.ts). Times are milliseconds since 1970.
import type { Robot } from '../../openapi/event-names.ts';
import type { Channel, EventName } from '../../openapi/generated/types.ts';

export interface Tenant {
  readonly id: number;
  readonly name: string;
}

export interface User {
  readonly tenantId: number;
  readonly salt: string;
  readonly passwordDigest: string;
  /** Since the last login. */
  readonly wrongPasswords?: number;
  readonly lockedUntil?: number;
}

export interface Session {
  readonly tenantId: number;
  readonly username: string;
  readonly expiresAt: number;
}

export interface ApiKey {
  readonly id: number;
  readonly tenantId: number;
  /** Who created it; undefined for a key of an older world. */
  readonly username?: string;
  readonly name: string;
  readonly createdAt: number;
  /** Of a key that is still taken after its deletion. */
  readonly deletedAt?: number;
}

export interface Site {
  readonly id: number;
  readonly tenantId: number;
  readonly name: string;
  /** The published version; 0 before the first publish. */
  readonly version: number;
  /** The version number of the last publish, whether or not it succeeded. */
  readonly lastVersion: number;
  /** Whether nothing was changed since the last publish that did not fail. */
  readonly isUnchanged?: boolean;
  /** The last subscription identifier, where they are counted per site. */
  readonly lastSubscription?: number;
  readonly createdAt: number;
  /** The URL that the site was imported from. */
  readonly source?: string;
}

export interface Content {
  readonly id: number;
  readonly siteId: number;
  readonly title: string;
  readonly text: string;
  readonly state: 'draft' | 'published';
  readonly updatedAt: number;
}

/** Something that a fault remembers. */
export interface Remembered {
  /** The fault and the name of its memory. */
  readonly memory: string;
  readonly at: number;
  /** Plain data; it is replaced, and never changed. */
  readonly value: unknown;
}

export interface Submission {
  readonly id: number;
  readonly siteId: number;
  readonly form: string;
  readonly fields: Record<string, unknown>;
  readonly at: number;
}

export interface Comment {
  readonly id: number;
  readonly siteId: number;
  readonly author: string;
  readonly text: string;
  readonly at: number;
}

export interface Publication {
  readonly id: number;
  readonly siteId: number;
  readonly version: number;
  readonly note: string;
  readonly state: 'running' | 'complete' | 'failed';
  readonly startedAt: number;
  /** The number of pages of a complete publication. */
  readonly pages?: number;
}

export interface Subscription {
  readonly id: number | string;
  readonly siteId: number;
  readonly url: string;
  readonly events: readonly EventName[];
  readonly channel: Channel;
  readonly secret?: string;
  readonly createdAt: number;
}

/** A push to one subscription. Its content is fixed when it is recorded, so every attempt sends the same bytes. */
export interface Delivery {
  readonly id: number;
  readonly siteId: number;
  readonly subscriptionId: number | string;
  readonly event: string;
  readonly channel: Channel;
  readonly isTest: boolean;
  /** A greeting of a new target is never retried, and not in the log. */
  readonly isGreeting?: boolean;
  readonly createdAt: number;
  readonly url: string;
  readonly body: string;
  /** X-Webhook-Signature, if the subscription has a secret. */
  readonly signature?: string;
  readonly state: DeliveryState;
  /** Number of retries made so far (section 6.5). */
  readonly retries: number;
  /** When the first attempt counts as made, for retry delays that count from it. */
  readonly firstAttemptAt?: number;
  readonly nextAttemptAt?: number | undefined;
  readonly attempts: readonly Attempt[];
}

type DeliveryState = 'pending' | 'delivered' | 'given-up';

export interface Attempt {
  readonly at: number;
  readonly cause: AttemptCause;
  readonly requestHeaders: Record<string, string>;
  readonly outcome: AttemptOutcome;
  readonly durationMs: number;
}

export type AttemptCause = 'event' | 'retry' | 'redelivery';

/** An answer, or the reason why there was none. `refusal` is the reason that a chat robot gives in an answer of status 200. */
export type AttemptOutcome = { status: number; body: string; refusal?: string } | { error: string };

export interface Job {
  readonly id: number;
  readonly at: number;
  readonly task: Task;
  /** Who works on it, where several processes share the world, and until when it is theirs: milliseconds since 1970. */
  readonly held?: { by: string; until: number } | undefined;
}

export type Task =
  | { kind: 'attempt'; deliveryId: number; cause: AttemptCause }
  | { kind: 'end-publication'; publicationId: number; outcome: 'complete' | 'failed' };

export interface FirstAnswer {
  readonly tenantId: number;
  readonly until: number;
  readonly values: Record<string, unknown>;
  readonly traceId: string;
}

/** A forced answer or delay of an operation, for a number of calls. */
export interface Override {
  readonly operation: string;
  readonly status?: number;
  readonly code?: number;
  /** The whole answer, in place of the envelope. */
  readonly body?: unknown;
  readonly delayMs?: number;
  /** Number of calls left that it applies to; all when missing. */
  readonly times?: number;
}

export interface Inbox {
  readonly kind: InboxKind;
  /** The signing secret that X-Webhook-Signature is verified with. */
  readonly secret?: string;
  /** The answers to the next messages, one entry each. */
  readonly respond: readonly InboxStep[];
  readonly robot: RobotSettings;
  readonly robotState: RobotState;
  /** Number of messages received; the oldest may have been dropped. */
  readonly received: number;
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
  readonly token?: string;
  /** The secret for the vendor's own sign (DingTalk and Feishu). */
  readonly signSecret?: string;
  /** A message must contain one of them (DingTalk and Feishu). */
  readonly keywords?: readonly string[];
  /** The wording of refusals: as documented by the vendor, or as observed in production (the default). */
  readonly wording?: 'documented' | 'observed';
}

/** The state of a robot's rate limit. */
export interface RobotState {
  /** Times of the latest counted messages. */
  readonly times: readonly number[];
  readonly blockedUntil?: number;
}

export interface InboxMessage {
  /** The name of its inbox. */
  readonly inbox: string;
  /** Counts from 1 within the inbox. */
  readonly id: number;
  readonly at: number;
  readonly method: string;
  /** The path after that of the inbox, with the query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  /** The body if it is UTF-8; otherwise `bodyBase64` has its bytes. */
  readonly body?: string;
  readonly bodyBase64?: string;
  /** Whether the signature is valid; undefined when the inbox has no secret. */
  readonly verified?: boolean;
  readonly answer: { status: number; body: string } | { error: 'timeout' | 'reset' };
}
