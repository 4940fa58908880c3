// A request from its arrival to its answer.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type Operation, readParameter, readQuery, readRequest } from '../../openapi/operations.ts';
import type { QueryParameter } from '../../openapi/parameters.ts';
import { shows } from '../../openapi/tell-apart.ts';
import type { Mismatch, Validator } from '../../openapi/validate.ts';
import { ApiError, internal, invalidRequest } from '../http/api-errors.ts';
import type { Arrival, JournalExchange } from '../http/journal-exchange.ts';
import { type Body, readBody, readSharedBody } from '../http/read-body.ts';
import { type Answer, renderFailure, renderSuccess } from '../http/render-envelope.ts';
import type { AnyCall, AnyHandler, Caller, Service, Steps, Values } from '../service.ts';
import { drawBetween } from '../world/random.ts';
import type { FirstAnswer } from '../world/world.ts';
import { type ForcedAnswer, forcedAnswerFor, forcedRefusal } from './forced-answers.ts';
import { closeExchange, openExchange } from './record-exchange.ts';
import { tenantOfCall } from './tenant-of-call.ts';

export interface Route {
  operation: Operation;
  handler: AnyHandler;
}

/** A request by a method and path that several operations share: only its body, or its query, says which of them is meant. */
export async function handleShared(
  service: Service,
  routes: readonly [Route, ...Route[]],
  request: FastifyRequest,
): Promise<Answer> {
  const { raw } = request;
  try {
    const body = await readSharedBody(routes, raw);
    const query = Object.fromEntries(new URL(raw.url ?? '', 'http://x').searchParams);
    const isMeant = ({ operation: { signs = [] } }: Route) =>
      signs.every((sign) => shows(sign, { query, body: body.value }));
    const route = routes.find(isMeant) ?? routes[0];
    return await handleRequest(service, route, request, route.operation.request ? body : {});
  } catch (error) {
    const { method = '', url = '', headers } = raw;
    return refuseOutside(service, error, { method, url, headers });
  }
}

/** Only `open`, `identify` and `complete` use the world; all three are synchronous. The body is awaited after authentication, so that a rejected caller need not send it. */
export async function handleRequest(
  service: Service,
  route: Route,
  request: FastifyRequest,
  received?: Body,
): Promise<Answer> {
  const active = open(service, route, request);
  const { exchange, forced } = active;
  let answer: Answer;
  try {
    identify(service, active);
    const body = received ?? (await readBody(route.operation, request.raw));
    const completed = complete(service, active, body);
    answer = completed instanceof Promise ? await completed : completed;
  } catch (error) {
    active.uncount?.();
    answer = refuse(service, error, exchange);
  }
  const delay = (forced?.delayMs ?? 0) + latencyOf(service, exchange);
  if (delay > 0) await sleep(delay, undefined, { ref: false });
  return closeExchange(service, exchange, answer);
}

/** The answer to a request that reached no operation. */
export function refuseOutside(service: Service, error: unknown, arrival: Arrival): Answer {
  const exchange = openExchange(service, arrival);
  return closeExchange(service, exchange, refuse(service, error, exchange));
}

/** A request in progress. */
interface ActiveRequest {
  route: Route;
  request: FastifyRequest;
  exchange: JournalExchange;
  forced: ForcedAnswer | undefined;
  /** As they were at its arrival: faults may be switched meanwhile. */
  steps: Steps;
  caller: Caller | undefined;
  /** For a call that fails: makes it not count against its limit, if failures do not. */
  uncount: (() => void) | undefined;
}

function open(service: Service, route: Route, request: FastifyRequest): ActiveRequest {
  const { raw, headers } = request;
  const { id } = route.operation;
  const { method = '', url = '' } = raw;
  const exchange = openExchange(service, { method, url, headers, operation: id });
  const forced = forcedAnswerFor(service, id, headers.prefer);
  exchange.forcedBy = forced?.by;
  return { route, request, exchange, forced, steps: service.steps, caller: undefined, uncount: undefined };
}

/** Throws the forced error, or that of the authentication. */
function identify(service: Service, active: ActiveRequest): void {
  const { route, request, exchange, forced, steps } = active;
  const refusal = forced && forcedRefusal(forced, service.profile);
  if (refusal) throw refusal;
  const { authorization: header } = request.headers;
  const { socket: connection } = request.raw;
  active.caller = steps.authenticate(service, route.operation, { header, now: exchange.at, connection });
  exchange.tenantId = active.caller?.tenantId;
}

