import type { Channel, EventName } from '../../openapi/generated/types.ts';
import type { Operation, OperationId } from '../../openapi/operations.ts';
import type { Caller } from '../authenticate.ts';
import type { Service } from '../service.ts';
import type { Page } from './pages.ts';

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

/** A call of an operation that is known only at run time. */
export type AnyCall = Call<Values>;

interface OfSite {
  siteID: string | number;
}

interface OfContent extends OfSite {
  contentID: string | number;
}

interface OfSubscription {
  /** A deployment may address a subscription without its site. */
  siteID?: string | number;
  subscriptionID: string | number;
}

interface ContentText {
  title: string;
  text: string;
}

/** What an accepted call of each operation holds. Path and query parameters come as text or, from a body, as what they are. */
export interface Inputs {
  login: { username: string; password: string };
  refresh: object;
  createSubscription: OfSite & { url: string; events: EventName[]; channel: Channel; secret?: string };
  testSubscription: OfSite & { id: string | number; event?: EventName };
  listSubscriptions: OfSite & Page;
  deleteSubscription: OfSubscription;
  listDeliveries: OfSubscription & Page;
  createSite: { name: string };
  importSite: { name: string; source: string };
  listSites: Page;
  getSite: OfSite;
  deleteSite: OfSite;
  publishSite: OfSite & { note?: string };
  failPublish: OfSite & { note?: string };
  askAi: Partial<OfSite> & { prompt: string };
  createKey: { name?: string };
  listKeys: Page;
  deleteKey: { keyID: string | number };
  createContent: OfSite & ContentText;
  publishContent: OfContent;
  updateContent: OfContent & ContentText;
  deleteContent: OfContent;
  submitForm: OfSite & { form?: string; fields?: Record<string, unknown> };
  createComment: OfSite & { author: string; text: string };
}

/** A handler for every operation of the description: one that lacks its own does not compile. */
export type Handlers = { [Id in OperationId]: Handler<Inputs[Id]> };
