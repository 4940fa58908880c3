import { badCredentials, unauthenticated } from '../http/api-errors.ts';
import type { AnyCall } from '../service.ts';
import { digest, isPasswordOf } from '../world/digests.ts';
import {
  acceptLogin,
  acceptSimilarTokens,
  byKey,
  byLaterUser,
  type CallerTest,
  isLapsed,
  isLike,
  type Likeness,
  latestCaller,
  loginAs,
  namesLaterUser,
  namesUser,
  ofLaterTenant,
  type Test,
  trackRenewals,
  withEmptyBearer,
  withInvented,
  withoutHeader,
} from './callers.ts';
import { isAnswerTo, isRefusedFor, setMember } from './envelope-faults.ts';
import {
  after,
  always,
  both,
  combineWraps,
  faultsOf,
  isEmpty,
  isMissing,
  isNull,
  isNumber,
  isText,
  not,
  type Wrap,
  withMemory,
} from './fault.ts';
import {
  acceptInvalid,
  admitCaller,
  type CallTest,
  changeCall,
  changeResult,
  recoverFrom,
  rejectCaller,
  watchResult,
  wrapAuthentication,
  wrapHandler,
} from './wrap-calls.ts';

const isRefusedPassword = both(isAnswerTo('login'), isRefusedFor(badCredentials().message));
const isKnownUser: Test = (username, { users }) => users.has(String(username));
const isPasswordOfAny: Test = (password, { users }) =>
  isText(password) && [...users.values()].some((user) => isPasswordOf(user, password));
const hasSession: Test = (username, { sessions }) => sessions.of(String(username)).size > 0;
const namesLaterTenant: CallTest = ({ input, world: { users } }) =>
  users.get(String(input.username))?.tenantId !== 1;

