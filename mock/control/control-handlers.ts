// The control method of each HTTP call, by the operationId in the description.
import type { OperationId } from '../../openapi/operations.ts';
import type { Snapshot } from '../world/snapshot.ts';
import type {
  ClockMove,
  DeliveryFilter,
  EventRequest,
  ExpireRequest,
  FaultChoice,
  InboxRequest,
  OverrideView,
  RequestFilter,
} from './control-views.ts';
import type { Control } from './create-control.ts';
import type { Input } from './read-input.ts';

type Answer = object | Promise<object>;
type Handler = (control: Control, input: Input) => Answer;

export const handlers = {
  getHealth: (control) => control.health(),
  getWorld: (control) => control.world(),
  putWorld: withBody((control, snapshot: Snapshot) => control.restore(snapshot)),
  resetWorld: (control, { query }) => control.reset(query.tenant),
  getClock: (control) => control.clock(),
  moveClock: withBody((control, move: ClockMove) => control.moveClock(move)),
  causeEvent: withBody((control, event: EventRequest) => control.causeEvent(event)),
  listDeliveries: withQuery((control, filter: DeliveryFilter) => control.deliveries(filter)),
  getDelivery: (control, { path }) => control.delivery(Number(path.id)),
  redeliver: (control, { path }) => control.redeliver(Number(path.id)),
  drain: (control) => control.drain(),
  listRequests: withQuery((control, filter: RequestFilter) => control.requests(filter)),
  clearRequests: (control) => control.clearRequests(),
  listOverrides: (control) => control.overrides(),
  addOverride: withBody((control, wanted: OverrideView) => control.override(wanted)),
  clearOverrides: withQuery((control, { operation }: { operation?: OperationId }) =>
    control.clearOverrides(operation),
  ),
  getFaults: (control) => control.faults(),
  setFaults: withBody((control, choice: FaultChoice) => control.setFaults(choice)),
  expireTokens: withBody((control, which: ExpireRequest) => control.expireTokens(which)),
  listLimits: (control, { query }) => control.limits(query.tenant),
  clearLimits: (control, { query }) => control.clearLimits(query.tenant),
  configureInbox: (control, { path, body }) =>
    control.inbox(String(path.name)).configure(body as InboxRequest),
  clearInbox: (control, { path }) => control.inbox(String(path.name)).clear(),
  listMessages: (control, { path }) => control.inbox(String(path.name)).messages(),
} satisfies Record<string, Handler>;

export function handlerOf(callId: string): Handler {
  if (isHandled(callId)) return handlers[callId];
  throw new Error(`the call ${callId} is described, but has no handler`);
}

function isHandled(callId: string): callId is keyof typeof handlers {
  return Object.hasOwn(handlers, callId);
}

/** The control validates the body itself. */
function withBody<Body>(call: (control: Control, body: Body) => Answer): Handler {
  return (control, { body }) => call(control, body as Body);
}

/** The query was validated when it was read. */
function withQuery<Query>(call: (control: Control, query: Query) => Answer): Handler {
  return (control, { query }) => call(control, query as Query);
}
