import type { Channel, EventName } from '../../openapi/generated/types.ts';
import type { OperationId } from '../../openapi/operations.ts';
import type { Handler } from '../service.ts';
import type { Page } from './pages.ts';

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

/** The input of an accepted call of each operation. Identifiers are text in a path or query, and may be numbers in a body. */
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
  listContents: OfSite & Page;
  getContent: OfContent;
  listSubmissions: OfSite & Page;
  listComments: OfSite & Page;
  getPublish: OfSite & { version: string | number };
  submitForm: OfSite & { form?: string; fields?: Record<string, unknown> };
  createComment: OfSite & { author: string; text: string };
}

/** A handler for every operation of the description: a missing one does not compile. */
export type Handlers = { [Id in OperationId]: Handler<Inputs[Id]> };
