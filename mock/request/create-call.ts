// What a handler gets of a request.

import {
  type Operation,
  type QueryParameter,
  readParameter,
  readQuery,
  readRequest,
} from '../../openapi/operations.ts';
import type { Mismatch, Validator } from '../../openapi/validate.ts';
import { invalidRequest } from '../http/api-errors.ts';
import type { Body } from '../http/read-body.ts';
import type { AnyCall, Mock } from '../service.ts';
import type { ActiveRequest } from './active-request.ts';

export function createCall(
  mock: Mock,
  { route: { operation }, params, exchange, caller }: ActiveRequest,
  body: Body,
): AnyCall {
  return {
    operation,
    caller,
    input: { ...readRequest(operation, body.value), ...params, ...queryOf(mock, operation, exchange.url) },
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

/** Some deployments take more than they have to. */
export function readLeniently({ variations }: Mock, { id }: Operation, body: Body): Body {
  const isRead = id === 'createSubscription' && variations && body.value !== undefined;
  return isRead ? { ...body, value: variations.subscriptionBody(body.value) } : body;
}

/** The values of the query, for the few operations that have one. */
function queryOf({ validate }: Mock, operation: Operation, url: string): Record<string, unknown> {
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
