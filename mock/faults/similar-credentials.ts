// Faults of tokens and passwords that are compared carelessly: almost right ones are accepted.
import type { OperationId } from '../../openapi/operations.ts';
import { ApiError } from '../http/api-errors.ts';
import type { Caller } from '../service.ts';
import { type Wrap, withMemory } from './fault.ts';
import type { MemoryMap } from './memory.ts';
import { goOnWith, recoverFrom } from './results.ts';
import { loginAs, wrapAuthentication, wrapHandler } from './wrap-calls.ts';

/** Whether the given text is accepted in place of the right one. */
const similarities = {
  truncated: (given, right) => given.length < right.length && given.length > 3 && right.startsWith(given),
  extended: (given, right) => given !== right && given.startsWith(right),
  'in another case': (given, right) => given !== right && given.toLowerCase() === right.toLowerCase(),
  'with another end': (given, right) =>
    given !== right && given.length === right.length && given.slice(0, -4) === right.slice(0, -4),
  'with one wrong character': differsInOneCharacter,
} satisfies Record<string, (given: string, right: string) => boolean>;

type Similarity = keyof typeof similarities;

/** Admits callers whose token resembles one that was accepted before: `st_` is the prefix of sessions, `sp_` that of API keys. */
export function acceptSimilarTokens(
  ids: readonly OperationId[],
  prefix: 'st_' | 'sp_',
  similarity: Similarity,
): Wrap {
  return withMemory((memory, known = memory.map<Caller>('known')) =>
    wrapAuthentication(({ operation, header = '' }, next) => {
      const token = /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '';
      try {
        const caller = next();
        if (caller && token.startsWith(prefix)) known.set(token, caller);
        return caller;
      } catch (error) {
        const [, caller] = known.entries().find(([right]) => similarities[similarity](token, right)) ?? [];
        if (!caller || !(error instanceof ApiError) || !ids.includes(operation)) throw error;
        // A renewal leaves the session of the right token unchanged.
        return caller.session ? { ...caller, session: { ...caller.session, key: '' } } : caller;
      }
    }),
  );
}

/** Accepts a password that resembles one the user has logged in with before. */
export function acceptSimilarPasswords(similarity: Similarity): Wrap {
  return acceptPasswords((given, username, known) =>
    similarities[similarity](given, known.get(username) ?? ''),
  );
}

/** Accepts a password that any user has logged in with before. */
export const acceptPasswordsOfOthers: Wrap = acceptPasswords((given, _username, known) =>
  known.entries().some(([, right]) => right === given),
);

/** `known` holds the passwords that were right before, by username. */
function acceptPasswords(
  accepts: (given: string, username: string, known: Pick<MemoryMap<string>, 'get' | 'entries'>) => boolean,
): Wrap {
  return withMemory((memory, known = memory.map<string>('known')) =>
    wrapHandler(['login'], (call, next, change) => {
      const username = String(call.input.username);
      const password = String(call.input.password);
      const logIn = () =>
        goOnWith(next(call), change, (values) => {
          known.set(username, password);
          return values;
        });
      return recoverFrom(logIn, change, (error) => {
        if (!call.world.users.has(username) || !accepts(password, username, known)) throw error;
        return loginAs(call, username);
      });
    }),
  );
}

export function differsInOneCharacter(given: string, right: string): boolean {
  return (
    given.length === right.length && [...given].filter((char, index) => char !== right[index]).length === 1
  );
}
