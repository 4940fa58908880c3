import type { Operation } from '../../openapi/operations.ts';
import { createTurns, type InTurn } from '../clock/turns.ts';
import type { Service, Values } from '../service.ts';
import type { TenantAccess } from '../world/create-world.ts';
import type { World } from '../world/world.ts';
import { callNameOf, controlContract } from './control-contract.ts';
import { ControlError } from './control-error.ts';
import type { CreatedWorldView, PageRequest, WorldRequest, WorldsView } from './control-views.ts';
import { explain } from './explain-input.ts';
import type { StreamBudget } from './stream-budget.ts';

/** Where the mock is reached. */
interface Addresses {
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
  create(request: WorldRequest): Promise<CreatedWorldView>;
  /** Those in memory. */
  list(): WorldsView;
  /** A page of all, also of those that a store keeps. */
  listAll(page: PageRequest): Promise<WorldsView>;
  end(name: string): Promise<void>;
}

/** What belongs to the place of a mock rather than to its service. */
export interface ControlPlace {
  addresses(): Addresses;
  /** Ends the mock; undefined where that is up to the program around it. */
  stop: (() => void) | undefined;
  /** Of all worlds together. */
  streams: StreamBudget;
  /** Undefined in a world that is one of them. */
  worlds: WorldKeeper | undefined;
}

/** What the control calls know of the service besides itself. */
export interface ControlSurroundings extends ControlPlace {
  /** The credentials of the seed. */
  tenants(): readonly TenantAccess[];
  /** The ids of the variations that are on. */
  variations: readonly string[];
  /** Calls an operation of the service, as a client does. */
  callService: CallService;
}

/** What the control calls share. */
export interface ControlContext extends ControlSurroundings {
  /** Without its world, which only `read` and `change` reach. */
  service: Omit<Service, 'world'>;
  /** Throws a ControlError if the body of a call does not fit the description. */
  check(callId: string, body: unknown): void;
  /** Does synchronous work that changes nothing. */
  read<Result>(work: (world: World) => Result): Result;
  /** Does synchronous work that changes the world. */
  change<Result>(work: (world: World) => Result): Result;
  /** The same within a method that has waited for something. */
  changeLater<Result>(work: (world: World) => Result): Result | Promise<Result>;
  /** Changes the world as a whole, in turn, when nothing is under way: no push of the old world is logged in the new one. */
  changeWhenIdle(work: (world: World) => void): Promise<void>;
  /** Does one after the other what moves the clock or changes the world as a whole. */
  inTurn: InTurn;
}

export function createControlContext(service: Service, place: ControlSurroundings): ControlContext {
  const inTurn = createTurns();

  const changeLater: ControlContext['changeLater'] = (work) => service.change(() => work(service.world));

  return {
    ...place,
    service,
    read: (work) => work(service.world),
    change(work) {
      // Kept soon, also where nobody waits for that. The store says in the log if it can't be.
      service.store?.kept().catch(() => {});
      return work(service.world);
    },
    changeLater,
    inTurn,
    changeWhenIdle: (work) =>
      inTurn(async () => {
        service.dispatcher.abortWaiting();
        await service.scheduler.settle();
        await changeLater(work);
        service.scheduler.wake();
        service.events.emit('replaced');
        service.events.emit('clock');
      }),
    check(callId, body) {
      const contract = controlContract();
      const call = contract.calls.find(({ id }) => id === callId);
      if (!call?.body) throw new Error(`the call ${callId} takes no body`);
      const reason = explain(contract.findErrors, call.body.schema, body);
      if (reason !== undefined) throw new ControlError(400, `${callNameOf(call)}: ${reason}`);
    },
  };
}
