// What a call of the control API is: what it knows of a mock besides its service, and what it takes and answers.
import type { operations } from '../../openapi/generated/control-types.ts';
import type { Operation } from '../../openapi/operations.ts';
import type { InTurn } from '../clock/work.ts';
import type { Mock, Values } from '../service.ts';
import type { TenantAccess } from '../world/create-world.ts';
import type { StreamBudget } from './stream/stream-budget.ts';

/** Where a mock is reached. */
export interface Addresses {
  baseUrl: string;
  controlUrl: string;
}

/** An operation of the service, or undefined where the deployment does not offer it. Its answer has the values that it holds by name. */
export type CallService = (operation: string) =>
  | {
      auth: Operation['auth'];
      call(values: Values, token?: string): Promise<{ status: number; body: string; values: Values }>;
    }
  | undefined;

/** The worlds by name, as the calls use them. Throws a ControlError for what can't be done. */
export interface WorldKeeper {
  create(request: Body<'createWorld'>): Promise<Answer<'createWorld'>>;
  /** Those in memory. */
  list(): Answer<'listWorlds'>;
  /** A page of all, also of those that a store has. */
  listAll(page: Query<'listWorlds'>): Promise<Answer<'listWorlds'>>;
  end(name: string): Promise<void>;
}

/** What belongs to the place of a mock: at the root, or under a prefix. */
export interface ControlPlace {
  addresses(): Addresses;
  /** Ends the mock; undefined where that is up to the program around it. */
  stop: (() => void) | undefined;
  /** Of all worlds together. */
  streams: StreamBudget;
  /** Undefined in a world that is one of them. */
  keeper: WorldKeeper | undefined;
}

export interface ControlledMock extends Mock, ControlPlace {
  /** The credentials of the seed. */
  tenants: readonly TenantAccess[];
  /** The ids of the variations that are on. */
  variationIds: readonly string[];
  /** Calls an operation of the service, as a client does. */
  callService: CallService;
  /** The session tokens that it calls the service with, by username. */
  sessionTokens: Map<string, string>;
  /** Whether it has begun to end. */
  isEnding: boolean;
  /** Does one after the other what moves the clock or changes the world as a whole. */
  inOrder: InTurn;
}

/** The others, a message to an inbox and the stream, take over the connection. */
export type CallId = Exclude<keyof operations, 'sendMessage' | 'stream'>;

type ContentOf<Holder> = Holder extends { content: infer Types } ? Types[keyof Types] : never;

/** Within the process, ids that may be texts are also given as numbers. */
type Loose<Query> = {
  [Name in keyof Query]: Name extends 'tenant' | 'subscription_id' ? Query[Name] | number : Query[Name];
};

export type Path<Id extends CallId> = NonNullable<operations[Id]['parameters']['path']>;
export type Query<Id extends CallId> = Loose<NonNullable<operations[Id]['parameters']['query']>>;
export type Body<Id extends CallId> = ContentOf<NonNullable<operations[Id]['requestBody']>>;

export type Answer<Id extends CallId> = ContentOf<operations[Id]['responses'][200]>;

/** What was read and checked, of a call that is known at run time only. */
export interface AnyInput {
  path: object;
  query: object;
  body: unknown;
}

export type Call<Id extends CallId, Given = Answer<Id>> = (
  mock: ControlledMock,
  input: { path: Path<Id>; query: Query<Id>; body: Body<Id> },
) => Given;

/** One that waits for something. */
export type WaitingCall<Id extends CallId> = Call<Id, Promise<Answer<Id>>>;
