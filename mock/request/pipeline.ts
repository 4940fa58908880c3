// A request to an operation, from its arrival to its answer. What it does to the world is synchronous, but for handlers that wait for something.
import type { IncomingMessage } from 'node:http';
import { readRequest } from '../../openapi/operations.ts';
import type { JournalExchange } from '../http/journal.ts';
import { notKept } from '../http/not-kept.ts';
import { type Body, type Read, receiveBody, receiveSharedBody } from '../http/read-body.ts';
import { type Answer, jsonHeaders } from '../http/render-envelope.ts';
import type { AnyCall, Caller, Mock, Values } from '../service.ts';
import { drawBetween } from '../world/random.ts';
import { nameOfCaller, tenantOfCall, userOfCall } from './authenticate.ts';
import {
  answerInTurn,
  closeExchange,
  openExchange,
  refuse,
  refuseInTurn,
  refuseOutside,
  unpersisted,
} from './exchange.ts';
import { type ForcedAnswer, forcedAnswer, forcedAnswerFor, reasonForDelay } from './forced-answers.ts';
import { joinWork, startWork } from './idempotency.ts';
import { meantBy, type Plan, type Route, type SharedRoutes } from './route.ts';

/** A request to an operation, whichever way it came. */
export interface Incoming {
  /** Several where operations share a method and path. */
  routes: SharedRoutes;
  message: IncomingMessage;
  /** The values in the path. */
  params: Readonly<Record<string, string>>;
  respond(answer: Answer): void;
}

/** A request in progress. */
interface ActiveRequest extends Omit<Incoming, 'routes'> {
  route: Route;
  plan: Plan;
  exchange: JournalExchange;
  forced: ForcedAnswer | undefined;
  caller: Caller | undefined;
  /** For a call that fails: makes it not count against its limit, if failures do not. */
  uncount: (() => void) | undefined;
  /** For how long the answer is held back, since the call is worked on. */
  heldMs: number;
  /** Under what it is in progress. */
  workKey: string | undefined;
  /** What a handler that waits for something will answer. Never rejected. */
  waiting: Promise<() => Answer> | undefined;
  answer: Answer | undefined;
  /** For how long the answer is held back in all. */
  delayMs: number;
  /** The answer, where the journal has it already. */
  sent: Answer | undefined;
}

export function serveRequest(mock: Mock, incoming: Incoming): void {
  if (incoming.routes.length > 1) serveShared(mock, incoming);
  else serveRoute(mock, incoming.routes[0], incoming);
}

/** Of several operations, only the body, or the query, says which one is meant. */
function serveShared(mock: Mock, incoming: Incoming): void {
  const { routes, message, respond } = incoming;
  receiveSharedBody(routes, message, ({ failure, ...body }) => {
    if (failure) {
      void Promise.resolve(refuseInTurn(mock, failure, message)).then(respond);
      return;
    }
    const route = meantBy(routes, message.url ?? '', body);
    serveRoute(mock, route, incoming, route.operation.request ? body : {});
  });
}

/** In memory, the body is received after authentication, so that a rejected caller need not send it. A turn of a store waits for nothing: there the body comes first. */
function serveRoute(mock: Mock, route: Route, incoming: Incoming, received?: Body): void {
  const { message, respond } = incoming;
  const arrived = mock.store ? undefined : arrive(mock, route, incoming);
  if (arrived?.answer) {
    end(mock, arrived);
    return;
  }
  const goOn = (read: Read) => {
    const begun = mock.turn(() => proceed(mock, arrived ?? arrive(mock, route, incoming), read));
    if (!(begun instanceof Promise)) {
      end(mock, begun);
      return;
    }
    begun.then(
      (active) => end(mock, active),
      (error) => respond(refuseOutside(mock, unpersisted(error, message), message, route.operation.id)),
    );
  };
  if (received) goOn(received);
  else receiveBody(route.operation, message, goOn);
}

/** Answers when the handler has ended and the answer is held back no longer. */
function end(mock: Mock, active: ActiveRequest): void {
  const { waiting, sent, delayMs, respond } = active;
  if (waiting !== undefined) void conclude(mock, active, waiting).then(() => end(mock, active));
  else if (sent) respond(sent);
  else if (delayMs > 0) setTimeout(() => close(mock, active), delayMs).unref();
  else close(mock, active);
}

function close(mock: Mock, active: ActiveRequest): void {
  if (mock.store?.shared) void answerInTurn(mock, () => finish(mock, active)).then(active.respond);
  else active.respond(finish(mock, active));
}

/** What can be said without the body: has an answer if that is all. */
function arrive(mock: Mock, route: Route, { message, params, respond }: Incoming): ActiveRequest {
  const { id } = route.operation;
  const exchange = openExchange(mock, message, id);
  const forced = forcedAnswerFor(mock, id, message.headers.prefer);
  exchange.forcedBy = forced?.by;
  const active: ActiveRequest = {
    route,
    plan: route.plan(),
    message,
    params,
    respond,
    exchange,
    forced,
    caller: undefined,
    uncount: undefined,
    heldMs: 0,
    workKey: undefined,
    waiting: undefined,
    answer: undefined,
    delayMs: 0,
    sent: undefined,
  };
  try {
    if (forced) active.answer = forcedAnswer(forced, route.operation, mock.profile);
    if (!active.answer) identify(mock, active);
  } catch (error) {
    refuseActive(mock, active, error);
  }
  if (active.answer) active.delayMs = delayOf(mock, active);
  return active;
}

