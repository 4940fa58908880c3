import type { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, OperationId } from '../openapi/operations.ts';
import type { Profile } from '../openapi/profile.ts';
import type { Validator } from '../openapi/validate.ts';
import type { Clock } from './clock/clock.ts';
import type { Scheduler } from './clock/scheduler.ts';
import type { Journal } from './http/journal.ts';
import type { JournalExchange } from './http/journal-exchange.ts';
import type { Body } from './http/read-body.ts';
import type { Answer } from './http/render-envelope.ts';
import type { Variations } from './variations/variations.ts';
import type { DeliverySteps } from './webhooks/delivery-steps.ts';
import type { Dispatcher } from './webhooks/dispatch.ts';
import type { Attempt, Delivery, FirstAnswer, Session, World } from './world/world.ts';

/** What the operations work with. */
export interface OperationContext {
  profile: Profile;
  readonly world: World;
  clock: Clock;
  validate: Validator;
  scheduler: Scheduler;
  dispatcher: Dispatcher;
  settings: Settings;
}

/** What the stages of a request and the control API share. Its world is read anew each time: it can be replaced as a whole. */
export interface Service extends OperationContext {
  replaceWorld(world: World): void;
  /** The world as it was at the beginning. */
  createWorld(): World;
  /** A time for the `Date` header. */
  httpDate(at: number): string;
  /** What the connections sent last as Authorization, and its digest. */
  tokenCache: WeakMap<object, { header: string | undefined; key: string }>;
  journal: Journal;
  events: ServiceEvents;
  /** What is changed on its way out; mostly nothing. */
  variations: Variations | undefined;
  /** The steps that do the work: the mock's own, or what a fault puts in their place. Replaced as a whole. */
  readonly steps: Steps;
  /** Which faults are on. */
  faults: FaultSwitch;
  /** The operations that are answered. */
  operations: readonly OperationId[];
  log: Log;
}

/** The steps of a request that a fault may replace, in their order. */
export interface RequestSteps {
  /** Who makes the call, by its Authorization header; undefined where the operation needs none. Throws what it refuses. */
  authenticate(
    service: Service,
    operation: Operation,
    request: { header: string | undefined; now: number; connection: object },
  ): Caller | undefined;
  /** What makes a call the same as an earlier one; undefined where each call stands for itself. */
  sameness(call: AnyCall, request: SentRequest): string | undefined;
  /** The first answer to the same call, while its window lasts. */
  firstAnswer(call: AnyCall, same: string): FirstAnswer | undefined;
  /** Refuses a call that is too many. Otherwise counts it, and gives what takes it back if the call should fail and then not count. */
  drawOnLimit(call: AnyCall): () => void;
  /** Throws what it refuses of a body. */
  validate(call: AnyCall, body: Body): void;
  handle(handler: AnyHandler, call: AnyCall): Values | Promise<Values>;
  keepFirstAnswer(call: AnyCall, same: string, answer: Pick<FirstAnswer, 'values' | 'traceId'>): void;
  /** An answer on its way out. */
  answer(service: Service, exchange: JournalExchange, answer: Answer): Answer;
}

/** What a repetition is recognised by. */
export interface SentRequest {
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string | undefined;
}

export type Steps = RequestSteps & DeliverySteps;

/** How this mock behaves, whatever the deployment that it plays. */
export interface Settings {
  /** Each answer is held back for a time in between, in milliseconds. */
  latency?: { least: number; most: number };
  /** Subscriptions to targets in private networks are refused, and so are their pushes. */
  refusesPrivateTargets: boolean;
}

/** Tells whoever listens what has just happened. */
export type ServiceEvents = EventEmitter<{
  request: [JournalExchange];
  attempt: [Delivery, Attempt];
  clock: [];
  closing: [];
}>;

/** Takes one line for the people who run the mock; never shown to callers of the API. */
export type Log = (line: string) => void;

/** Who makes a call. */
export interface Caller {
  tenantId: number;
  /** The session and its key in the world; undefined for an API key. */
  session?: Session & { key: string };
}

/** An accepted call, in the names of the description, whatever the deployment calls them. */
export interface Call<Input> extends OperationContext {
  operation: Operation;
  caller: Caller | undefined;
  input: Input;
  /** Milliseconds since 1970. */
  now: number;
}

/** Gives the values of the answer by name; those that the deployment does not show are left out later. */
export type Handler<Input> = (call: Call<Input>) => Values | Promise<Values>;

export type Values = Readonly<Record<string, unknown>>;

/** A handler of an operation that is known only at run time. */
export type AnyHandler = Handler<Values>;

/** A call of an operation that is known only at run time. */
export type AnyCall = Call<Values>;

export interface FaultSwitch {
  /** Their ids, in the order of the table. */
  on(): string[];
  /** Turns on those that are named, and all others off. Throws an Error where there is no such fault. */
  set(ids: readonly string[]): Promise<void>;
}
