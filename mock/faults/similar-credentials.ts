// Faults of tokens and passwords that are compared carelessly: what is nearly right is taken.
import type { OperationId } from '../../openapi/operations.ts';
import { ApiError } from '../http/api-errors.ts';
import type { AnyCall, Caller } from '../service.ts';
import type { Wrap } from './fault.ts';
import { loginAs, wrapHandler } from './wrap-calls.ts';

/** Whether what was given passes for what is right. */
export type Likeness = (given: string, right: string) => boolean;

export const isCutShort: Likeness = (given, right) =>
  given.length < right.length && given.length > 3 && right.startsWith(given);

export const hasMoreBehind: Likeness = (given, right) => given !== right && given.startsWith(right);

export const isInOtherCase: Likeness = (given, right) =>
  given !== right && given.toLowerCase() === right.toLowerCase();

export const hasAnotherEnd: Likeness = (given, right) =>
  given !== right && given.length === right.length && given.slice(0, -4) === right.slice(0, -4);

export const isOneOff: Likeness = (given, right) =>
  given.length === right.length && [...given].filter((char, index) => char !== right[index]).length === 1;

/** Lets in who comes with a token, of sessions by `st_` and of API keys by `sp_`, that is like one which was good before. */
export function acceptSimilarTokens(
  ids: readonly OperationId[],
  { prefix, isLike }: { prefix: 'st_' | 'sp_'; isLike: Likeness },
): Wrap {
  return (steps) => {
    const known = new Map<string, Caller>();
    return {
      authenticate(service, operation, request) {
        const token = /^Bearer +(\S+)$/i.exec(request.header ?? '')?.[1] ?? '';
        try {
          const caller = steps.authenticate(service, operation, request);
          if (caller && token.startsWith(prefix)) known.set(token, caller);
          return caller;
        } catch (error) {
          const right = [...known.keys()].find((one) => isLike(token, one));
          const caller = right === undefined ? undefined : known.get(right);
          if (!caller || !(error instanceof ApiError) || !ids.includes(operation.id)) throw error;
          // A renewal leaves the session of the right token alone.
          return caller.session ? { ...caller, session: { ...caller.session, key: '' } } : caller;
        }
      },
    };
  };
}

/** Lets in who comes with a password that is like a right one which was used before: that of the user, or of any. */
export function acceptSimilarPasswords(isLike: Likeness, { ofAnyUser = false } = {}): Wrap {
  return (steps, aids) => {
    const known = new Map<string, string>();
    return wrapHandler(['login'], async (call, own) => {
      const { username, password } = textsOf(call);
      const rights = ofAnyUser ? [...known.values()] : [known.get(username) ?? ''];
      try {
        const values = await own(call);
        known.set(username, password);
        return values;
      } catch (error) {
        const isTaken = call.world.users.has(username) && rights.some((right) => isLike(password, right));
        if (!isTaken) throw error;
        return loginAs(call, username);
      }
    })(steps, aids);
  };
}

function textsOf({ input }: AnyCall): { username: string; password: string } {
  return { username: String(input.username), password: String(input.password) };
}
