// Faults of calls: the service takes what it should refuse, refuses what it should take, or does something else.
import { type OperationId, writeRequest } from '../../openapi/operations.ts';
import { ApiError, invalidRequest } from '../http/api-errors.ts';
import { refresh } from '../operations/sessions.ts';
import type { AnyCall, Caller, Service, Values } from '../service.ts';
import type { Session, World } from '../world/world.ts';
import type { Wrap } from './fault.ts';

type Result = Values | Promise<Values>;

/** Answers the calls of some operations, by what their handler gives or otherwise. */
export function wrapHandler(
  ids: readonly OperationId[],
  handle: (call: AnyCall, own: (call: AnyCall) => Result) => Result,
): Wrap {
  return (steps) => ({
    handle: (handler, call) =>
      ids.includes(call.operation.id)
        ? handle(call, (other) => steps.handle(handler, other))
        : steps.handle(handler, call),
  });
}

/** Takes a call that is not valid as if it were another one, or leaves it refused where `putRight` gives undefined. */
export function acceptInvalid(id: OperationId, putRight: (call: AnyCall) => Values | undefined): Wrap {
  return (steps, aids) => {
    const taken = new WeakMap<AnyCall, Values>();
    const own = wrapHandler([id], (call, handle) =>
      handle({ ...call, input: { ...call.input, ...taken.get(call) } }),
    );
    return {
      ...own(steps, aids),
      validate(call, body) {
        try {
          steps.validate(call, body);
        } catch (error) {
          const right = call.operation.id === id && !body.problem ? putRight(call) : undefined;
          if (!right || !fits(call, right)) throw error;
          taken.set(call, right);
        }
      },
    };
  };
}

/** Refuses calls that should be taken. */
export function rejectValid(id: OperationId, when: (call: AnyCall) => boolean, expected: string): Wrap {
  return wrapHandler([id], (call, own) => {
    if (when(call)) throw invalidRequest([{ at: '', expected }]);
    return own(call);
  });
}

interface Asking {
  service: Service;
  operation: OperationId;
  /** The Authorization header. */
  header: string | undefined;
  now: number;
}

/** Lets callers in that should be kept out: as those that `callerOf` gives, as nobody in particular by null, or not at all. */
export function admitCaller(
  ids: readonly OperationId[],
  callerOf: (asking: Asking) => Caller | null | undefined,
): Wrap {
  return (steps) => ({
    authenticate(service, operation, request) {
      try {
        return steps.authenticate(service, operation, request);
      } catch (error) {
        const { header, now } = request;
        const admitted =
          error instanceof ApiError && ids.includes(operation.id)
            ? callerOf({ service, operation: operation.id, header, now })
            : undefined;
        if (admitted === undefined) throw error;
        return admitted ?? undefined;
      }
    },
  });
}

/** Keeps callers out that should be let in. */
export function rejectCaller(
  ids: readonly OperationId[],
  problemOf: (caller: Caller, asking: Asking) => ApiError | undefined,
): Wrap {
  return (steps) => ({
    authenticate(service, operation, request) {
      const caller = steps.authenticate(service, operation, request);
      const { header, now } = request;
      const problem =
        caller && ids.includes(operation.id)
          ? problemOf(caller, { service, operation: operation.id, header, now })
          : undefined;
      if (problem) throw problem;
      return caller;
    },
  });
}

/** What a login of a user gives, whatever the password. */
export function loginAs(call: AnyCall, username: string): Values {
  const tenantId = call.world.users.get(username)?.tenantId ?? 0;
  const session = { tenantId, username, expiresAt: 0, key: '' };
  return refresh({ ...call, input: {}, caller: { tenantId, session } });
}

/** The caller of the latest session; its renewal leaves it alone. */
export function latestCaller({ sessions }: World): Caller | undefined {
  const latest: Session | undefined = [...sessions.values()].at(-1);
  return latest && { tenantId: latest.tenantId, session: { ...latest, key: '' } };
}

function fits({ operation, input, validate }: AnyCall, right: Values): boolean {
  if (!operation.request) return false;
  return validate(operation.request.schema, writeRequest(operation, { ...input, ...right })).length === 0;
}
