// Faults in calls: the service accepts what it should reject, rejects what it should accept, or does something else.
import { type OperationId, writeRequest } from '../../openapi/operations.ts';
import { ApiError, invalidRequest, unauthenticated } from '../http/api-errors.ts';
import type { Body } from '../http/read-body.ts';
import { refresh } from '../operations/sessions.ts';
import type { AnyCall, Caller, Mock, Values } from '../service.ts';
import type { Session } from '../world/entries.ts';
import type { Turn } from '../world/turn.ts';
import type { World } from '../world/world.ts';
import { combineWraps, type Wrap, withinCall } from './fault.ts';
import { goOnWith, type Result } from './results.ts';

/** The handler inside the wrap: the mock's, or that of another fault. */
export type NextHandler = (call: AnyCall) => Result;

/** Answers the calls of some operations, by calling their handler or otherwise. After something was waited for, that has to be within a change. */
export function wrapHandler(
  ids: readonly OperationId[],
  handle: (call: AnyCall, next: NextHandler, change: Turn) => Result,
): Wrap {
  return (steps, { change }) => ({
    handle: (handler, call) =>
      ids.includes(call.operation.id)
        ? handle(call, (other) => steps.handle(handler, other), change)
        : steps.handle(handler, call),
  });
}

/** Changes the calls of one operation before they are handled. */
export function changeCall(id: OperationId, change: (call: AnyCall) => AnyCall): Wrap {
  return wrapHandler([id], (call, next) => next(change(call)));
}

/** Changes the input of one operation's calls before they are handled, unless `change` returns undefined. */
export function changeInput(id: OperationId, change: (call: AnyCall) => Values | undefined): Wrap {
  return changeCall(id, (call) => withInput(call, change(call)));
}

/** Changes the values that one operation returns. */
export function changeResult(id: OperationId, change: (values: Values, call: AnyCall) => Values): Wrap {
  return wrapHandler([id], (call, next, atOnce) =>
    goOnWith(next(call), atOnce, (values) => change(values, call)),
  );
}

/** Looks at what some operations return. */
export function watchResult(
  ids: readonly OperationId[],
  look: (values: Values, call: AnyCall) => unknown,
): Wrap {
  return wrapHandler(ids, (call, next, change) =>
    goOnWith(next(call), change, (values) => {
      look(values, call);
      return values;
    }),
  );
}

/** Validates the bodies of one operation, by calling the validation inside the wrap or otherwise. */
export function wrapValidation(
  id: OperationId,
  validate: (call: AnyCall, body: Body, next: () => void) => void,
): Wrap {
  return (steps) => ({
    validate(call, body) {
      const next = () => steps.validate(call, body);
      return call.operation.id === id ? validate(call, body, next) : next();
    },
  });
}

/** Accepts an invalid call with other input, or leaves it rejected where `correct` returns undefined. */
export function acceptInvalid(id: OperationId, correct: (call: AnyCall) => Values | undefined): Wrap {
  return withinCall((corrected = new WeakMap<AnyCall, Values>()) =>
    combineWraps(
      changeInput(id, (call) => corrected.get(call)),
      wrapValidation(id, (call, body, next) => {
        try {
          next();
        } catch (error) {
          const input = body.problem ? undefined : correct(call);
          if (!input || !isValid(withInput(call, input))) throw error;
          corrected.set(call, input);
        }
      }),
    ),
  );
}

/** Rejects calls that should be handled, with the error that `errorFor` returns. */
export function rejectCall(id: OperationId, errorFor: (call: AnyCall) => ApiError | undefined): Wrap {
  return wrapHandler([id], (call, next) => {
    const error = errorFor(call);
    if (error) throw error;
    return next(call);
  });
}

/** Rejects valid calls as invalid. */
export function rejectValid(id: OperationId, expected: string, when: (call: AnyCall) => boolean): Wrap {
  return rejectCall(id, (call) => (when(call) ? invalidRequest([{ at: '', expected }]) : undefined));
}

interface AccessRequest {
  service: Mock;
  operation: OperationId;
  /** The Authorization header. */
  header: string | undefined;
  now: number;
}

type NextAuthentication = (changed?: Partial<Pick<AccessRequest, 'header' | 'now'>>) => Caller | undefined;

/** Authenticates callers, by calling the authentication inside the wrap or otherwise. */
export function wrapAuthentication(
  authenticate: (access: AccessRequest, next: NextAuthentication) => Caller | undefined,
): Wrap {
  return (steps) => ({
    authenticate(service, operation, request) {
      const { header, now } = request;
      return authenticate({ service, operation: operation.id, header, now }, (changed) =>
        steps.authenticate(service, operation, { ...request, ...changed }),
      );
    },
  });
}

/** Admits callers that should be rejected: as the caller that `callerOf` returns, without a caller where it is null, or not at all. */
export function admitCaller(
  ids: readonly OperationId[],
  callerOf: (access: AccessRequest) => Caller | null | undefined,
): Wrap {
  return wrapAuthentication((access, next) => {
    try {
      return next();
    } catch (error) {
      const isApplicable = error instanceof ApiError && ids.includes(access.operation);
      const admitted = isApplicable ? callerOf(access) : undefined;
      if (admitted === undefined) throw error;
      return admitted ?? undefined;
    }
  });
}

/** Rejects callers that should be admitted. */
export function rejectCaller(
  ids: readonly OperationId[],
  reason: string,
  when: (caller: Caller, access: AccessRequest) => boolean,
): Wrap {
  return wrapAuthentication((access, next) => {
    const caller = next();
    if (caller && ids.includes(access.operation) && when(caller, access)) throw unauthenticated(reason);
    return caller;
  });
}

/** What a login returns for a user, whatever the password. */
export function loginAs(call: AnyCall, username: string): Values {
  const tenantId = call.world.users.get(username)?.tenantId ?? 0;
  const session = { tenantId, username, expiresAt: 0, key: '' };
  return refresh({ ...call, input: {}, caller: { tenantId, session } });
}

/** The caller of the latest session; its renewal leaves the session unchanged. */
export function latestCaller({ sessions }: World): Caller | undefined {
  const latest: Session | undefined = [...sessions.values()].at(-1);
  return latest && { tenantId: latest.tenantId, session: { ...latest, key: '' } };
}

function withInput(call: AnyCall, input: Values | undefined): AnyCall {
  return input ? { ...call, input: { ...call.input, ...input } } : call;
}

function isValid({ operation, input, validate }: AnyCall): boolean {
  if (!operation.request) return false;
  return validate(operation.request.schema, writeRequest(operation, input)).length === 0;
}
