import { badCredentials, unauthenticated } from '../http/api-errors.ts';
import type { AnyCall, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { World } from '../world/world.ts';
import { isFirstTenant, isLaterUser, truncateToken } from './caller-tools.ts';
import { combineWraps, type Fault, type Wrap, withinCall, withMemory } from './fault.ts';
import { goOnWith } from './results.ts';
import { acceptPasswordsOfOthers, acceptSimilarPasswords } from './similar-credentials.ts';
import { changeEnvelope } from './wrap-answers.ts';
import { changeInput, loginAs, wrapAuthentication, wrapHandler, wrapValidation } from './wrap-calls.ts';

/** Faults in logins. */
export const loginFaults: readonly Fault[] = [
  {
    id: 'token-cut-short',
    title: 'The token in the answer to a login lacks its last character.',
    requirement: 'LOGIN-1',
    wrap: truncateToken('login'),
  },
  {
    id: 'token-of-later-users-cut-short',
    title: 'The token of a login lacks its last character, except for the first user of a tenant.',
    requirement: 'LOGIN-1',
    wrap: truncateToken('login', ({ world, input }) => isLaterUser(world, String(input.username))),
  },
  {
    id: 'token-of-later-tenants-cut-short',
    title: 'The token of a login lacks its last character, except for users of the first tenant.',
    requirement: 'LOGIN-1',
    wrap: truncateToken(
      'login',
      ({ world, input }) => !isFirstTenant(world, world.users.get(String(input.username))?.tenantId),
    ),
  },
  {
    id: 'login-asks-for-authorization',
    title: 'A login without an Authorization header is refused.',
    requirement: 'LOGIN-2',
    wrap: wrapAuthentication(({ operation, header }, next) => {
      if (operation === 'login' && header === undefined)
        throw unauthenticated('the Authorization header is missing');
      return next();
    }),
  },
  {
    id: 'second-login-asks-for-authorization',
    title: 'Users who have logged in already are refused another login without an Authorization header.',
    requirement: 'LOGIN-2',
    wrap: withinCall((sent = new WeakMap<AnyCall, string | undefined>()) =>
      combineWraps(
        wrapHandler(['login'], (call, next) => {
          const users = [...call.world.sessions.values()].map(({ username }) => username);
          if (sent.get(call) === undefined && users.includes(String(call.input.username)))
            throw unauthenticated('there is a session already; the Authorization header is missing');
          return next(call);
        }),
        (steps) => ({
          repetitionKeyOf(call, message) {
            sent.set(call, message.headers.authorization);
            return steps.repetitionKeyOf(call, message);
          },
        }),
      ),
    ),
  },
  {
    id: 'any-password-of-right-length',
    title: 'A password is compared with the right one by its length alone.',
    requirement: 'LOGIN-3',
    wrap: withMemory((memory, lengths = memory.map<number>('lengths')) =>
      wrapHandler(['login'], (call, next, change) => {
        const username = usernameOf(call);
        const { length } = String(call.input.password);
        if (lengths.get(username) === length) return loginAs(call, username);
        return goOnWith(next(call), change, (values) => {
          lengths.set(username, length);
          return values;
        });
      }),
    ),
  },
  {
    id: 'token-in-refusal-of-wrong-password',
    title: 'The refusal of a wrong password of a known user contains a token.',
    requirement: 'LOGIN-3',
    wrap: changeEnvelope(
      ({ exchange }) => exchange.operation === 'login' && exchange.refusal === badCredentials().message,
      () => ({ data: { token: `st_${digest('refused').slice(0, 32)}` } }),
    ),
  },
  {
    id: 'password-compared-without-case',
    title: 'Passwords are compared without regard to case.',
    requirement: 'LOGIN-3',
    remark: 'lenient-password',
    wrap: acceptSimilarPasswords('in another case'),
  },
  {
    id: 'password-with-more-behind-taken',
    title: 'What follows the right password is ignored.',
    requirement: 'LOGIN-3',
    wrap: acceptSimilarPasswords('extended'),
  },
  {
    id: 'password-cut-short-taken',
    title: 'The beginning of the right password is enough.',
    requirement: 'LOGIN-3',
    wrap: acceptSimilarPasswords('truncated'),
  },
  {
    id: 'password-of-any-user-taken',
    title: 'The right password of another user will do.',
    requirement: 'LOGIN-3',
    wrap: acceptPasswordsOfOthers,
  },
  {
    id: 'empty-password-taken',
    title: 'A known user with an empty password is let in.',
    requirement: 'LOGIN-3',
    wrap: acceptLogin(({ username, password }) => typeof username === 'string' && password === ''),
  },
  {
    id: 'unknown-user-let-in',
    title: 'A login of an unknown user creates the user.',
    requirement: 'LOGIN-3',
    wrap: wrapHandler(['login'], (call, next) => {
      const { username } = call.input;
      const isKnown = typeof username !== 'string' || call.world.users.has(username);
      return isKnown ? next(call) : loginAs(call, username);
    }),
  },
  {
    id: 'login-without-password',
    title: 'A known user who sends no password is let in.',
    requirement: 'LOGIN-4',
    wrap: acceptLogin(({ username, password }) => typeof username === 'string' && password === undefined),
  },
  {
    id: 'login-without-username',
    title: 'Without a username, the password alone finds the user.',
    requirement: 'LOGIN-4',
    wrap: acceptLogin(({ username, password }) => username === undefined && typeof password === 'string'),
  },
  {
    id: 'login-without-both',
    title: 'A login with neither a username nor a password goes on with the first user.',
    requirement: 'LOGIN-4',
    wrap: acceptLogin(({ username, password }) => username === undefined && password === undefined),
  },
  {
    id: 'login-without-password-beside-a-session',
    title: 'A user who has a session is let in without a password.',
    requirement: 'LOGIN-4',
    wrap: acceptLogin(
      ({ username, password }, { sessions }) =>
        password === undefined && [...sessions.values()].some((session) => session.username === username),
    ),
  },
  {
    id: 'password-null-matches-any',
    title: 'The password null matches any.',
    requirement: 'LOGIN-5',
    wrap: acceptLogin(({ username, password }) => typeof username === 'string' && password === null),
  },
  {
    id: 'password-operator-matches-any',
    title: 'A password that is an object is taken for a query operator and matches any.',
    requirement: 'LOGIN-5',
    wrap: acceptLogin(({ username, password }) => typeof username === 'string' && hasOperator(password)),
  },
  {
    id: 'username-list-matches-first',
    title: 'A username that is a list matches the first user.',
    requirement: 'LOGIN-5',
    wrap: acceptLogin(({ username, password }) => Array.isArray(username) && typeof password === 'string'),
  },
  {
    id: 'username-list-of-right-one-matches',
    title: 'A list that holds the username alone is taken for it.',
    requirement: 'LOGIN-5',
    wrap: acceptLogin(
      ({ username, password }, { users }) =>
        Array.isArray(username) && users.has(String(username)) && typeof password === 'string',
    ),
  },
  {
    id: 'username-number-matches-a-row',
    title: 'A username that is a number finds the user by the number of the row.',
    requirement: 'LOGIN-5',
    wrap: acceptLogin(
      ({ username, password }) => typeof username === 'number' && typeof password === 'string',
    ),
  },
  {
    id: 'username-null-matches-first',
    title: 'The username null matches the first user.',
    requirement: 'LOGIN-5',
    wrap: acceptLogin(({ username, password }) => username === null && typeof password === 'string'),
  },
  {
    id: 'username-operator-matches-any',
    title: 'A username that is an object is taken for a query operator and matches the first user.',
    requirement: 'LOGIN-5',
    wrap: acceptLogin(({ username, password }) => hasOperator(username) && typeof password === 'string'),
  },
  {
    id: 'password-number-matches-any',
    title: 'A password that is a number matches any.',
    requirement: 'LOGIN-5',
    wrap: acceptLogin(
      ({ username, password }) => typeof username === 'string' && typeof password === 'number',
    ),
  },
  {
    id: 'password-list-of-right-one-matches',
    title: 'A list that holds the right password alone is taken for it.',
    requirement: 'LOGIN-5',
    wrap: combineWraps(
      changeInput('login', ({ input: { password } }) =>
        isSingleton(password) ? { password: password[0] } : undefined,
      ),
      wrapValidation('login', (call, body, next) => {
        if (body.problem || !isSingleton(call.input.password)) next();
      }),
    ),
  },
];

/** Accepts logins for the user they name, or for the first user if they name none. */
function acceptLogin(when: (input: Values, world: World) => boolean): Wrap {
  return combineWraps(
    wrapHandler(['login'], (call, next) =>
      when(call.input, call.world) ? loginAs(call, usernameOf(call)) : next(call),
    ),
    wrapValidation('login', (call, body, next) => {
      if (body.problem || !when(call.input, call.world)) next();
    }),
  );
}

function usernameOf({ input, world }: AnyCall): string {
  const [first = ''] = world.users.keys();
  const username = String(input.username);
  return world.users.has(username) ? username : first;
}

function isSingleton(value: unknown): value is readonly [unknown] {
  return Array.isArray(value) && value.length === 1;
}

/** Whether a value looks like the query of a document store. */
function hasOperator(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).some((key) => key.startsWith('$'));
}
