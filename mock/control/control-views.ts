// What the control API shows and takes, as openapi/mock-control.yaml has it. A test judges real answers by that.
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import type { OperationId } from '../../openapi/operations.ts';
import type { LimitName } from '../request/rate-limits.ts';
import type {
  AttemptCause,
  ClockState,
  DeliveryState,
  InboxKind,
  InboxStep,
  RobotSettings,
} from '../world/world.ts';

/** ISO 8601 in UTC. */
export type Time = string;

export interface HealthView {
  ready: true;
  version: string;
  base_path: string;
  base_url: string;
  profile: { name: string; values: Record<string, unknown> };
  operations: readonly OperationId[];
  clock: ClockView;
}

export interface ClockView {
  mode: ClockState['mode'];
  now: Time;
}

/** `to` and `advance` exclude each other. */
export interface ClockMove {
  mode?: ClockState['mode'];
  /** A time with its offset. */
  to?: Time;
  /** An ISO 8601 duration. */
  advance?: string;
}

export interface MovedClockView extends ClockView {
  /** The attempts to deliver that were made on the way, in order. */
  attempts: CausedAttemptView[];
}

/** How much the world holds. */
export interface WorldSummary {
  clock: ClockView;
  tenants: number;
  users: number;
  sites: number;
  subscriptions: number;
  deliveries: number;
  jobs: number;
}

export interface EventRequest {
  event: EventName;
  site_id: number;
  /** Sample values without it. */
  data?: Record<string, unknown>;
}

export interface DeliveryFilter {
  /** Its id or its name. */
  tenant?: string | number;
  site_id?: number;
  subscription_id?: string | number;
  state?: DeliveryState;
}

export interface DeliveryView {
  id: number;
  site_id: number;
  subscription_id: number | string;
  event: string;
  channel: Channel;
  is_test: boolean;
  created_at: Time;
  /** Without what gives access to the target. */
  url: string;
  body: string;
  signature?: string;
  state: DeliveryState;
  next_attempt_at?: Time;
  attempts: AttemptView[];
}

export interface AttemptView {
  /** Counts from 1 within its delivery. */
  number: number;
  cause: AttemptCause;
  at: Time;
  request_headers: Record<string, string>;
  status?: number;
  answer?: string;
  /** What a chat robot said against the message. */
  refusal?: string;
  /** Why there was no answer. */
  error?: string;
  duration_ms: number;
}

export interface CausedAttemptView extends AttemptView {
  delivery_id: number;
  event: string;
}

export interface DrainView {
  now: Time;
  /** How many deliveries wait for a retry. */
  pending: number;
}

export interface RequestFilter {
  /** Its id or its name. */
  tenant?: string | number;
  operation?: OperationId;
  /** Those with a greater id only. */
  after?: number;
}

export interface JournalView {
  requests: RequestView[];
  total: number;
  /** How many older ones were dropped. */
  evicted: number;
}

/** A request of the service, without its secrets. */
export interface RequestView {
  id: number;
  at: Time;
  method: string;
  path: string;
  operation?: OperationId;
  tenant?: string;
  status: number;
  code?: number;
  trace_id: string;
  duration_ms: number;
  refusal?: string;
  forced_by?: 'prefer' | 'override';
  request_headers: Record<string, string>;
  request_body?: unknown;
  response_body?: unknown;
}

export interface OverrideView {
  operation: OperationId;
  status?: number;
  code?: number;
  delay_ms?: number;
  /** How many calls are still answered so; all of them without it. */
  times?: number;
}

export interface FaultsView {
  faults: { id: string; title: string; requirement: string }[];
  on: string[];
}

export interface FaultChoice {
  on: readonly string[];
}

/** One of them, or neither for all tokens. */
export interface ExpireRequest {
  token?: string;
  username?: string;
}

export interface LimitView {
  limit: LimitName;
  tenant: string;
  used: number;
  of: number;
  /** When the oldest of the calls that count stops counting. */
  frees_at?: Time;
}

/** What is left out stays as it is. */
export interface InboxRequest {
  secret?: string;
  respond?: InboxStep[];
  kind?: InboxKind;
  robot?: { token?: string; sign_secret?: string } & Pick<RobotSettings, 'keywords' | 'wording'>;
}

export interface InboxView {
  name: string;
  url: string;
  kind: InboxKind;
  has_secret: boolean;
  respond: InboxStep[];
  robot: { has_token: boolean; has_sign_secret: boolean } & Pick<RobotSettings, 'keywords' | 'wording'>;
}

export interface MessagesView {
  messages: MessageView[];
  received: number;
  dropped: number;
}

/** A message as it came. */
export interface MessageView {
  id: number;
  at: Time;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  body_base64?: string;
  verified?: boolean;
  answer: { status: number; body: string } | { error: 'timeout' | 'reset' };
}
