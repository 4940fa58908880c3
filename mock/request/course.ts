// What a request does to the world. All of it is synchronous, but for handlers that wait for something.
import type { FastifyRequest } from 'fastify';
import type { Operation } from '../../openapi/operations.ts';
import type { JournalExchange } from '../http/journal-exchange.ts';
import type { Body } from '../http/read-body.ts';
import { type Answer, renderJson, renderSuccess } from '../http/render-envelope.ts';
import type { AnyCall, AnyHandler, Caller, Service, Steps, Values } from '../service.ts';
import type { FirstAnswer } from '../world/entries.ts';
import { joinWork, startWork } from './calls-in-progress.ts';
import { createCall, readLeniently } from './create-call.ts';
import { type ForcedAnswer, forcedAnswerFor, forcedRefusal } from './forced-answers.ts';
import { openExchange } from './record-exchange.ts';
import { tenantOfCall } from './tenant-of-call.ts';
import { nameOfCaller, userOfCall } from './who-calls.ts';
import { writeIds } from './write-ids.ts';

export interface Route {
  operation: Operation;
  handler: AnyHandler;
}

/** A request in progress. */
export interface ActiveRequest {
  route: Route;
  request: FastifyRequest;
  exchange: JournalExchange;
  forced: ForcedAnswer | undefined;
  /** As they were at its arrival: faults may be switched meanwhile. */
  steps: Steps;
  caller: Caller | undefined;
  /** For a call that fails: makes it not count against its limit, if failures do not. */
  uncount: (() => void) | undefined;
  /** For how long the answer is held back, since the call is worked on. */
  heldMs: number;
  /** Under what it is in progress. */
  workKey: string | undefined;
}

export function open(service: Service, route: Route, request: FastifyRequest): ActiveRequest {
  const { raw, headers } = request;
  const { id } = route.operation;
  const { method = '', url = '' } = raw;
  const exchange = openExchange(service, { method, url, headers, operation: id });
  const forced = forcedAnswerFor(service, id, headers.prefer);
  exchange.forcedBy = forced?.by;
  const { steps } = service;
  const unset = { caller: undefined, uncount: undefined, workKey: undefined };
  return { route, request, exchange, forced, steps, heldMs: 0, ...unset };
}

/** The answer that an override states as a whole, if one does. */
export function forcedWhole({ route: { operation }, forced }: ActiveRequest): Answer | undefined {
  if (forced?.body === undefined) return undefined;
  return renderJson(forced.status ?? operation.success.status, forced.body);
}

/** Throws the forced error, or that of the authentication. */
export function identify(service: Service, active: ActiveRequest): void {
  const { route, request, exchange, forced, steps } = active;
  const refusal = forced && forcedRefusal(forced, service.profile);
  if (refusal) throw refusal;
  const { authorization: header } = request.headers;
  const { socket: connection } = request.raw;
  active.caller = steps.authenticate(service, route.operation, { header, now: exchange.at, connection });
  exchange.tenantId = active.caller?.tenantId;
  exchange.who = nameOfCaller(active.caller);
}

/** Tenant, repetition, limit, validation, handler, envelope. Returns a promise only if the handler does. */
export function complete(service: Service, active: ActiveRequest, received: Body): Answer | Promise<Answer> {
  const { route, request, exchange, steps } = active;
  const { url } = exchange;
  const body = readLeniently(service, route.operation, received);
  exchange.requestBody = body.text;
  const call = createCall(service, { ...active, operation: route.operation }, body);
  exchange.tenantId = tenantOfCall(call);
  exchange.who ??= userOfCall(call);
  const key = steps.repetitionKeyOf(call, { url, headers: request.headers, body: body.text });
  if (key !== undefined) active.heldMs = joinWork(service, key);
  const first = key === undefined ? undefined : steps.findFirstAnswer(call, key);
  if (!first || !areRepetitionsFree(service)) active.uncount = steps.countAgainstLimit(call);
  steps.validate(call, body);
  if (first) return repeat(service, active, first);
  active.heldMs = startWork(service, call, key);
  active.workKey = key;
  // Nothing is awaited between looking for a first answer and keeping this one, so only one of many concurrent calls is the first.
  const answerWith = (values: Values): Answer => {
    if (key !== undefined)
      steps.keepFirstAnswer(endOf(call, active), key, { values, traceId: exchange.traceId });
    return succeedWith(service, active, values);
  };
  const handled = steps.handle(route.handler, call);
  if (!(handled instanceof Promise)) return answerWith(handled);
  return handled.then((values) => service.change(() => answerWith(values)));
}

/** The window of a repetition begins when the call ends. */
function endOf(call: AnyCall, { heldMs }: ActiveRequest): AnyCall {
  return heldMs > 0 ? { ...call, now: call.now + heldMs } : call;
}

function repeat(service: Service, active: ActiveRequest, first: FirstAnswer): Answer {
  if (service.profile.values['idempotency.trace'] === 'same') active.exchange.traceId = first.traceId;
  return succeedWith(service, active, first.values);
}

function succeedWith(service: Service, { route, exchange, forced }: ActiveRequest, values: Values): Answer {
  const shown = service.settings.habits.textIds ? writeIds(route.operation.id, values) : values;
  const answer = renderSuccess(route.operation, shown, exchange.traceId);
  return forced?.status === undefined ? answer : { ...answer, status: forced.status };
}

/** Whether repetitions do not count against limits. */
function areRepetitionsFree({ profile }: Service): boolean {
  return profile.values['limits.repeats'] === 'not-counted';
}
