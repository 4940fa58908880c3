// The plan of an operation, made before its calls come, leaves out the steps that never apply to them.

import {
  type Operation,
  type OperationId,
  type QueryParameter,
  readParameter,
  readQuery,
} from '../../openapi/operations.ts';
import { shows } from '../../openapi/tell-apart.ts';
import type { Mismatch, Validator } from '../../openapi/validate.ts';
import { invalidRequest } from '../http/api-errors.ts';
import type { Body } from '../http/read-body.ts';
import { createSuccessWriter } from '../http/render-envelope.ts';
import type { AnyCall, AnyHandler, Mock, RequestSteps, Steps, Values } from '../service.ts';
import { authenticate } from './authenticate.ts';
import {
  findFirstAnswer,
  isRepeatable,
  joinWork,
  repetitionKeyOf,
  storeFirstAnswer,
  workOf,
} from './idempotency.ts';
import { countAgainstLimit, limitOf } from './rate-limits.ts';

export type Route = ReturnType<typeof createRoute>;

/** Routes of the same method and path. */
export type SharedRoutes = readonly [Route, ...Route[]];

export type Plan = ReturnType<typeof makePlan>;

export const defaultRequestSteps: RequestSteps = {
  authenticate,
  countAgainstLimit: (call) => countAgainstLimit(call),
  validate: validateBody,
  repetitionKeyOf,
  joinWork,
  findFirstAnswer,
  storeFirstAnswer,
  handle: (handler, call) => handler(call),
  answer: (_mock, _exchange, answer) => answer,
};

/** Makes a new plan when faults have changed the steps. */
export function createRoute(mock: Mock, operation: Operation, handler: AnyHandler) {
  let plan: Plan | undefined;
  return {
    operation,
    handler,
    plan(): Plan {
      const { steps } = mock;
      if (plan?.steps !== steps) plan = makePlan(mock, operation, steps);
      return plan;
    },
  };
}

/** Steps that are undefined are skipped. */
function makePlan(mock: Mock, operation: Operation, steps: Steps) {
  const { profile, settings, variations } = mock;
  const isLimited = !settings.isUnlimited && limitOf[operation.id] !== undefined;
  const write = createSuccessWriter(operation);
  const unlessIdle = <Name extends keyof RequestSteps>(name: Name, isIdle: boolean) =>
    isIdle && steps[name] === defaultRequestSteps[name] ? undefined : steps[name];
  return {
    /** A call uses the steps at its arrival, even if faults change before it ends. */
    steps,
    authenticate: unlessIdle('authenticate', operation.auth === 'none'),
    repetitionKeyOf: unlessIdle('repetitionKeyOf', !isRepeatable(operation, profile)),
    countAgainstLimit: unlessIdle('countAgainstLimit', !isLimited),
    startWork: workOf(mock, operation),
    tidy: operation.id === 'createSubscription' ? variations?.subscriptionBody : undefined,
    readQuery: operation.query && ((url: string) => readUrl(mock.validate, operation, url)),
    write: settings.habits.textIds
      ? (values: Values, traceId: string) => write(writeIds(operation, values), traceId)
      : write,
  };
}

function validateBody({ operation: { request }, validate }: AnyCall, { value, problem }: Body): void {
  if (problem) throw problem;
  if (request && value !== undefined) refuseMismatches(validate(request.schema, value));
}

function refuseMismatches(mismatches: readonly Pick<Mismatch, 'at' | 'expected'>[]): void {
  if (mismatches.length > 0) throw invalidRequest(mismatches);
}

function readUrl(validate: Validator, operation: Operation, url: string): Record<string, unknown> {
  const search = new URL(url, 'http://x').searchParams;
  refuseMismatches(
    (operation.query ?? []).flatMap((parameter) => checkParameter(validate, parameter, search)),
  );
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

/** A separate gap of the profile states the form of a subscription's id. */
const withOwnForm: readonly OperationId[] = ['createSubscription', 'listSubscriptions'];

function writeIds({ id }: Operation, values: Values): Values {
  if (withOwnForm.includes(id)) return values;
  const { list } = values;
  return {
    ...writeId(values),
    ...(Array.isArray(list) && { list: list.map((item: Values) => writeId(item)) }),
  };
}

function writeId(values: Values): Values {
  return typeof values.id === 'number' ? { ...values, id: String(values.id) } : values;
}

/** The route all of whose signs the request shows, or else the first. */
export function meantBy(routes: SharedRoutes, url: string, body: Body): Route {
  const query = Object.fromEntries(new URL(url, 'http://x').searchParams);
  const isMeant = ({ operation: { signs = [] } }: Route) =>
    signs.every((sign) => shows(sign, { query, body: body.value }));
  return routes.find(isMeant) ?? routes[0];
}
