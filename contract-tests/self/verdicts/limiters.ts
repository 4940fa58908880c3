// Other kinds of limits than those of the mock.
import { ApiError, rateLimited } from '../../../mock/http/api-errors.ts';
import { tenantOfCall } from '../../../mock/request/authenticate.ts';
import { limitOf } from '../../../mock/request/rate-limits.ts';
import type { RootMock } from '../../../mock/server/create-mock.ts';
import type { AnyCall, Steps, Values } from '../../../mock/service.ts';
import type { OperationId } from '../../../openapi/operations.ts';
import { type Limiter, sliding } from '../../checks/limits/testing.ts';

type Sabotage = (mock: RootMock) => void;

/** Limits logins, publishes and AI calls of each tenant with separate limiters. */
export function limitedBy(create: () => Limiter): Sabotage {
  const limiters = new Map<string, Limiter>();
  return replaceSteps(() => ({
    countAgainstLimit: (call) => {
      const key = keyOf(call);
      if (key === undefined) return () => {};
      const limiter = limiters.get(key) ?? create();
      limiters.set(key, limiter);
      if (!limiter(call.now)) throw rateLimited('the limit per minute of this tenant', call.now, call.now);
      return () => {};
    },
  }));
}

export function replaceSteps(change: (steps: Steps) => Partial<Steps>): Sabotage {
  return (mock) => {
    const { steps } = mock;
    Object.defineProperty(mock, 'steps', { value: { ...steps, ...change(steps) } });
  };
}

/** Undefined for calls without a limit. */
function keyOf(call: AnyCall): string | undefined {
  const name = limitOf[call.operation.id];
  const tenant = tenantOfCall(call);
  return name && tenant !== undefined ? `${name} of ${tenant}` : undefined;
}

/** Ten a minute; one more locks for `lockMs`. `isRenewed`: each further call restarts the lock. */
export function locking(lockMs: number, isRenewed = false): Limiter {
  const limiter = sliding();
  let until = 0;
  return (now) => {
    const isLocked = now < until;
    const isTaken = !isLocked && limiter(now);
    if (isTaken) return true;
    if (!isLocked || isRenewed) until = now + lockMs;
    return false;
  };
}

export interface Incoming {
  operation: OperationId;
  now: number;
  /** Authorization. */
  header: string | undefined;
}

export type Refusal = ConstructorParameters<typeof ApiError>[2];

/** Refuses calls before authentication. */
export function refusing(isRefused: (call: Incoming) => boolean, refusal: Refusal): Sabotage {
  return replaceSteps((steps) => ({
    authenticate: (service, operation, request) => {
      if (isRefused({ operation: operation.id, ...request }))
        throw new ApiError('rate-limited', 'not at this moment', refusal);
      return steps.authenticate(service, operation, request);
    },
  }));
}

/** Limits all calls together. */
export function generalQuota(most: number, spanMs: number, status?: number): Sabotage {
  const limiter = sliding(most, spanMs);
  return refusing(({ now }) => !limiter(now), { code: 42901, ...(status !== undefined && { status }) });
}

/** Limits the calls of each kind; `kindOf` returns undefined for calls that do not count. */
export function quotaOf(
  kindOf: (call: Incoming) => string | undefined,
  [most, spanMs]: readonly [most: number, spanMs: number],
  refusal: Refusal,
): Sabotage {
  const limiters = new Map<string, Limiter>();
  return refusing((call) => {
    const kind = kindOf(call);
    if (kind === undefined) return false;
    const limiter = limiters.get(kind) ?? sliding(most, spanMs);
    limiters.set(kind, limiter);
    return !limiter(call.now);
  }, refusal);
}

/** Locks a user for 15 minutes after five wrong passwords. */
export const lockedAfterWrongPasswords: Sabotage = (mock) => {
  const wrong = new Map<string, number[]>();
  replaceSteps((steps) => ({
    handle: (handler, call) => {
      if (call.operation.id !== 'login') return steps.handle(handler, call);
      const name = String(call.input.username);
      const times = (wrong.get(name) ?? []).filter((time) => time > call.now - 900_000);
      if (times.length >= 5)
        throw new ApiError('bad-credentials', 'the account is locked', { status: 423, code: 42300 });
      try {
        return steps.handle(handler, call);
      } catch (error) {
        wrong.set(name, [...times, call.now]);
        throw error;
      }
    },
  }))(mock);
};

/** Answers a publish without changes with the current version, without counting it. */
export const unchangedPublishesAreFree: Sabotage = (mock) => {
  const limiters = new Map<unknown, Limiter>();
  const published = new Map<unknown, Values>();
  replaceSteps((steps) => ({
    countAgainstLimit: (call) =>
      call.operation.id === 'publishSite' ? () => {} : steps.countAgainstLimit(call),
    handle: async (handler, call) => {
      const site = call.input.siteID;
      if (call.operation.id === 'createContent') published.delete(site);
      if (call.operation.id !== 'publishSite') return steps.handle(handler, call);
      const known = published.get(site);
      if (known) return known;
      const tenant = tenantOfCall(call);
      const limiter = limiters.get(tenant) ?? sliding();
      limiters.set(tenant, limiter);
      if (!limiter(call.now)) throw rateLimited('the limit per minute of this tenant', call.now, call.now);
      const values = await steps.handle(handler, call);
      published.set(site, values);
      return values;
    },
  }))(mock);
};
