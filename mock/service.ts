import type { EventEmitter } from 'node:events';
import type { OperationId } from '../openapi/operations.ts';
import type { Profile } from '../openapi/profile.ts';
import type { Validator } from '../openapi/validate.ts';
import type { Clock } from './clock.ts';
import type { Exchange } from './exchange.ts';
import type { FaultSwitch } from './faults/fault-switch.ts';
import type { Journal } from './journal.ts';
import type { Parts } from './parts.ts';
import type { Timekeeper } from './timekeeper.ts';
import type { Variations } from './variations/variations.ts';
import type { Dispatcher } from './webhooks/dispatch.ts';
import type { Attempt, Delivery, World } from './world.ts';

/** What the stages of a request, the dispatcher and the control API share. */
export interface Service {
  profile: Profile;
  /** Read anew each time: it can be replaced as a whole. */
  world: World;
  /** The world as it was at the beginning. */
  plant(): World;
  clock: Clock;
  /** A time for the `Date` header. */
  httpDate(at: number): string;
  validate: Validator;
  timekeeper: Timekeeper;
  dispatcher: Dispatcher;
  /** What the connections sent last as Authorization, and its digest. */
  heard: WeakMap<object, { header: string | undefined; key: string }>;
  journal: Journal;
  feed: Feed;
  settings: Settings;
  /** What is changed on its way out; mostly nothing. */
  variations: Variations | undefined;
  /** Those that do the work: the mock's own, or what a fault puts in their place. */
  parts: Parts;
  /** Which faults are on. */
  faults: FaultSwitch;
  /** The operations that are answered. */
  operations: readonly OperationId[];
  log: Log;
}

/** How this mock behaves, whatever the deployment that it plays. */
export interface Settings {
  /** Each answer is held back for a time in between, in milliseconds. */
  latency?: { least: number; most: number };
  /** Subscriptions to targets in private networks are refused, and so are their pushes. */
  refusesPrivateTargets: boolean;
}

/** Tells whoever listens what has just happened. */
export type Feed = EventEmitter<{
  request: [Exchange];
  attempt: [Delivery, Attempt];
  clock: [];
  closing: [];
}>;

/** Takes one line for the people who run the mock; never shown to callers of the API. */
export type Log = (line: string) => void;
