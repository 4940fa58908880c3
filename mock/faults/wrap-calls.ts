import { setTimeout as sleep } from 'node:timers/promises';
import { type OperationId, writeRequest } from '../../openapi/operations.ts';
import { ApiError, invalidRequest, unauthenticated } from '../http/api-errors.ts';
import type { Body } from '../http/read-body.ts';
import type { AnyCall, Caller, Values } from '../service.ts';
import type { Turn } from '../world/turn.ts';
import type { World } from '../world/world.ts';
import { always, around, combineWraps, type Wrap, withMemory } from './fault.ts';

export type Ids = OperationId | readonly OperationId[] | 'all';

export type CallTest = (call: AnyCall) => boolean;

type Result = Values | Promise<Values>;

/** `next` is the handler inside the wrap; after an await, only `change` may change the world. */
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

export function changeCall(ids: Ids, change: (call: AnyCall) => AnyCall): Wrap {
  return wrapHandler(ids, (call, next) => next(change(call)));
}

export function watchCall(ids: Ids, look: (call: AnyCall) => unknown): Wrap {
  return changeCall(ids, (call) => {
    look(call);
    return call;
  });
}

export function callAs(ids: Ids, tenantFor: (call: AnyCall) => number | undefined): Wrap {
  return changeCall(ids, (call) => {
    const tenantId = tenantFor(call);
    return tenantId === undefined ? call : { ...call, caller: { ...call.caller, tenantId } };
  });
}

/** Merges what `change` returns into the input. */
export function changeInput(ids: Ids, change: (call: AnyCall) => Values | undefined): Wrap {
  return changeCall(ids, (call) => withInput(call, change(call)));
}

export function changeResult(ids: Ids, change: (values: Values, call: AnyCall) => Values): Wrap {
  return wrapHandler(ids, (call, next, atOnce) => {
    const result = next(call);
    return result instanceof Promise
      ? result.then((values) => atOnce(() => change(values, call)))
      : change(result, call);
  });
}

export function watchResult(ids: Ids, look: (values: Values, call: AnyCall) => unknown): Wrap {
  return changeResult(ids, (values, call) => {
    look(values, call);
    return values;
  });
}

export function delayCall(ids: Ids, ms: number): Wrap {
  return wrapHandler(ids, async (call, next, change) => {
    await sleep(ms);
    return change(() => next(call));
  });
}

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

export function changeList(
  ids: Ids,
  change: (list: readonly Values[], call: AnyCall) => readonly Values[],
): Wrap {
  return changeResult(ids, (values, call) => {
    const list = change(values.list as readonly Values[], call);
    return { ...values, list, total: list.length };
  });
}

export function wrapValidation(
  ids: Ids,
  validate: (call: AnyCall, body: Body, next: () => void) => void,
): Wrap {
  return around('validate', (inside, call, body) => {
    const next = () => inside(call, body);
    return isOneOf(ids, call.operation.id) ? validate(call, body, next) : next();
  });
}

/** Accepts a call with the input from `correct` if that is valid, and otherwise validates it as sent. */
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

export function rejectCall(ids: Ids, when: CallTest, error: (call: AnyCall) => ApiError): Wrap {
  return watchCall(ids, (call) => {
    if (when(call)) throw error(call);
  });
}

export function rejectValid(ids: Ids, expected: string, when: CallTest): Wrap {
  return rejectCall(ids, when, () => invalidRequest([{ at: '', expected }]));
}

/** Answers rejected calls as successes, although nothing was done. */
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

/** Admits callers that should be rejected; without `callerOf`, as callers without identity. */
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

/** Remembers the keys of successful calls, and tells the wrap whether it has seen a key. */
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
