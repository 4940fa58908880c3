import type { OperationId } from '../../openapi/operations.ts';
import type { AnyHandler } from '../service.ts';
import { askAi, createContent, deleteContent, publishContent, updateContent } from './contents.ts';
import type { Handlers } from './inputs.ts';
import { createKey, deleteKey, listKeys } from './keys.ts';
import { failPublish, publishSite } from './publishing.ts';
import { login, refresh } from './sessions.ts';
import {
  createComment,
  getContent,
  getPublish,
  listComments,
  listContents,
  listSubmissions,
  submitForm,
} from './site-records.ts';
import { createSite, deleteSite, getSite, importSite, listSites } from './sites.ts';
import {
  createSubscription,
  deleteSubscription,
  listDeliveries,
  listSubscriptions,
  testSubscription,
} from './subscriptions.ts';

const handlers: Handlers = {
  login,
  refresh,
  createSite,
  importSite,
  listSites,
  getSite,
  deleteSite,
  publishSite,
  failPublish,
  createContent,
  publishContent,
  updateContent,
  deleteContent,
  listContents,
  getContent,
  listSubmissions,
  listComments,
  getPublish,
  submitForm,
  createComment,
  askAi,
  createKey,
  listKeys,
  deleteKey,
  createSubscription,
  testSubscription,
  listSubscriptions,
  deleteSubscription,
  listDeliveries,
};

export function handlerOf(id: OperationId): AnyHandler {
  // The pipeline passes only input that fits the operation's schema.
  return handlers[id] as AnyHandler;
}
