import { badCredentials, unauthenticated } from '../http/api-errors.ts';
import type { AnyCall, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { World } from '../world/world.ts';
import { isFirstTenant, isLaterUser, truncateToken } from './caller-tools.ts';
import { combineWraps, faultsOf, remarked, type Wrap } from './fault.ts';
import { goOnWith } from './results.ts';
import { acceptPasswordsOfOthers, acceptSimilarPasswords } from './similar-credentials.ts';
import { changeEnvelope } from './wrap-answers.ts';
import { changeInput, loginAs, wrapAuthentication, wrapHandler, wrapValidation } from './wrap-calls.ts';

/** Faults in logins. */
export const loginFaults = faultsOf({
  'LOGIN-1': {
    'token-cut-short: The token in the answer to a login lacks its last character.': () =>
      truncateToken('login'),
    'token-of-later-users-cut-short: The token of a login lacks its last character, except for the first user of a tenant.':
      () => truncateToken('login', ({ world, input }) => isLaterUser(world, String(input.username))),
    'token-of-later-tenants-cut-short: The token of a login lacks its last character, except for users of the first tenant.':
      () =>
        truncateToken(
          'login',
          ({ world, input }) => !isFirstTenant(world, world.users.get(String(input.username))?.tenantId),
        ),
  },
  'LOGIN-2': {
    'login-asks-for-authorization: A login without an Authorization header is refused.': () =>
      wrapAuthentication(({ operation, header }, next) => {
        if (operation === 'login' && header === undefined)
          throw unauthenticated('the Authorization header is missing');
        return next();
      }),
    'second-login-asks-for-authorization: Users who have logged in already are refused another login without an Authorization header.':
      (_tools, sent = new WeakMap<AnyCall, string | undefined>()) =>
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
  },
  'LOGIN-3': {
    'any-password-of-right-length: A password is compared with the right one by its length alone.': (
      { memory },
      lengths = memory.map<number>('lengths'),
    ) =>
      wrapHandler(['login'], (call, next, change) => {
        const username = usernameOf(call);
        const { length } = String(call.input.password);
        if (lengths.get(username) === length) return loginAs(call, username);
        return goOnWith(next(call), change, (values) => {
          lengths.set(username, length);
          return values;
        });
      }),
    'token-in-refusal-of-wrong-password: The refusal of a wrong password of a known user contains a token.':
      () =>
        changeEnvelope(
          ({ exchange }) => exchange.operation === 'login' && exchange.refusal === badCredentials().message,
          () => ({ data: { token: `st_${digest('refused').slice(0, 32)}` } }),
        ),
    'password-compared-without-case: Passwords are compared without regard to case.': remarked(
      'lenient-password',
      () => acceptSimilarPasswords('in another case'),
    ),
    'password-with-more-behind-taken: What follows the right password is ignored.': () =>
      acceptSimilarPasswords('extended'),
    'password-cut-short-taken: The beginning of the right password is enough.': () =>
      acceptSimilarPasswords('truncated'),
    'password-of-any-user-taken: The right password of another user will do.': () => acceptPasswordsOfOthers,
    'empty-password-taken: A known user with an empty password is let in.': () =>
      acceptLogin(({ username, password }) => typeof username === 'string' && password === ''),
    'unknown-user-let-in: A login of an unknown user creates the user.': () =>
      wrapHandler(['login'], (call, next) => {
        const { username } = call.input;
        const isKnown = typeof username !== 'string' || call.world.users.has(username);
        return isKnown ? next(call) : loginAs(call, username);
      }),
  },
  'LOGIN-4': {
    'login-without-password: A known user who sends no password is let in.': () =>
      acceptLogin(({ username, password }) => typeof username === 'string' && password === undefined),
    'login-without-username: Without a username, the password alone finds the user.': () =>
      acceptLogin(({ username, password }) => username === undefined && typeof password === 'string'),
    'login-without-both: A login with neither a username nor a password goes on with the first user.': () =>
      acceptLogin(({ username, password }) => username === undefined && password === undefined),
    'login-without-password-beside-a-session: A user who has a session is let in without a password.': () =>
      acceptLogin(
        ({ username, password }, { sessions }) =>
          password === undefined && [...sessions.values()].some((session) => session.username === username),
      ),
  },
  'LOGIN-5': {
    'password-null-matches-any: The password null matches any.': () =>
      acceptLogin(({ username, password }) => typeof username === 'string' && password === null),
    'password-operator-matches-any: A password that is an object is taken for a query operator and matches any.':
      () => acceptLogin(({ username, password }) => typeof username === 'string' && hasOperator(password)),
    'username-list-matches-first: A username that is a list matches the first user.': () =>
      acceptLogin(({ username, password }) => Array.isArray(username) && typeof password === 'string'),
    'username-list-of-right-one-matches: A list that holds the username alone is taken for it.': () =>
      acceptLogin(
        ({ username, password }, { users }) =>
          Array.isArray(username) && users.has(String(username)) && typeof password === 'string',
      ),
    'username-number-matches-a-row: A username that is a number finds the user by the number of the row.':
      () =>
        acceptLogin(({ username, password }) => typeof username === 'number' && typeof password === 'string'),
    'username-null-matches-first: The username null matches the first user.': () =>
      acceptLogin(({ username, password }) => username === null && typeof password === 'string'),
    'username-operator-matches-any: A username that is an object is taken for a query operator and matches the first user.':
      () => acceptLogin(({ username, password }) => hasOperator(username) && typeof password === 'string'),
    'password-number-matches-any: A password that is a number matches any.': () =>
      acceptLogin(({ username, password }) => typeof username === 'string' && typeof password === 'number'),
    'password-list-of-right-one-matches: A list that holds the right password alone is taken for it.': () =>
      combineWraps(
        changeInput('login', ({ input: { password } }) =>
          isSingleton(password) ? { password: password[0] } : undefined,
        ),
        wrapValidation('login', (call, body, next) => {
          if (body.problem || !isSingleton(call.input.password)) next();
        }),
      ),
  },
});

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
