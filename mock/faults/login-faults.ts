import { badCredentials, unauthenticated } from '../http/api-errors.ts';
import type { AnyCall } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { World } from '../world/world.ts';
import { cutToken, isLike, type Likeness, loginAs, namesLaterTenant, namesLaterUser } from './callers.ts';
import { after, both, combineWraps, faultsOf, remarked, type Wrap, withMemory } from './fault.ts';
import { isEmpty, isMissing, isNull, isNumber, isText } from './values.ts';
import { isAnswerTo, isRefusedFor, setMember } from './wrap-answers.ts';
import {
  acceptInvalid,
  type CallTest,
  recoverFrom,
  rejectCall,
  watchResult,
  wrapAuthentication,
  wrapHandler,
  wrapValidation,
} from './wrap-calls.ts';

const isRefusedPassword = both(isAnswerTo('login'), isRefusedFor(badCredentials().message));

type Test = (value: unknown, world: World) => boolean;

const hasSession: Test = (username, { sessions }) => sessions.of(String(username)).size > 0;

/** Faults in logins. */
export const loginFaults = faultsOf({
  'LOGIN-1': {
    'token-cut-short: The token in the answer to a login lacks its last character.': () => cutToken('login'),
    'token-of-later-users-cut-short: The token of a login lacks its last character, except for the first user of a tenant.':
      () => cutToken('login', namesLaterUser),
    'token-of-later-tenants-cut-short: The token of a login lacks its last character, except for users of the first tenant.':
      () => cutToken('login', namesLaterTenant),
  },
  'LOGIN-2': {
    'login-asks-for-authorization: A login without an Authorization header is refused.': () =>
      wrapAuthentication(({ header }, next) => {
        if (header === undefined) throw unauthenticated('the Authorization header is missing');
        return next();
      }, 'login'),
    'second-login-asks-for-authorization: Users who have logged in already are refused another login without an Authorization header.':
      (_tools, bare = new WeakSet<AnyCall>()) =>
        combineWraps(
          rejectCall(
            'login',
            (call) => bare.has(call) && hasSession(call.input.username, call.world),
            () => unauthenticated('there is a session already; the Authorization header is missing'),
          ),
          after('repetitionKeyOf', (key, call, { headers }) => {
            if (headers.authorization === undefined) bare.add(call);
            return key;
          }),
        ),
  },
  'LOGIN-3': {
    'any-password-of-right-length: A password is compared with the right one by its length alone.': (
      { memory },
      lengths = memory.map<number>('lengths'),
    ) =>
      combineWraps(
        watchResult('login', (_values, call) => lengths.set(usernameOf(call), lengthOfPassword(call))),
        changeLogin((call) => lengths.get(usernameOf(call)) === lengthOfPassword(call)),
      ),
    'token-in-refusal-of-wrong-password: The refusal of a wrong password of a known user contains a token.':
      () => setMember(isRefusedPassword, 'data.token', `st_${digest('refused').slice(0, 32)}`),
    'password-compared-without-case: Passwords are compared without regard to case.': remarked(
      'lenient-password',
      () => acceptPasswords('in another case'),
    ),
    'password-with-more-behind-taken: What follows the right password is ignored.': () =>
      acceptPasswords('extended'),
    'password-cut-short-taken: The beginning of the right password is enough.': () =>
      acceptPasswords('cut short'),
    'password-of-any-user-taken: The right password of another user will do.': () =>
      acceptPasswords('of any user'),
    'empty-password-taken: A known user with an empty password is let in.': () =>
      acceptLogin(isText, isEmpty),
    'unknown-user-let-in: A login of an unknown user creates the user.': () =>
      wrapHandler('login', (call, next) =>
        call.world.users.has(String(call.input.username))
          ? next(call)
          : loginAs(call, String(call.input.username)),
      ),
  },
  'LOGIN-4': {
    'login-without-password: A known user who sends no password is let in.': () =>
      acceptLogin(isText, isMissing),
    'login-without-username: Without a username, the password alone finds the user.': () =>
      acceptLogin(isMissing, isText),
    'login-without-both: A login with neither a username nor a password goes on with the first user.': () =>
      acceptLogin(isMissing, isMissing),
    'login-without-password-beside-a-session: A user who has a session is let in without a password.': () =>
      acceptLogin(hasSession, isMissing),
  },
  'LOGIN-5': {
    'password-null-matches-any: The password null matches any.': () => acceptLogin(isText, isNull),
    'password-operator-matches-any: A password that is an object is taken for a query operator and matches any.':
      () => acceptLogin(isText, isOperator),
    'username-list-matches-first: A username that is a list matches the first user.': () =>
      acceptLogin(Array.isArray, isText),
    'username-list-of-right-one-matches: A list that holds the username alone is taken for it.': () =>
      acceptLogin((username, { users }) => Array.isArray(username) && users.has(String(username)), isText),
    'username-number-matches-a-row: A username that is a number finds the user by the number of the row.':
      () => acceptLogin(isNumber, isText),
    'username-null-matches-first: The username null matches the first user.': () =>
      acceptLogin(isNull, isText),
    'username-operator-matches-any: A username that is an object is taken for a query operator and matches the first user.':
      () => acceptLogin(isOperator, isText),
    'password-number-matches-any: A password that is a number matches any.': () =>
      acceptLogin(isText, isNumber),
    'password-list-of-right-one-matches: A list that holds the right password alone is taken for it.': () =>
      acceptInvalid('login', ({ input: { password } }) =>
        Array.isArray(password) && password.length === 1 ? { password: password[0] } : undefined,
      ),
  },
});

/** Lets the user in whom a login names, or the first user. */
function changeLogin(when: CallTest): Wrap {
  return wrapHandler('login', (call, next) => (when(call) ? loginAs(call, usernameOf(call)) : next(call)));
}

/** Accepts a username and a password of some kinds. */
export function acceptLogin(isUsername: Test, isPassword: Test): Wrap {
  const isTaken: CallTest = ({ input: { username, password }, world }) =>
    isUsername(username, world) && isPassword(password, world);
  return combineWraps(
    changeLogin(isTaken),
    wrapValidation('login', (call, body, next) => {
      if (body.problem || !isTaken(call)) next();
    }),
  );
}

function lengthOfPassword({ input }: AnyCall): number {
  return String(input.password).length;
}

function usernameOf({ input, world: { users } }: AnyCall): string {
  const [first = ''] = users.keys();
  const username = String(input.username);
  return users.has(username) ? username : first;
}

/** Accepts a password like one that the user has logged in with before, or one of any user. */
function acceptPasswords(likeness: Likeness | 'of any user'): Wrap {
  return withMemory((memory, known = memory.map<string>('known')) => {
    const isTaken = ({ username, password }: AnyCall['input']) =>
      likeness === 'of any user'
        ? known.entries().some(([, right]) => right === password)
        : isLike(likeness, String(password), known.get(String(username)) ?? '');
    return combineWraps(
      watchResult('login', (_values, { input }) => known.set(String(input.username), String(input.password))),
      wrapHandler('login', (call, next, change) =>
        recoverFrom(
          () => next(call),
          change,
          (error) => {
            const username = String(call.input.username);
            if (!call.world.users.has(username) || !isTaken(call.input)) throw error;
            return loginAs(call, username);
          },
        ),
      ),
    );
  });
}

/** Whether a value looks like the query of a document store. */
function isOperator(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).some((key) => key.startsWith('$'));
}
