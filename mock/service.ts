import type { EventEmitter } from 'node:events';
import type { Operation, OperationId } from '../openapi/operations.ts';
import type { Profile } from '../openapi/profile.ts';
import type { Validator } from '../openapi/validate.ts';
import type { Clock } from './clock/clock.ts';
import type { Scheduler } from './clock/scheduler.ts';
import type { Journal, JournalEntry, JournalExchange } from './http/journal.ts';
import type { Body } from './http/read-body.ts';
import type { Answer } from './http/render-envelope.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Store } from './store/store.ts';
import type { Habits } from './variations/habits.ts';
import type { Variations } from './variations/variations.ts';
import type { DeliverySteps } from './webhooks/delivery-steps.ts';
import type { Dispatcher } from './webhooks/dispatch.ts';
import type { ApiKey, Attempt, Delivery, FirstAnswer, InboxMessage, Session } from './world/entries.ts';
import type { Turn } from './world/turn.ts';
import type { World } from './world/world.ts';

/** One world and all that works on it: what the stages of a request, the jobs and the control API share. */
export interface Mock {
  /** Read it anew each time: it can be replaced as a whole. */
  readonly world: World;
  /** The only way to change the world. */
  turn: Turn;
  replaceWorld(world: World): void;
  /** What is answered from now on ends its connection. */
  isClosing: boolean;
  /** Persists the world; without one, it lives as long as the process. */
  store?: Store;
  profile: Profile;
  clock: Clock;
  validate: Validator;
  scheduler: Scheduler;
  dispatcher: Dispatcher;
  settings: Settings;
  /** Returns a new world as it was at the start. */
  createWorld(): World;
  /** Formats a time for the `Date` header. */
  httpDate(at: number): string;
  /** The latest Authorization header of each connection, and its digest. */
  tokenCache: WeakMap<object, { header: string | undefined; key: string }>;
  /** When the calls end that are worked on, by what identifies a repetition and by performance.now(). */
  callsInProgress: Map<string, number>;
  journal: Journal;
  /** Of all worlds of this process. */
  metrics: Metrics;
  events: ServiceEvents;
  /** Legal variations of answers and pushes; usually none. */
  variations: Variations | undefined;
  /** The mock's own steps, or those that faults have replaced. Read anew for each request, event and attempt. */
  readonly steps: Steps;
  faults: FaultSwitch;
  /** The operations that the profile offers. */
  operations: readonly OperationId[];
  log: Log;
}

/** The steps of a request that a fault may replace, in order. */
export interface RequestSteps {
  /** Finds the caller by the Authorization header; undefined if the operation needs none. Throws an ApiError for a header that is not accepted. */
  authenticate(
    mock: Mock,
    operation: Operation,
    request: { header: string | undefined; now: number; connection: object },
  ): Caller | undefined;
  /** The key under which a repeated call is recognised, by the request as it was sent; undefined if a repetition is a new call. */
  repetitionKeyOf(
    call: AnyCall,
    request: Pick<JournalExchange, 'url' | 'headers'> & { body: string | undefined },
  ): string | undefined;
  /** The answer to the first call with this key, while its window lasts. */
  findFirstAnswer(call: AnyCall, key: string): FirstAnswer | undefined;
  /** Counts a call, or throws if it exceeds a limit. Returns what uncounts it, for a call that fails and then does not count. */
  countAgainstLimit(call: AnyCall): () => void;
  /** Throws an ApiError. */
  validate(call: AnyCall, body: Body): void;
  handle(handler: AnyHandler, call: AnyCall): Values | Promise<Values>;
  keepFirstAnswer(call: AnyCall, key: string, answer: Pick<FirstAnswer, 'values' | 'traceId'>): void;
  /** The last change of an answer before it is sent. */
  answer(mock: Mock, exchange: JournalExchange, answer: Answer): Answer;
}

export type Steps = RequestSteps & DeliverySteps;

export type { Habits };

/** How this mock behaves, independently of its profile. */
export interface Settings {
  /** Bounds of the delay of each answer, in milliseconds. */
  latency?: { least: number; most: number };
  /** Rejects subscriptions to targets in private networks, and sends no pushes there. */
  refusesPrivateTargets: boolean;
  /** Counts no calls against the limits per minute. */
  isUnlimited: boolean;
  /** Of this mock, in PEM: pushes to its inboxes trust it. */
  ownCertificate?: string;
  /** What variations change in it. */
  habits: Habits;
}

/** What has just happened; elsewhere: in another process that shares the world. */
export type ServiceEvents = EventEmitter<{
  /** With its entry in the journal, if it has one. */
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

/** Who makes a call: a user with a session, or a holder of an API key. */
export interface Caller {
  tenantId: number;
  /** The session and its key in the world; undefined for an API key. */
  session?: Session & { key: string };
  /** The API key, where one was sent. */
  apiKey?: ApiKey;
}

/** An accepted call, its input in the names of the description, whatever the deployment calls them. */
export interface Call<Input>
  extends Pick<Mock, 'profile' | 'world' | 'clock' | 'validate' | 'scheduler' | 'dispatcher' | 'settings'> {
  operation: Operation;
  caller: Caller | undefined;
  input: Input;
  /** Milliseconds since 1970. */
  now: number;
}

/** Returns the values of the answer by name; those that the deployment does not show are left out later. */
export type Handler<Input> = (call: Call<Input>) => Values | Promise<Values>;

export type Values = Readonly<Record<string, unknown>>;

/** The handler of an operation that is known at run time only. */
export type AnyHandler = Handler<Values>;

/** A call of an operation that is known at run time only. */
export type AnyCall = Call<Values>;

/** Which faults are on is part of the world; with a store, turning them waits until that is kept. */
export interface FaultSwitch {
  /** The ids of the faults that are on, in the order of the table once it is loaded. */
  on(): string[];
  /** The steps as these faults make them; without their table, no fault shows. */
  steps(): Steps;
  load(): Promise<void>;
  /** Turns these on and all others off; none of them remembers anything then. Throws an Error for an unknown id, and a StoreError if that can't be kept. */
  set(ids: readonly string[]): Promise<void>;
}
