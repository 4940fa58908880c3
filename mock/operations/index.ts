import type { OperationId } from '../../openapi/operations.ts';
import type { AnyHandler, Handlers } from './call.ts';
import { login, refresh } from './sessions.ts';
import { createSite, deleteSite, getSite, listSites } from './sites.ts';
import {
  createSubscription,
  deleteSubscription,
  listSubscriptions,
  testSubscription,
} from './subscriptions.ts';

const handlers: Handlers = {
  login,
  refresh,
  createSubscription,
  testSubscription,
  listSubscriptions,
  deleteSubscription,
  createSite,
  listSites,
  getSite,
  deleteSite,
};

/** What answers an operation, if anything does. */
export function handlerOf(id: OperationId): AnyHandler | undefined {
  // The pipeline gives it only what fits the operation's schema.
  return Reflect.get(handlers, id) as AnyHandler | undefined;
}