function identify(mock: Mock, active: ActiveRequest): void {
  const { route, plan, message, exchange } = active;
  if (!plan.authenticate) return;
  const { authorization: header } = message.headers;
  const { socket: connection } = message;
  active.caller = plan.authenticate(mock, route.operation, { header, now: exchange.at, connection });
  exchange.tenantId = active.caller?.tenantId;
  exchange.who = nameOfCaller(active.caller);
}

/** Goes on with the body, until there is an answer or a handler waits for something. */
function proceed(mock: Mock, active: ActiveRequest, read: Read): ActiveRequest {
  if (!active.answer) handleOrRefuse(mock, active, read);
  // An entry of a shared journal is persisted with what the call did.
  if (mock.store?.shared && active.answer && active.delayMs <= 0) active.sent = finish(mock, active);
  return active;
}

function handleOrRefuse(mock: Mock, active: ActiveRequest, read: Read): void {
  try {
    const handled = handle(mock, active, read);
    if (handled instanceof Promise) active.waiting = handled;
    else active.answer = handled;
  } catch (error) {
    refuseActive(mock, active, error);
  }
  if (active.answer) active.delayMs = delayOf(mock, active);
}

/** The rest of a call whose handler waited runs in a second turn. */
async function conclude(mock: Mock, active: ActiveRequest, waiting: Promise<() => Answer>): Promise<void> {
  const answer = await waiting;
  active.waiting = undefined;
  try {
    await mock.turn(() => {
      try {
        active.answer = answer();
      } catch (error) {
        refuseActive(mock, active, error);
      }
      active.delayMs = delayOf(mock, active);
    });
  } catch {
    refuseActive(mock, active, notKept());
  }
}

/** Tenant, repetition, limit, validation, handler. What a handler waits for returns what makes the answer. */
function handle(mock: Mock, active: ActiveRequest, read: Read): Answer | Promise<() => Answer> {
  if (read.failure) throw read.failure;
  const { route, plan, message, exchange } = active;
  const { steps } = plan;
  const body = plan.tidy && read.value !== undefined ? { ...read, value: plan.tidy(read.value) } : read;
  exchange.requestBody = body.text;
  const call = createCall(mock, active, body);
  exchange.tenantId = tenantOfCall(call);
  exchange.who ??= userOfCall(call);
  const { url } = exchange;
  const key = plan.repetitionKeyOf?.(call, { url, headers: message.headers, body: body.text });
  if (key !== undefined) active.heldMs = joinWork(mock, key);
  const first = key === undefined ? undefined : steps.findFirstAnswer(call, key);
  if (!first || !areRepetitionsFree(mock)) active.uncount = plan.countAgainstLimit?.(call);
  steps.validate(call, body);
  if (first) {
    if (mock.profile.values['idempotency.trace'] === 'same') exchange.traceId = first.traceId;
    return succeedWith(active, first.values);
  }
  if (plan.takesTime) active.heldMs = startWork(mock, call, key);
  active.workKey = key;
  // Nothing is awaited between looking for a first answer and keeping this one, so only one of many concurrent calls is the first.
  const answerWith = (values: Values): Answer => {
    if (key !== undefined)
      steps.keepFirstAnswer(endOf(call, active), key, { values, traceId: exchange.traceId });
    return succeedWith(active, values);
  };
  const values = steps.handle(route.handler, call);
  if (!(values instanceof Promise)) return answerWith(values);
  return values.then(
    (known) => () => answerWith(known),
    (error: unknown) => () => {
      throw error;
    },
  );
}

function createCall(
  mock: Mock,
  { route: { operation }, plan, params, exchange, caller }: ActiveRequest,
  body: Body,
): AnyCall {
  const input = readRequest(operation, body.value);
  for (const name in params) input[name] = params[name];
  if (plan.readQuery) Object.assign(input, plan.readQuery(exchange.url));
  return {
    operation,
    caller,
    input,
    now: exchange.at,
    profile: mock.profile,
    world: mock.world,
    clock: mock.clock,
    validate: mock.validate,
    scheduler: mock.scheduler,
    dispatcher: mock.dispatcher,
    settings: mock.settings,
  };
}

/** The window of a repetition begins when the call ends. */
function endOf(call: AnyCall, { heldMs }: ActiveRequest): AnyCall {
  return heldMs > 0 ? { ...call, now: call.now + heldMs } : call;
}

function succeedWith({ route, plan, exchange, forced }: ActiveRequest, values: Values): Answer {
  const { status } = route.operation.success;
  return {
    status: forced?.status ?? status,
    headers: jsonHeaders,
    body: plan.write(values, exchange.traceId),
  };
}

/** Whether repetitions do not count against limits. */
function areRepetitionsFree({ profile }: Mock): boolean {
  return profile.values['limits.repeats'] === 'not-counted';
}

function refuseActive(mock: Mock, active: ActiveRequest, error: unknown): void {
  active.uncount?.();
  active.heldMs = 0;
  active.answer = refuse(mock, active.exchange, error);
}

/** For how long the answer is held back, in milliseconds. */
function delayOf({ settings, world, variations }: Mock, { exchange, forced, heldMs }: ActiveRequest): number {
  const { latency } = settings;
  let delay = (forced?.delayMs ?? 0) + heldMs;
  if (latency) delay += drawBetween(world, latency.least, latency.most);
  if (variations) delay += variations.answerDelay(exchange.traceId);
  if (delay > 0) exchange.delayReason = reasonForDelay(forced, heldMs);
  return delay;
}

/** Records the request, and returns what is sent. */
function finish(mock: Mock, { workKey, exchange, answer }: ActiveRequest): Answer {
  if (!answer) throw new Error(`the request ${exchange.traceId} has no answer yet`);
  if (workKey !== undefined) mock.callsInProgress.delete(workKey);
  return closeExchange(mock, exchange, answer);
}