/** Tenant, repetition, limit, validation, handler, envelope. Returns a promise only if the handler does. */
function complete(service: Service, active: ActiveRequest, body: Body): Answer | Promise<Answer> {
  const { route, request, exchange, steps } = active;
  const { url } = exchange;
  exchange.requestBody = body.text;
  const call = createCall(service, active, body);
  exchange.tenantId = tenantOfCall(call);
  const key = steps.repetitionKeyOf(call, { url, headers: request.headers, body: body.text });
  const first = key === undefined ? undefined : steps.findFirstAnswer(call, key);
  if (!first || !areRepetitionsFree(service)) active.uncount = steps.countAgainstLimit(call);
  steps.validate(call, body);
  if (first) return repeat(service, active, first);
  // Nothing is awaited between looking for a first answer and keeping this one, so only one of many concurrent calls is the first.
  const answerWith = (values: Values): Answer => {
    if (key !== undefined) steps.keepFirstAnswer(call, key, { values, traceId: exchange.traceId });
    return succeedWith(active, values);
  };
  const handled = steps.handle(route.handler, call);
  return handled instanceof Promise ? answerLater(handled, answerWith) : answerWith(handled);
}

async function answerLater(
  handled: Promise<Values>,
  answerWith: (values: Values) => Answer,
): Promise<Answer> {
  return answerWith(await handled);
}

function createCall(
  service: Service,
  { route, request, exchange, caller }: ActiveRequest,
  body: Body,
): AnyCall {
  const { operation } = route;
  const path = request.params as Readonly<Record<string, string>>;
  return {
    operation,
    caller,
    input: {
      ...readRequest(operation, body.value),
      ...path,
      ...queryOf(service, operation, exchange.url),
    },
    now: exchange.at,
    profile: service.profile,
    world: service.world,
    clock: service.clock,
    validate: service.validate,
    scheduler: service.scheduler,
    dispatcher: service.dispatcher,
    settings: service.settings,
  };
}

function repeat({ profile }: Service, active: ActiveRequest, first: FirstAnswer): Answer {
  if (profile.values['idempotency.trace'] === 'same') active.exchange.traceId = first.traceId;
  return succeedWith(active, first.values);
}

function succeedWith({ route, exchange, forced }: ActiveRequest, values: Values): Answer {
  const answer = renderSuccess(route.operation, values, exchange.traceId);
  return forced?.status === undefined ? answer : { ...answer, status: forced.status };
}

/** Whether repetitions do not count against limits. */
function areRepetitionsFree({ profile }: Service): boolean {
  return profile.values['limits.repeats'] === 'not-counted';
}

/** The values of the query, for the few operations that have one. */
function queryOf({ validate }: Service, operation: Operation, url: string): Record<string, unknown> {
  if (!operation.query) return {};
  const search = new URL(url, 'http://x').searchParams;
  const mismatches = operation.query.flatMap((parameter) => checkParameter(validate, parameter, search));
  if (mismatches.length > 0) throw invalidRequest(mismatches);
  return readQuery(operation, search);
}

function checkParameter(
  validate: Validator,
  parameter: QueryParameter,
  search: URLSearchParams,
): Pick<Mismatch, 'at' | 'expected'>[] {
  const at = `the query parameter "${parameter.parameter}"`;
  const value = readParameter(parameter, search);
  if (value === undefined) return parameter.isRequired ? [{ at, expected: 'a value; it is missing' }] : [];
  return validate(parameter.schema, value).map(({ expected }) => ({ at, expected }));
}

/** An unexpected exception is reported to the log only. */
function refuse(service: Service, error: unknown, exchange: JournalExchange): Answer {
  const problem = error instanceof ApiError ? error : internal();
  if (problem !== error)
    service.log(`${exchange.traceId} ${error instanceof Error ? error.stack : String(error)}`);
  exchange.refusal = problem.message;
  return renderFailure(service.profile, problem, exchange.traceId);
}

function latencyOf({ settings, world, variations }: Service, { traceId }: JournalExchange): number {
  const { latency } = settings;
  const ordinary = latency ? drawBetween(world, latency.least, latency.most) : 0;
  return ordinary + (variations?.answerDelay(traceId) ?? 0);
}
