// A request from its arrival to its answer, read from top to bottom.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type Operation, readQuery, readRequest } from '../../openapi/operations.ts';
import { ApiError, internal, invalidRequest } from '../http/api-errors.ts';
import type { Arrival, JournalExchange } from '../http/journal-exchange.ts';
import { type Body, readBody } from '../http/read-body.ts';
import { type Answer, fail, succeed } from '../http/render-envelope.ts';
import type { AnyCall, AnyHandler, Caller, Service, Steps, Values } from '../service.ts';
import { drawBetween } from '../world/random.ts';
import type { FirstAnswer } from '../world/world.ts';
import { type ForcedAnswer, forcedAnswerFor, forcedRefusal } from './forced-answers.ts';
import { closeExchange, openExchange } from './record-exchange.ts';
import { tenantOfCall } from './tenant-of-call.ts';

/** An operation and what answers it. */
export interface Route {
  operation: Operation;
  handler: AnyHandler;
}

/** What works on the world is three synchronous parts: `open`, `identify` and `complete`. Who is refused by the second sends no body in vain. */
export async function handleRequest(
  service: Service,
  route: Route,
  request: FastifyRequest,
): Promise<Answer> {
  const course = open(service, route, request);
  const { exchange, forced } = course;
  let answer: Answer;
  try {
    identify(service, course);
    const body = await readBody(route.operation, request.raw);
    const completed = complete(service, course, body);
    answer = completed instanceof Promise ? await completed : completed;
  } catch (error) {
    answer = refuse(service, error, exchange);
  }
  const delay = (forced?.delayMs ?? 0) + latencyOf(service, exchange);
  if (delay > 0) await sleep(delay, undefined, { ref: false });
  return closeExchange(service, exchange, answer);
}

/** The answer to a request that never came to an operation. */
export function refuseOutside(service: Service, error: unknown, arrival: Arrival): Answer {
  const exchange = openExchange(service, arrival);
  return closeExchange(service, exchange, refuse(service, error, exchange));
}

/** A request under way. */
interface Course {
  route: Route;
  request: FastifyRequest;
  exchange: JournalExchange;
  forced: ForcedAnswer | undefined;
  /** Those at its arrival, should a fault be turned on meanwhile. */
  steps: Steps;
  caller: Caller | undefined;
}

/** The exchange with its trace id, and the answer that somebody asked for. */
function open(service: Service, route: Route, request: FastifyRequest): Course {
  const { raw, headers } = request;
  const { id } = route.operation;
  const { method = '', url = '' } = raw;
  const exchange = openExchange(service, { method, url, headers, operation: id });
  const forced = forcedAnswerFor(service, id, headers.prefer);
  exchange.forcedBy = forced?.by;
  return { route, request, exchange, forced, steps: service.steps, caller: undefined };
}

/** Throws the refusal that somebody asked for, or that of the authentication. */
function identify(service: Service, course: Course): void {
  const { route, request, exchange, forced, steps } = course;
  const refusal = forced && forcedRefusal(forced, service.profile);
  if (refusal) throw refusal;
  const { authorization: header } = request.headers;
  const { socket: connection } = request.raw;
  course.caller = steps.authenticate(service, route.operation, { header, now: exchange.at, connection });
  exchange.tenantId = course.caller?.tenantId;
}

/** Tenant, repetition, limit, validation, handler, envelope: what fails ends it. Returns a promise only where the handler does. */
function complete(service: Service, course: Course, body: Body): Answer | Promise<Answer> {
  const { route, request, exchange, steps } = course;
  const { url } = exchange;
  exchange.requestBody = body.text;
  const call = createCall(service, course, body);
  exchange.tenantId = tenantOfCall(call);
  const same = steps.sameness(call, { url, headers: request.headers, body: body.text });
  const first = same === undefined ? undefined : steps.firstAnswer(call, same);
  const takeBack = first && isFree(service) ? undefined : steps.drawOnLimit(call);
  // No wait lies between looking for a first answer and keeping this one, so that of many at once just one is the first.
  const answerWith = (values: Values): Answer => {
    if (same !== undefined) steps.keepFirstAnswer(call, same, { values, traceId: exchange.traceId });
    return succeedWith(course, values);
  };
  try {
    steps.validate(call, body);
    if (first) return repeat(service, course, first);
    const values = steps.handle(route.handler, call);
    return values instanceof Promise ? answerLater(values, answerWith, takeBack) : answerWith(values);
  } catch (error) {
    takeBack?.();
    throw error;
  }
}

async function answerLater(
  values: Promise<Values>,
  answerWith: (values: Values) => Answer,
  takeBack: (() => void) | undefined,
): Promise<Answer> {
  try {
    return answerWith(await values);
  } catch (error) {
    takeBack?.();
    throw error;
  }
}

function createCall(service: Service, { route, request, exchange, caller }: Course, body: Body): AnyCall {
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

function repeat({ profile }: Service, course: Course, first: FirstAnswer): Answer {
  if (profile.values['idempotency.trace'] === 'same') course.exchange.traceId = first.traceId;
  return succeedWith(course, first.values);
}

/** A success has the status that somebody asked for, if anybody did. */
function succeedWith({ route, exchange, forced }: Course, values: Values): Answer {
  const answer = succeed(route.operation, values, exchange.traceId);
  return forced?.status === undefined ? answer : { ...answer, status: forced.status };
}

/** Whether a repeat draws on no limit. */
function isFree({ profile }: Service): boolean {
  return profile.values['limits.repeats'] === 'not-counted';
}

/** The query of the few operations that have one. */
function queryOf({ validate: judge }: Service, operation: Operation, url: string): Record<string, unknown> {
  if (!operation.query) return {};
  const values = readQuery(operation, new URL(url, 'http://x').searchParams);
  const mismatches = operation.query.flatMap(({ name, parameter, schema }) =>
    values[name] === undefined
      ? []
      : judge(schema, values[name]).map((mismatch) => ({
          ...mismatch,
          at: `the query parameter "${parameter}"`,
        })),
  );
  if (mismatches.length > 0) throw invalidRequest(mismatches);
  return values;
}

/** What nobody foresaw is told to the log only. */
function refuse(service: Service, error: unknown, exchange: JournalExchange): Answer {
  const problem = error instanceof ApiError ? error : internal();
  if (problem !== error)
    service.log(`${exchange.traceId} ${error instanceof Error ? error.stack : String(error)}`);
  exchange.refusal = problem.message;
  return fail(service.profile, problem, exchange.traceId);
}

function latencyOf({ settings, world, variations }: Service, { traceId }: JournalExchange): number {
  const { latency } = settings;
  const ordinary = latency ? drawBetween(world, latency.least, latency.most) : 0;
  return ordinary + (variations?.answerDelay(traceId) ?? 0);
}
