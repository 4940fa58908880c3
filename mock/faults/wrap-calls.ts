// Faults in calls: the service accepts what it should reject, rejects what it should accept, or does something else.
import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationId, writeRequest } from '../../openapi/operations.ts';
import { ApiError, invalidRequest, unauthenticated } from '../http/api-errors.ts';
import type { Body } from '../http/read-body.ts';
import type { AnyCall, Caller, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { Turn } from '../world/turn.ts';
import type { World } from '../world/world.ts';
import { always, around, combineWraps, type Wrap, withMemory } from './fault.ts';

/** One operation, several, or all. */
export type Ids = OperationId | readonly OperationId[] | 'all';

export type CallTest = (call: AnyCall) => boolean;

type Result = Values | Promise<Values>;

/** Answers calls by the handler inside the wrap or otherwise. After something was waited for, that has to be within a change. */
export function wrapHandler(
  ids: Ids,
  handle: (call: AnyCall, next: (call: AnyCall) => Result, change: Turn) => Result,
): Wrap {
  return (steps, { change }) => ({
    handle: (handler, call) =>
      isOneOf(ids, call.operation.id)
        ? handle(call, (other) => steps.handle(handler, other), change)
        : steps.handle(handler, call),
  });
}

/** Changes calls before they are handled. */
export function changeCall(ids: Ids, change: (call: AnyCall) => AnyCall): Wrap {
  return wrapHandler(ids, (call, next) => next(change(call)));
}

/** Looks at calls before they are handled. */
export function watchCall(ids: Ids, look: (call: AnyCall) => unknown): Wrap {
  return changeCall(ids, (call) => {
    look(call);
    return call;
  });
}

/** Handles calls as if another tenant had made them, unless `tenantFor` returns undefined. */
export function callAs(ids: Ids, tenantFor: (call: AnyCall) => number | undefined): Wrap {
  return changeCall(ids, (call) => {
    const tenantId = tenantFor(call);
    return tenantId === undefined ? call : { ...call, caller: { ...call.caller, tenantId } };
  });
}

/** Changes the input of calls before they are handled, unless `change` returns undefined. */
export function changeInput(ids: Ids, change: (call: AnyCall) => Values | undefined): Wrap {
  return changeCall(ids, (call) => withInput(call, change(call)));
}

/** Changes the values that operations return. */
export function changeResult(ids: Ids, change: (values: Values, call: AnyCall) => Values): Wrap {
  return wrapHandler(ids, (call, next, atOnce) => {
    const result = next(call);
    return result instanceof Promise
      ? result.then((values) => atOnce(() => change(values, call)))
      : change(result, call);
  });
}

/** Looks at what operations return. */
export function watchResult(ids: Ids, look: (values: Values, call: AnyCall) => unknown): Wrap {
  return changeResult(ids, (values, call) => {
    look(values, call);
    return values;
  });
}

/** Works on calls for some milliseconds before they are handled. */
export function delayCall(ids: Ids, ms: number): Wrap {
  return wrapHandler(ids, async (call, next, change) => {
    await sleep(ms);
    return change(() => next(call));
  });
}

/** Does something else where a handler fails. */
export function recoverFrom(ids: Ids, recover: (error: unknown, call: AnyCall) => Values): Wrap {
  return wrapHandler(ids, (call, next, change) => {
    try {
      const result = next(call);
      return result instanceof Promise ? result.catch((error) => change(() => recover(error, call))) : result;
    } catch (error) {
      return recover(error, call);
    }
  });
}

/** Changes a list that an operation returns, and its total. */
export function changeList(
  ids: Ids,
  change: (list: readonly Values[], call: AnyCall) => readonly Values[],
): Wrap {
  return changeResult(ids, (values, call) => {
    const list = change(values.list as readonly Values[], call);
    return { ...values, list, total: list.length };
  });
}

/** Validates bodies by the validation inside the wrap or otherwise. */
export function wrapValidation(
  ids: Ids,
  validate: (call: AnyCall, body: Body, next: () => void) => void,
): Wrap {
  return around('validate', (inside, call, body) => {
    const next = () => inside(call, body);
    return isOneOf(ids, call.operation.id) ? validate(call, body, next) : next();
  });
}

/** Takes calls with other input where that is valid, and validates them otherwise. */
export function acceptInvalid(ids: Ids, correct: (call: AnyCall, body: Body) => Values | undefined): Wrap {
  const corrected = new WeakMap<AnyCall, Values>();
  return combineWraps(
    changeInput(ids, (call) => corrected.get(call)),
    wrapValidation(ids, (call, body, next) => {
      const input = body.problem ? undefined : correct(call, body);
      if (input && isValid(withInput(call, input))) corrected.set(call, input);
      else next();
    }),
  );
}

/** Rejects calls that should be handled. */
export function rejectCall(ids: Ids, when: CallTest, error: (call: AnyCall) => ApiError): Wrap {
  return watchCall(ids, (call) => {
    if (when(call)) throw error(call);
  });
}

/** Rejects valid calls as invalid. */
export function rejectValid(ids: Ids, expected: string, when: CallTest): Wrap {
  return rejectCall(ids, when, () => invalidRequest([{ at: '', expected }]));
}

/** Answers calls that are rejected as successes, although nothing was done. */
export function hideRejection(ids: Ids, kind: ApiError['kind'], when: CallTest = always): Wrap {
  return recoverFrom(ids, (error, call) => {
    if (error instanceof ApiError && error.kind === kind && when(call)) return {};
    throw error;
  });
}

export interface AccessRequest {
  world: World;
  /** The Authorization header. */
  header: string | undefined;
  now: number;
}

type NextAuthentication = (changed?: Partial<Pick<AccessRequest, 'header' | 'now'>>) => Caller | undefined;

/** Authenticates callers, by calling the authentication inside the wrap or otherwise. */
export function wrapAuthentication(
  ids: Ids,
  authenticate: (access: AccessRequest, next: NextAuthentication) => Caller | undefined,
): Wrap {
  return around('authenticate', (inside, service, operation, request) => {
    const { header, now } = request;
    const next: NextAuthentication = (changed) => inside(service, operation, { ...request, ...changed });
    if (!isOneOf(ids, operation.id)) return next();
    return authenticate({ world: service.world, header, now }, next);
  });
}

/** Admits callers that should be rejected, as nobody or as the caller that `callerOf` returns. */
export function admitCaller(
  ids: Ids,
  when: (access: AccessRequest) => boolean,
  callerOf: (access: AccessRequest) => Caller | undefined = () => undefined,
): Wrap {
  return wrapAuthentication(ids, (access, next) => {
    try {
      return next();
    } catch (error) {
      if (!(error instanceof ApiError) || !when(access)) throw error;
      return callerOf(access);
    }
  });
}

/** Rejects callers that should be admitted. */
export function rejectCaller(
  ids: Ids,
  reason: string,
  when: (access: AccessRequest & { caller: Caller | undefined }) => boolean,
): Wrap {
  return wrapAuthentication(ids, (access, next) => {
    const caller = next();
    if (when({ ...access, caller })) throw unauthenticated(reason);
    return caller;
  });
}

/** Remembers what calls were about; a fault is told whether a key is one of them. */
export function remember(ids: Ids, keyOf: (values: Values, call: AnyCall) => unknown) {
  return (wrapOf: (isSeen: (key: unknown) => boolean) => Wrap): Wrap =>
    withMemory((memory, seen = memory.set('seen')) =>
      combineWraps(
        watchResult(ids, (values, call) => seen.add(String(keyOf(values, call)))),
        wrapOf((key) => key !== undefined && seen.has(String(key))),
      ),
    );
}

function isOneOf(ids: Ids, id: OperationId): boolean {
  return ids === 'all' || [ids].flat().includes(id);
}

function withInput(call: AnyCall, input: Values | undefined): AnyCall {
  return input ? { ...call, input: { ...call.input, ...input } } : call;
}

function isValid({ operation, input, validate }: AnyCall): boolean {
  if (!operation.request) return false;
  return validate(operation.request.schema, writeRequest(operation, input)).length === 0;
}

/** The result of the first of several calls that are alike. */
export interface First {
  at: number;
  values: Values;
}

/** What calls have in common that are alike. */
export function likenessOf({ operation, caller, input }: AnyCall): string {
  return digest(JSON.stringify([operation.id, caller?.tenantId, input]));
}
