// A request from its arrival to its answer, read from top to bottom.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type Operation, readQuery, readRequest } from '../../openapi/operations.ts';
import { ApiError, internal, invalidRequest } from '../http/api-errors.ts';
import type { Arrival, JournalExchange } from '../http/journal-exchange.ts';
import { readBody } from '../http/read-body.ts';
import { type Answer, renderFailure, renderSuccess } from '../http/render-envelope.ts';
import type { AnyCall, AnyHandler, Service } from '../service.ts';
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

export async function handleRequest(
  service: Service,
  route: Route,
  request: FastifyRequest,
): Promise<Answer> {
  const { raw, headers } = request;
  const { id } = route.operation;
  const { method = '', url = '' } = raw;
  const exchange = openExchange(service, { method, url, headers, operation: id });
  const wish = forcedAnswerFor(service, id, headers.prefer);
  let answer: Answer;
  try {
    if (wish) grant(service, wish, exchange);
    answer = await perform(service, { route, request, exchange });
    if (wish?.status !== undefined) answer = { ...answer, status: wish.status };
  } catch (error) {
    answer = refuse(service, error, exchange);
  }
  const delay = (wish?.delayMs ?? 0) + latencyOf(service, exchange);
  if (delay > 0) await sleep(delay, undefined, { ref: false });
  return closeExchange(service, exchange, answer);
}

/** The answer to a request that never came to an operation. */
export function refuseOutside(service: Service, error: unknown, arrival: Arrival): Answer {
  const exchange = openExchange(service, arrival);
  return closeExchange(service, exchange, refuse(service, error, exchange));
}

interface Course {
  route: Route;
  request: FastifyRequest;
  exchange: JournalExchange;
}

/** Throws the refusal that was asked for, if it was one. */
function grant({ profile }: Service, wish: ForcedAnswer, exchange: JournalExchange): void {
  exchange.forcedBy = wish.by;
  const refusal = forcedRefusal(wish, profile);
  if (refusal) throw refusal;
}

/** Trace id, authentication, body, limit, validation, idempotency, handler, envelope: what fails ends it. */
async function perform(service: Service, { route, request, exchange }: Course): Promise<Answer> {
  const { operation } = route;
  const { steps } = service;
  const { at: now } = exchange;
  const { headers } = request;
  const { authorization: header } = headers;
  const caller = steps.authenticate(service, operation, { header, now, connection: request.raw.socket });
  exchange.tenantId = caller?.tenantId;
  const body = await readBody(operation, request.raw);
  exchange.requestBody = body.text;
  const path = request.params as Readonly<Record<string, string>>;
  const input = {
    ...readRequest(operation, body.value),
    ...path,
    ...queryOf(service, operation, exchange.url),
  };
  const call = { ...service, operation, caller, input, now };
  exchange.tenantId = tenantOfCall(call);
  const same = steps.sameness(call, { url: exchange.url, headers, body: body.text });
  const first = same === undefined ? undefined : steps.firstAnswer(call, same);
  const takeBack = first && isFree(service) ? undefined : steps.drawOnLimit(call);
  try {
    steps.validate(call, body);
    if (first) return repeat(call, first, exchange);
    const given = steps.handle(route.handler, call);
    const values = given instanceof Promise ? await given : given;
    // No wait lies between looking for a first answer and keeping this one, so that of many at once just one is the first.
    if (same !== undefined) steps.keepFirstAnswer(call, same, { values, traceId: exchange.traceId });
    return renderSuccess(operation, values, exchange.traceId);
  } catch (error) {
    takeBack?.();
    throw error;
  }
}

function repeat({ profile, operation }: AnyCall, first: FirstAnswer, exchange: JournalExchange): Answer {
  if (profile.values['idempotency.trace'] === 'same') exchange.traceId = first.traceId;
  return renderSuccess(operation, first.values, exchange.traceId);
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
  return renderFailure(service.profile, problem, exchange.traceId);
}

function latencyOf({ settings, world, variations }: Service, { traceId }: JournalExchange): number {
  const { latency } = settings;
  const ordinary = latency ? drawBetween(world, latency.least, latency.most) : 0;
  return ordinary + (variations?.answerDelay(traceId) ?? 0);
}
