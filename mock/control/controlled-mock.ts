import type { operations } from '../../openapi/generated/control-types.ts';
import type { Operation } from '../../openapi/operations.ts';
import type { InTurn } from '../clock/work.ts';
import type { Mock, Values } from '../service.ts';
import type { TenantAccess } from '../world/create-world.ts';
import type { StreamBudget } from './stream/stream-budget.ts';

export interface Addresses {
  baseUrl: string;
  controlUrl: string;
}

/** Finds an operation of the service; undefined if the profile does not offer it. `values` are the named values of its answer. */
export type CallService = (operation: string) =>
  | {
      auth: Operation['auth'];
      call(values: Values, token?: string): Promise<{ status: number; body: string; values: Values }>;
    }
  | undefined;

/** The named worlds. Methods throw or reject with a ControlError. */
export interface WorldManager {
  create(request: Body<'createWorld'>): Promise<Answer<'createWorld'>>;
  list(): Answer<'listWorlds'>;
  /** A page of all worlds, including those that only the store has. */
  listAll(page: Query<'listWorlds'>): Promise<Answer<'listWorlds'>>;
  end(name: string): Promise<void>;
}

export interface ControlPlace {
  addresses(): Addresses;
  /** Undefined if only the embedding program can stop the mock. */
  stop: (() => void) | undefined;
  /** Shared by all worlds. */
  streams: StreamBudget;
  /** Undefined in a named world. */
  manager: WorldManager | undefined;
}

export interface ControlledMock extends Mock, ControlPlace {
  tenants: readonly TenantAccess[];
  variationIds: readonly string[];
  callService: CallService;
  /** Session tokens for `callService`, by username. */
  sessionTokens: Map<string, string>;
  isEnding: boolean;
  /** Serializes the calls that advance the clock or replace the world. */
  inOrder: InTurn;
}

/** The two omitted calls take over the connection. */
export type CallId = Exclude<keyof operations, 'sendMessage' | 'stream'>;

type ContentOf<Holder> = Holder extends { content: infer Types } ? Types[keyof Types] : never;

/** Callers in this process may also give these ids as numbers. */
type Loose<Query> = {
  [Name in keyof Query]: Name extends 'tenant' | 'subscription_id' ? Query[Name] | number : Query[Name];
};

export type Path<Id extends CallId> = NonNullable<operations[Id]['parameters']['path']>;
export type Query<Id extends CallId> = Loose<NonNullable<operations[Id]['parameters']['query']>>;
export type Body<Id extends CallId> = ContentOf<NonNullable<operations[Id]['requestBody']>>;

export type Answer<Id extends CallId> = ContentOf<operations[Id]['responses'][200]>;

export interface AnyInput {
  path: object;
  query: object;
  body: unknown;
}

export type Call<Id extends CallId, Given = Answer<Id>> = (
  mock: ControlledMock,
  input: { path: Path<Id>; query: Query<Id>; body: Body<Id> },
) => Given;

export type WaitingCall<Id extends CallId> = Call<Id, Promise<Answer<Id>>>;
