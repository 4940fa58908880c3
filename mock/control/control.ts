import { controlMethods } from '../../openapi/generated/control-methods.ts';
import type { operations } from '../../openapi/generated/control-types.ts';
import { type Answered, type AnyCall, calls, turnOfCall } from './calls/index.ts';
import { controlCall, inputOf } from './control-contract.ts';
import { checkInboxName, managerOf } from './control-error.ts';
import type { Answer, Body, CallId, ControlledMock, Path, Query } from './controlled-mock.ts';
import { addressOfInbox } from './show.ts';
import { type Note, watch } from './stream/watch.ts';

/** The arguments of a method: its path parameter, then its body or its query. */
type Given<Id extends CallId> = [
  ...([Path<Id>] extends [never] ? [] : [of: Path<Id>[keyof Path<Id>]]),
  ...(operations[Id] extends { requestBody: object }
    ? [body: Body<Id>]
    : [Body<Id>] extends [never]
      ? [Query<Id>] extends [never]
        ? []
        : [query?: Query<Id>]
      : [body?: Body<Id>]),
];

type Methods = {
  [Name in keyof typeof controlMethods]: (
    ...given: Given<(typeof controlMethods)[Name]>
  ) => Answered<(typeof controlMethods)[Name]>;
};

/** `mock.control`: each method makes the HTTP call of its name and returns the same answer, or throws a ControlError. */
export interface Control extends Methods {
  /** Moves the clock by an ISO 8601 duration, such as PT36M. */
  advance(duration: string): Answered<'moveClock'>;
  /** Resets the world to its seed, or only one tenant, given by id or name. */
  reset(tenant?: string | number, options?: { keepsSessions?: boolean }): Answered<'resetWorld'>;
  limits(tenant?: string | number): Answered<'listLimits'>;
  clearLimits(tenant?: string | number): Answered<'clearLimits'>;
  clearOverrides(operation?: string): Answered<'clearOverrides'>;
  /** Turns the faults with these ids on and all others off. */
  setFaults(choice: readonly string[] | { on: readonly string[] }): Answered<'setFaults'>;
  /** The worlds that this process has in memory. */
  worlds(): Answer<'listWorlds'>;
  /** Throws a ControlError for a name that no inbox can have. */
  inbox(name: string): InboxControl;
  /** Calls the listener with what happens in this process, without secrets, oldest first, once per turn of the event loop. Returns a function that delivers the rest and stops. */
  watch(listener: (notes: readonly Note[]) => void): () => void;
}

/** A built-in webhook receiver. */
interface InboxControl {
  /** The URL that subscriptions push to. */
  url: string;
  /** Members that are left out stay as they are. */
  configure(settings: Body<'configureInbox'>): Answered<'configureInbox'>;
  messages(page?: Query<'listMessages'>): Answered<'listMessages'>;
  /** Deletes the messages and the prepared answers, but not the other settings. */
  clear(): Answered<'clearInbox'>;
}

type Asked<Members> = {
  [Name in keyof Members]: Members[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : Members[Name];
};

/** `Control` with promises, fulfilled once the result is persisted. They reject with a ControlError, of status 503 if the store fails. */
export type AsyncControl = Asked<Omit<Control, 'watch' | 'inbox'>> &
  Pick<Control, 'watch'> & { inbox(name: string): Asked<InboxControl> };

export function createControl(mock: ControlledMock): Control {
  // Each client of the stream and each clock move adds a listener; Node warns above ten.
  mock.events.setMaxListeners(0);
  mock.events.once('closing', () => {
    mock.isEnding = true;
  });
  return methodsOf(mock, (_id, work) => work()) as Control;
}

export function createAsyncControl(mock: ControlledMock): AsyncControl {
  return methodsOf(mock, (id, work) => turnOfCall(mock, controlCall(id), work)) as AsyncControl;
}

function methodsOf(mock: ControlledMock, ask: (id: CallId, work: () => unknown) => unknown): object {
  const make = (id: CallId, ...given: unknown[]) =>
    ask(id, () => (calls[id] as AnyCall)(mock, inputOf(controlCall(id), given)));
  const methods = Object.entries(controlMethods).map(([name, id]) => [
    name,
    (...given: unknown[]) => make(id, ...given),
  ]);
  return {
    ...Object.fromEntries(methods),
    advance: (duration: string) => make('moveClock', { advance: duration }),
    reset: (tenant?: string | number, { keepsSessions = false } = {}) =>
      make('resetWorld', { tenant, sessions: keepsSessions ? 'keep' : 'end' }),
    limits: (tenant?: string | number) => make('listLimits', { tenant }),
    clearLimits: (tenant?: string | number) => make('clearLimits', { tenant }),
    clearOverrides: (operation?: string) => make('clearOverrides', { operation }),
    setFaults: (choice: readonly string[] | { on: readonly string[] }) =>
      make('setFaults', Array.isArray(choice) ? { on: choice } : choice),
    worlds: () => ask('listWorlds', () => managerOf(mock).list()),
    inbox(name: string) {
      checkInboxName(name);
      return {
        url: addressOfInbox(mock, name),
        configure: (settings: unknown) => make('configureInbox', name, settings),
        messages: (page: unknown) => make('listMessages', name, page),
        clear: () => make('clearInbox', name),
      };
    },
    watch: (listener: (notes: readonly Note[]) => void) => watch(mock, listener),
  };
}
