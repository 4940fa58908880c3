import type { Channel, EventName } from '../../openapi/generated/types.ts';
import type { Operation, OperationId } from '../../openapi/operations.ts';
import type { Caller } from '../authenticate.ts';
import type { Service } from '../service.ts';

/** An accepted call, in the names of the description, whatever the deployment calls them. */
export interface Call<Input> extends Service {
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

interface OfSite {
  siteID: string | number;
}

/** What an accepted call of each operation holds. */
export interface Inputs {
  login: { username: string; password: string };
  refresh: object;
  createSubscription: OfSite & { url: string; events: EventName[]; channel: Channel; secret?: string };
  testSubscription: OfSite & { id: string | number; event?: EventName };
  listSubscriptions: OfSite;
  /** A deployment may address a subscription without its site. */
  deleteSubscription: Partial<OfSite> & { subscriptionID: string | number };
  createSite: { name: string };
  listSites: object;
  getSite: OfSite;
  deleteSite: OfSite;
}

/** The operations of section 4 of the interface document. */
export type DocumentedOperationId = Extract<
  OperationId,
  'login' | 'refresh' | 'createSubscription' | 'testSubscription'
>;

/** A handler for every documented operation and for those of the others that are served. */
export type Handlers = { [Id in DocumentedOperationId]: Handler<Inputs[Id]> } & {
  [Id in Exclude<OperationId & keyof Inputs, DocumentedOperationId>]?: Handler<Inputs[Id]>;
};
