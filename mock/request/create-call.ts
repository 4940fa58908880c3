// What a handler gets of a request.
import type { FastifyRequest } from 'fastify';
import { type Operation, readParameter, readQuery, readRequest } from '../../openapi/operations.ts';
import type { QueryParameter } from '../../openapi/parameters.ts';
import type { Mismatch, Validator } from '../../openapi/validate.ts';
import { invalidRequest } from '../http/api-errors.ts';
import type { JournalExchange } from '../http/journal-exchange.ts';
import type { Body } from '../http/read-body.ts';
import type { AnyCall, Caller, Service } from '../service.ts';

interface ReceivedRequest {
  operation: Operation;
  request: FastifyRequest;
  exchange: JournalExchange;
  caller: Caller | undefined;
}

export function createCall(
  service: Service,
  { operation, request, exchange, caller }: ReceivedRequest,
  body: Body,
): AnyCall {
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

/** Some deployments take more than they have to. */
export function readLeniently({ variations }: Service, { id }: Operation, body: Body): Body {
  const isRead = id === 'createSubscription' && variations && body.value !== undefined;
  return isRead ? { ...body, value: variations.subscriptionBody(body.value) } : body;
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
