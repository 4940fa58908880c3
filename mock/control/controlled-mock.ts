// What the control API knows of a mock besides its service.
import type { Operation } from '../../openapi/operations.ts';
import type { InTurn } from '../clock/work.ts';
import type { Mock, Values } from '../service.ts';
import type { TenantAccess } from '../world/create-world.ts';
import type { Answer, Body } from './calls/call.ts';
import { ControlError } from './control-error.ts';
import type { PageRequest } from './page-of.ts';
import type { StreamBudget } from './stream-budget.ts';

/** Where a mock is reached. */
export interface Addresses {
  baseUrl: string;
  controlUrl: string;
}

/** An operation of the service, or undefined where the deployment does not offer it. */
export type CallService = (operation: string) => ServiceOperation | undefined;

export interface ServiceOperation {
  auth: Operation['auth'];
  /** Gives the answer, and the values that it holds by name. */
  call(values: Values, token: string | undefined): Promise<ServiceAnswer>;
}

interface ServiceAnswer {
  status: number;
  body: string;
  values: Values;
}

/** The worlds by name, as the calls use them. Throws a ControlError for what can't be done. */
export interface WorldKeeper {
  create(request: Body<'createWorld'>): Promise<Answer<'createWorld'>>;
  /** Those in memory. */
  list(): Answer<'listWorlds'>;
  /** A page of all, also of those that a store has. */
  listAll(page: PageRequest): Promise<Answer<'listWorlds'>>;
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

export function keeperOf({ keeper }: ControlledMock): WorldKeeper {
  if (keeper) return keeper;
  throw new ControlError(
    409,
    'this is the control API of one world; call /_mock/worlds at the root of the mock, without /w/NAME and X-Sitepub-World',
  );
}
