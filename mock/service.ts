import type { EventEmitter } from 'node:events';
import type { Operation, OperationId } from '../openapi/operations.ts';
import type { Profile } from '../openapi/profile.ts';
import type { Validator } from '../openapi/validate.ts';
import type { Scheduler } from './clock/scheduler.ts';
import type { Journal, JournalEntry, JournalExchange } from './http/journal.ts';
import type { Body } from './http/read-body.ts';
import type { Answer } from './http/render-envelope.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Store } from './store/store.ts';
import type { Habits, Variations } from './variations/variations.ts';
import type { DeliverySteps } from './webhooks/delivery-steps.ts';
import type { Dispatcher } from './webhooks/dispatch.ts';
import type { ApiKey, Attempt, Delivery, FirstAnswer, InboxMessage, Session } from './world/entries.ts';
import type { Clock } from './world/time.ts';
import type { Turn } from './world/turn.ts';
import type { World } from './world/world.ts';

/** A world and what works on it, shared by requests, jobs and the control API. */
export interface Mock {
  /** Read it each time, because it can be replaced. */
  readonly world: World;
  /** Every change of the world happens in a turn. */
  turn: Turn;
  replaceWorld(world: World): void;
  /** From now on, each answer closes its connection. */
  isClosing: boolean;
  /** Undefined if the world lives in memory only. */
  store?: Store;
  profile: Profile;
  clock: Clock;
  validate: Validator;
  scheduler: Scheduler;
  dispatcher: Dispatcher;
  settings: Settings;
  createWorld(): World;
  httpDate(at: number): string;
  /** The latest Authorization header of each connection, so that a repeated one is digested once. */
  tokenCache: WeakMap<object, { header: string | undefined; key: string }>;
  /** When each call in progress ends, by `performance.now()`, or a promise if that is not known; the keys come from `repetitionKeyOf`. */
  callsInProgress: Map<string, number | Promise<void>>;
  journal: Journal;
  /** Shared by all worlds of this process. */
  metrics: Metrics;
  events: ServiceEvents;
  variations: Variations | undefined;
  /** The default steps, changed by faults. Read again for each request, event and attempt. */
  readonly steps: Steps;
  faults: FaultSwitch;
  operations: readonly OperationId[];
  log: Log;
}

/** The steps of a request that a fault may replace, in order. */
export interface RequestSteps {
  /** Returns undefined if the operation needs no caller. Throws an ApiError for a header that is not accepted. */
  authenticate(
    mock: Mock,
    operation: Operation,
    request: { header: string | undefined; now: number; connection: object },
  ): Caller | undefined;
  /** The key by which a repetition is recognized, from the request as sent; undefined if a repetition is a new call. */
  repetitionKeyOf(
    call: AnyCall,
    request: Pick<JournalExchange, 'url' | 'headers'> & { body: string | undefined },
  ): string | undefined;
  /** How long a repeat of a call in progress waits: milliseconds, or a promise for the end of that call. Throws an ApiError if the profile refuses it instead. */
  joinWork(mock: Mock, call: AnyCall, key: string): number | Promise<void>;
  /** Undefined once the window for repetitions has passed. */
  findFirstAnswer(call: AnyCall, key: string): FirstAnswer | undefined;
  /** Throws an ApiError over the limit. Returns a function that takes the count back, since failed calls do not count. */
  countAgainstLimit(call: AnyCall): () => void;
  /** Throws an ApiError. */
  validate(call: AnyCall, body: Body): void;
  handle(handler: AnyHandler, call: AnyCall): Values | Promise<Values>;
  storeFirstAnswer(call: AnyCall, key: string, answer: Pick<FirstAnswer, 'values' | 'traceId'>): void;
  /** May change an answer just before it is sent. */
  answer(mock: Mock, exchange: JournalExchange, answer: Answer): Answer;
}

export type Steps = RequestSteps & DeliverySteps;

export type { Habits };

/** How this mock behaves, independently of its profile. */
export interface Settings {
  /** Bounds of the delay of each answer, in milliseconds. */
  latency?: { least: number; most: number };
  /** Refuses subscriptions to private networks, and sends no pushes there. */
  refusesPrivateTargets: boolean;
  /** Counts no calls against the limits per minute. */
  isUnlimited: boolean;
  /** The mock's own certificate in PEM, which pushes to its inboxes trust. */
  ownCertificate?: string;
  habits: Habits;
}

/** `isElsewhere`: in another process that shares the world. */
export type ServiceEvents = EventEmitter<{
  request: [JournalExchange, entry?: JournalEntry, isElsewhere?: boolean];
  attempt: [Delivery, Attempt, isElsewhere?: boolean];
  message: [InboxMessage];
  clock: [];
  /** A delivery changed without an attempt. */
  delivery: [Delivery];
  /** The world was reset or restored, as a whole or in part. */
  replaced: [];
  closing: [];
}>;

/** Writes one line for the people who run the mock; never shown to callers of the API. */
export type Log = (line: string) => void;

/** A user with a session, or the holder of an API key. */
export interface Caller {
  tenantId: number;
  /** `key` is the key of the session in the world. */
  session?: Session & { key: string };
  apiKey?: ApiKey;
}

/** A valid call. Its input always has the names of the description, even if the profile renames them. */
export interface Call<Input>
  extends Pick<Mock, 'profile' | 'world' | 'clock' | 'validate' | 'scheduler' | 'dispatcher' | 'settings'> {
  operation: Operation;
  caller: Caller | undefined;
  input: Input;
  /** Milliseconds since 1970. */
  now: number;
}

/** Returns the named values of the answer; those that the profile does not show are dropped later. */
export type Handler<Input> = (call: Call<Input>) => Values | Promise<Values>;

export type Values = Readonly<Record<string, unknown>>;

export type AnyHandler = Handler<Values>;

export type AnyCall = Call<Values>;

/** The choice of faults is part of the world, so that a store persists it. */
export interface FaultSwitch {
  /** In the order of the table of faults, once that is loaded. */
  on(): string[];
  /** The steps with these faults, or the default ones until the table of faults is loaded. */
  steps(): Steps;
  load(): Promise<void>;
  /** Turns these on and all others off, and clears what faults remember. Throws an Error for an unknown id, and a StoreError if it can't be persisted. */
  set(ids: readonly string[]): Promise<void>;
}
