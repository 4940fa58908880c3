// What a call of the control API takes and answers, by its operationId in the description.
import type { operations } from '../../../openapi/generated/control-types.ts';
import type { Snapshot } from '../../world/snapshot.ts';

/** The others, a message to an inbox and the stream, take over the connection. */
export type CallId = Exclude<keyof operations, 'sendMessage' | 'stream'>;

type Stated<Id extends CallId> = operations[Id];
type ContentOf<Holder> = Holder extends { content: infer Types } ? Types[keyof Types] : never;

/** Within the process, ids that may be texts are also given as numbers. */
type Loose<Query> = {
  [Name in keyof Query]: Name extends 'tenant' | 'subscription_id' ? Query[Name] | number : Query[Name];
};

export type Path<Id extends CallId> = NonNullable<Stated<Id>['parameters']['path']>;
export type Query<Id extends CallId> = Loose<NonNullable<Stated<Id>['parameters']['query']>>;
export type Body<Id extends CallId> = Id extends 'putWorld'
  ? Snapshot
  : ContentOf<NonNullable<Stated<Id>['requestBody']>>;

/** What was read and checked. */
export interface Input<Id extends CallId> {
  path: Path<Id>;
  query: Query<Id>;
  body: Body<Id>;
}

/** A snapshot has its own type, besides the one that is generated from the description. */
export type Answer<Id extends CallId> = Id extends 'getWorld'
  ? Snapshot
  : ContentOf<Stated<Id>['responses'][200]>;

/** Those that wait for something, and give promises. */
type WaitingId =
  | 'getReady'
  | 'getWorld'
  | 'putWorld'
  | 'resetWorld'
  | 'moveClock'
  | 'redeliver'
  | 'drain'
  | 'callOperation'
  | 'getFaults'
  | 'setFaults'
  | 'listWorlds'
  | 'createWorld'
  | 'endWorld';

export type Answered<Id extends CallId> = Id extends WaitingId ? Promise<Answer<Id>> : Answer<Id>;

/** Of a call that is known at run time only. */
export interface AnyInput {
  path: object;
  query: object;
  body: unknown;
}
