import type { OperationId } from '../../openapi/operations.ts';
import type { AnyHandler, Handler } from '../service.ts';
import * as keys from './keys.ts';
import * as sessions from './sessions.ts';
import * as siteRecords from './site-records.ts';
import * as sites from './sites.ts';
import * as subscriptions from './subscriptions.ts';

/** Each handler has the name of its operation, so that a missing one does not compile. */
const handlers: Readonly<Record<OperationId, Handler<never>>> = {
  ...keys,
  ...sessions,
  ...siteRecords,
  ...sites,
  ...subscriptions,
};

export function handlerOf(id: OperationId): AnyHandler {
  // The pipeline passes only input that fits the operation's schema.
  return handlers[id] as AnyHandler;
}
