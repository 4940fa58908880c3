// The control method of each HTTP call, by the operationId in the description.
import type { OperationId } from '../../openapi/operations.ts';
import type { InboxRequest } from './control-views.ts';
import type { Control } from './create-control.ts';
import type { Input } from './read-input.ts';

type Handler = (control: Control, input: Input) => Answered | Promise<Answered>;

/** An object is sent as JSON. */
type Answered = object | string;

export const handlers = {
  getHealth: (control) => control.health(),
  getLive: (control) => control.live(),
  getReady: (control) => control.ready(),
  getMetrics: (control) => control.metrics(),
  getOverview: (control) => control.overview(),
  listTenants: (control) => control.tenants(),
  getSite: (control, { path }) => control.site(Number(path.siteId)),
  getWorld: (control) => control.world(),
  putWorld: withBody('restore'),
  stop: (control) => control.stop(),
  resetWorld: (control, { query: { tenant, sessions } }) =>
    control.reset(tenant, { keepsSessions: sessions === 'keep' }),
  getClock: (control) => control.clock(),
  moveClock: withBody('moveClock'),
  causeEvent: withBody('causeEvent'),
  listDeliveries: withQuery('deliveries'),
  listSites: withQuery('sites'),
  listContents: ofSite('contents'),
  listSubmissions: ofSite('submissions'),
  listComments: ofSite('comments'),
  listPublications: ofSite('publications'),
  listSubscriptions: ofSite('subscriptions'),
  getDelivery: (control, { path }) => control.delivery(Number(path.id)),
  redeliver: (control, { path }) => control.redeliver(Number(path.id)),
  giveUp: (control, { path }) => control.giveUp(Number(path.id)),
  drain: (control) => control.drain(),
  listRequests: withQuery('requests'),
  getRequest: (control, { path }) => control.request(Number(path.id)),
  callOperation: withBody('call'),
  clearRequests: (control) => control.clearRequests(),
  listOverrides: (control) => control.overrides(),
  addOverride: withBody('override'),
  clearOverrides: (control, { query }) => control.clearOverrides(query.operation as OperationId | undefined),
  getFaults: (control) => control.faults(),
  setFaults: withBody('setFaults'),
  expireTokens: withBody('expireTokens'),
  listLimits: (control, { query }) => control.limits(query.tenant),
  clearLimits: (control, { query }) => control.clearLimits(query.tenant),
  listInboxes: (control) => control.inboxes(),
  configureInbox: (control, { path, body }) =>
    control.inbox(String(path.name)).configure(body as InboxRequest),
  clearInbox: (control, { path }) => control.inbox(String(path.name)).clear(),
  listWorlds: (control, { query }) => control.allWorlds(query),
  createWorld: withBody('createWorld'),
  endWorld: (control, { path }) => control.endWorld(String(path.name)),
  listMessages: (control, { path, query }) => control.inbox(String(path.name)).messages(query),
} satisfies Record<string, Handler>;

export function handlerOf(callId: string): Handler {
  if (isHandled(callId)) return handlers[callId];
  throw new Error(`the call ${callId} is described, but has no handler`);
}

function isHandled(callId: string): callId is keyof typeof handlers {
  return Object.hasOwn(handlers, callId);
}

type BodyMethod =
  | 'createWorld'
  | 'restore'
  | 'moveClock'
  | 'causeEvent'
  | 'override'
  | 'setFaults'
  | 'expireTokens'
  | 'call';

/** The control validates the body itself. */
function withBody(method: BodyMethod): Handler {
  return (control, { body }) => control[method](body as never);
}

/** The query was validated when it was read. */
function withQuery(method: 'deliveries' | 'requests' | 'sites'): Handler {
  return (control, { query }) => control[method](query);
}

type SiteMethod = 'contents' | 'submissions' | 'comments' | 'publications' | 'subscriptions';

function ofSite(method: SiteMethod): Handler {
  return (control, { path, query }) => control[method](Number(path.siteId), query);
}
