// A request to an operation, from its arrival to its answer. What it does to the world is synchronous, but for handlers that wait for something.
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRequest } from '../../openapi/operations.ts';
import type { JournalExchange } from '../http/journal.ts';
import { notKept } from '../http/not-kept.ts';
import { type Body, type Read, receiveBody, receiveSharedBody } from '../http/read-body.ts';
import { type Answer, jsonHeaders, renderJson } from '../http/render-envelope.ts';
import type { AnyCall, Caller, Mock, Values } from '../service.ts';
import { drawBetween } from '../world/random.ts';
import { nameOfCaller, tenantOfCall, userOfCall } from './authenticate.ts';
import { arrivalOf, closeExchange, openExchange, refuse, refuseInTurn, refuseUnkept } from './exchange.ts';
import { type ForcedAnswer, forcedAnswerFor, forcedRefusal, reasonForDelay } from './forced-answers.ts';
import { joinWork, startWork } from './idempotency.ts';
import { meantBy, type Plan, type Route, type SharedRoutes } from './route.ts';

/** A request to an operation, whichever way it came. */
export interface Incoming {
  route: Route;
  message: IncomingMessage;
  /** The values in the path. */
  params: Readonly<Record<string, string>>;
}

/** A request in progress. */
interface ActiveRequest extends Incoming {
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
  answer: Answer | undefined;
  /** For how long the answer is held back in all. */
  delayMs: number;
}

type Respond = (answer: Answer) => void;

/** The body is received after authentication, so that a rejected caller need not send it. With a store it comes first, since a turn waits for nothing. */
export function serveRequest(mock: Mock, incoming: Incoming, respond: Respond, received?: Body): void {
  const { route, message } = incoming;
  const receive = (done: (read: Read) => void) =>
    received ? done(received) : receiveBody(route.operation, message, done);
  if (mock.store) {
    receive((read) => void serveInTurn(mock, incoming, read).then(respond));
    return;
  }
  const active = arrive(mock, incoming);
  if (active.answer) end(mock, active, respond);
  else
    receive((read) => {
      const waiting = proceed(mock, active, read);
      if (waiting === undefined) end(mock, active, respond);
      else void waiting.then(() => end(mock, active, respond));
    });
}

function end(mock: Mock, active: ActiveRequest, respond: Respond): void {
  if (active.delayMs <= 0) respond(finish(mock, active));
  else setTimeout(() => respond(finish(mock, active)), active.delayMs).unref();
}

/** All that the request does is one turn, and it is answered when that is persisted. */
async function serveInTurn(mock: Mock, incoming: Incoming, read: Read): Promise<Answer> {
  const isShared = mock.store?.shared !== undefined;
  let begun: { active: ActiveRequest; waiting?: Promise<void> | undefined; sent?: Answer };
  try {
    begun = await mock.turn(() => {
      const active = arrive(mock, incoming);
      const waiting = active.answer ? undefined : proceed(mock, active, read);
      // An entry of a shared journal is persisted with what the call did.
      const isOver = isShared && active.answer && active.delayMs <= 0;
      return { active, waiting, ...(isOver && { sent: finish(mock, active) }) };
    });
  } catch (error) {
    return refuseUnkept(mock, error, arrivalOf(incoming.message, incoming.route.operation.id));
  }
  const { active, waiting, sent } = begun;
  if (sent) return sent;
  await waiting;
  if (active.delayMs > 0) await sleep(active.delayMs, undefined, { ref: false });
  const close = () => finish(mock, active);
  // What the call did is persisted, whatever becomes of its entry in the journal.
  return isShared ? Promise.resolve(mock.turn(close)).catch(close) : close();
}

interface SharedIncoming extends Omit<Incoming, 'route'> {
  routes: SharedRoutes;
}

/** A request by a method and path that several operations share: only its body, or its query, says which of them is meant. */
export function serveShared(mock: Mock, { routes, ...incoming }: SharedIncoming, respond: Respond): void {
  const { message } = incoming;
  receiveSharedBody(routes, message, (read) => {
    const { failure, ...body } = read;
    if (failure) {
      void Promise.resolve(refuseInTurn(mock, failure, arrivalOf(message))).then(respond);
      return;
    }
    const route = meantBy(routes, message.url ?? '', body);
    serveRequest(mock, { ...incoming, route }, respond, route.operation.request ? body : {});
  });
}

/** What can be said without the body: has an answer if that is all. */
function arrive(mock: Mock, { route, message, params }: Incoming): ActiveRequest {
  const { id } = route.operation;
  const exchange = openExchange(mock, arrivalOf(message, id));
  const forced = forcedAnswerFor(mock, id, message.headers.prefer);
  const active: ActiveRequest = {
    route,
    plan: route.plan(),
    message,
    params,
    exchange,
    forced,
    caller: undefined,
    uncount: undefined,
    heldMs: 0,
    workKey: undefined,
    answer: undefined,
    delayMs: 0,
  };
  try {
    if (forced) active.answer = forcedAnswer(mock, active, forced);
    if (!active.answer) identify(mock, active);
  } catch (error) {
    refuseActive(mock, active, error);
  }
  if (active.answer) active.delayMs = delayOf(mock, active);
  return active;
}

/** The answer that an override states as a whole, if one does. Throws the error that a forced answer consists of. */
function forcedAnswer(
  mock: Mock,
  { route, exchange }: ActiveRequest,
  forced: ForcedAnswer,
): Answer | undefined {
  exchange.forcedBy = forced.by;
  if (forced.body !== undefined)
    return renderJson(forced.status ?? route.operation.success.status, forced.body);
  const refusal = forcedRefusal(forced, mock.profile);
  if (refusal) throw refusal;
  return undefined;
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

/** Goes on with the body until there is an answer. Returns a promise only if the handler waits for something; it is never rejected. */
function proceed(mock: Mock, active: ActiveRequest, read: Read): Promise<void> | undefined {
  try {
    const handled = handle(mock, active, read);
    if (handled instanceof Promise) return endLater(mock, active, handled);
    active.answer = handled;
  } catch (error) {
    refuseActive(mock, active, error);
  }
  active.delayMs = delayOf(mock, active);
  return undefined;
}

/** The rest of a call whose handler waited runs in a second turn. */
async function endLater(mock: Mock, active: ActiveRequest, waiting: Promise<() => Answer>): Promise<void> {
  const answer = await waiting;
  const conclude = () => {
    try {
      active.answer = answer();
    } catch (error) {
      refuseActive(mock, active, error);
    }
    active.delayMs = delayOf(mock, active);
  };
  try {
    await Promise.resolve(mock.turn(conclude));
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