export const sessionFaults = faultsOf({
  'LOGIN-1 token-cut-short: The token in the answer to a login lacks its last character.': () =>
    cutToken('login'),
  'LOGIN-1 token-of-later-users-cut-short: The token of a login lacks its last character, except for the first user of a tenant.':
    () => cutToken('login', namesLaterUser),
  'LOGIN-1 token-of-later-tenants-cut-short: The token of a login lacks its last character, except for users of the first tenant.':
    () => cutToken('login', namesLaterTenant),
  'LOGIN-2 login-asks-for-authorization: A login without an Authorization header is rejected.': () =>
    rejectCaller('login', 'the Authorization header is missing', withoutHeader),
  'LOGIN-2 second-login-asks-for-authorization: After their first login, users cannot log in without an Authorization header.':
    () =>
      after('repetitionKeyOf', (key, { operation, input, world }, { headers }) => {
        if (operation.id === 'login' && !headers.authorization && hasSession(input.username, world))
          throw unauthenticated('there is a session already; the Authorization header is missing');
        return key;
      }),
  'LOGIN-3 any-password-of-right-length: Only the length of a password is checked.': () =>
    acceptPasswords('of the same length'),
  'LOGIN-3 token-in-refusal-of-wrong-password: The answer to a wrong password of a known user contains a token.':
    () => setMember(isRefusedPassword, 'data.token', `st_${digest('refused').slice(0, 32)}`),
  'LOGIN-3 password-compared-without-case (remark lenient-password): Passwords are compared without case.':
    () => acceptPasswords('in another case'),
  'LOGIN-3 password-with-more-behind-taken: Extra characters after the correct password are ignored.': () =>
    acceptPasswords('extended'),
  'LOGIN-3 password-cut-short-taken: A truncated password is accepted.': () => acceptPasswords('cut short'),
  'LOGIN-3 password-of-any-user-taken: The password of another user is accepted.': () =>
    acceptLogin(both(isKnownUser, isText), isPasswordOfAny),
  'LOGIN-3 empty-password-taken: A known user can log in with an empty password.': () =>
    acceptLogin(isText, isEmpty),
  'LOGIN-3 unknown-user-let-in: A login of an unknown user creates that user.': () =>
    wrapHandler('login', (call, next) => (namesUser(call) ? next(call) : loginAs(call))),
  'LOGIN-4 login-without-password: A known user can log in without a password.': () =>
    acceptLogin(isText, isMissing),
  'LOGIN-4 login-without-username: A login without a username finds the user by the password.': () =>
    acceptLogin(isMissing, isText),
  'LOGIN-4 login-without-both: A login without a username and a password logs in the first user.': () =>
    acceptLogin(isMissing, isMissing),
  'LOGIN-4 login-without-password-beside-a-session: A user who has a session can log in without a password.':
    () => acceptLogin(hasSession, isMissing),
  'LOGIN-5 password-null-matches-any: The password null matches any password.': () =>
    acceptLogin(isText, isNull),
  'LOGIN-5 password-operator-matches-any: A password that is an object is used as a query operator and matches any password.':
    () => acceptLogin(isText, isOperator),
  'LOGIN-5 username-list-matches-first: A username that is a list matches the first user.': () =>
    acceptLogin(Array.isArray, isText),
  'LOGIN-5 username-list-of-right-one-matches: A list with only the username is accepted as the username.':
    () => acceptLogin(both(isKnownUser, Array.isArray), isText),
  'LOGIN-5 username-number-matches-a-row: A username that is a number selects the user by row number.': () =>
    acceptLogin(isNumber, isText),
  'LOGIN-5 username-null-matches-first: The username null matches the first user.': () =>
    acceptLogin(isNull, isText),
  'LOGIN-5 username-operator-matches-any: A username that is an object is used as a query operator and matches the first user.':
    () => acceptLogin(isOperator, isText),
  'LOGIN-5 password-number-matches-any: A password that is a number matches any password.': () =>
    acceptLogin(isText, isNumber),
  'LOGIN-5 password-list-of-right-one-matches: A list with only the correct password is accepted as the password.':
    () =>
      acceptInvalid('login', ({ input: { password } }) =>
        Array.isArray(password) && password.length === 1 ? { password: password[0] } : undefined,
      ),
  'REFRESH-1 renewed-token-cut-short: The token in the answer to a renewal lacks its last character.': () =>
    cutToken('refresh'),
  'REFRESH-1 renewed-token-expires-at-once: A renewed token has already expired, because its lifetime is subtracted.':
    () => changeCall('refresh', (call) => ({ ...call, now: call.now - lifetimeMs(call) })),
  'REFRESH-1 renewed-token-not-renewed-again: A renewed token cannot be renewed.': () =>
    trackRenewals((isRenewed) => rejectCaller('refresh', 'the session has been renewed already', isRenewed)),
  'REFRESH-1 token-of-second-renewal-cut-short: The renewal of a renewed token returns a token without its last character.':
    () => trackRenewals((isRenewed) => cutToken('refresh', isRenewed)),
  'REFRESH-1 renewed-token-of-later-tenants-cut-short: A renewed token lacks its last character, except for the first tenant.':
    () => cutToken('refresh', ofLaterTenant),
  'REFRESH-2 refresh-without-authorization: A renewal without Authorization renews the latest session.': () =>
    admitCaller('refresh', withoutHeader, latestCaller),
  'REFRESH-2 refresh-by-basic (remark other-scheme): A renewal also accepts the token as the password of the scheme Basic.':
    () =>
      renewBy((header) =>
        header.replace(/^Basic +(\S+)$/i, (_all, text) => `Bearer ${atob(text).split(':')[1]}`),
      ),
  'REFRESH-2 refresh-by-any-scheme (remark other-scheme): A renewal accepts any word instead of Bearer.':
    () => renewBy((header) => header.replace(/^\w+ +/, 'Bearer ')),
  'REFRESH-2 refresh-by-empty-bearer: A renewal with an empty Bearer token renews the latest session.': () =>
    admitCaller('refresh', withEmptyBearer, latestCaller),
  'REFRESH-2 refresh-of-api-key (remark key-renewed): The refresh endpoint gives the latest session to an API key.':
    () => changeCall('refresh', (call) => (byKey(call) ? { ...call, caller: latestCaller(call) } : call)),
  'REFRESH-3 refresh-of-invented-token: Any token with the right format is renewed.': () =>
    admitCaller('refresh', withInvented('st_'), latestCaller),
  'REFRESH-3 refresh-of-invented-token-to-another: Renewing a made-up token succeeds, but the new token is not accepted.':
    () =>
      combineWraps(
        admitCaller('refresh', withInvented('st_')),
        wrapHandler('refresh', (call, next) =>
          call.caller ? next(call) : { token: `st_${digest('nobody').slice(0, 32)}` },
        ),
      ),
  'REFRESH-3 refresh-of-token-cut-short: A truncated session token is renewed.': () =>
    acceptSimilarTokens('refresh', 'st_', 'cut short'),
  'REFRESH-3 refresh-of-token-with-more-behind: A renewal ignores extra characters after a session token.':
    () => acceptSimilarTokens('refresh', 'st_', 'extended'),
  'REFRESH-3 refresh-of-token-with-another-end: A renewal does not check the last characters of a session token, such as a signature.':
    () => acceptSimilarTokens('refresh', 'st_', 'with another end'),
  'REFRESH-3 refresh-of-token-one-off: A session token with one wrong character is renewed.': () =>
    acceptSimilarTokens('refresh', 'st_', 'with one wrong character'),
  'REFRESH-4 expired-token-not-renewed: An expired token is not renewed.': () => rejectExpired(),
  'REFRESH-4 expired-token-renewed-to-expired-one: The renewal of an expired token does not change its expiry.':
    () =>
      changeCall('refresh', (call) =>
        isLapsed(call) ? { ...call, now: Number(call.caller?.session?.expiresAt) - lifetimeMs(call) } : call,
      ),
  'REFRESH-4 expired-login-token-not-renewed: An expired token is renewed only if it came from a renewal.':
    () => trackRenewals((isRenewed) => rejectExpired(not(isRenewed))),
  'REFRESH-4 expired-token-of-later-users-not-renewed: An expired token is renewed only for the first user of a tenant.':
    () => rejectExpired(byLaterUser),
});

/** Compares with the password of the user's last login, since the world stores only digests. */
function acceptPasswords(likeness: Likeness): Wrap {
  return withMemory((memory, known = memory.map<string>('known')) =>
    combineWraps(
      watchResult('login', (_values, { input }) => known.set(String(input.username), String(input.password))),
      recoverFrom('login', (error, call) => {
        const { username, password } = call.input;
        if (!isLike(likeness, String(password), known.get(String(username)) ?? '')) throw error;
        return loginAs(call);
      }),
    ),
  );
}

/** An object such as `{"$ne": null}`, which a document store takes for a query. */
function isOperator(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).some((key) => key.startsWith('$'));
}

function lifetimeMs({ profile }: AnyCall): number {
  return profile.values['token.lifetime'] * 1000;
}

function renewBy(read: (header: string) => string): Wrap {
  return wrapAuthentication('refresh', ({ header }, next) => next({ header: header && read(header) }));
}

function rejectExpired(when: CallerTest = always): Wrap {
  return rejectCaller('refresh', 'the token has expired', (access) => isLapsed(access) && when(access));
}

function cutToken(id: 'login' | 'refresh', when: CallTest = always): Wrap {
  return changeResult(id, (values, call) =>
    when(call) ? { ...values, token: String(values.token).slice(0, -1) } : values,
  );
}
