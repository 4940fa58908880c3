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
  'LOGIN-1 token-cut-short: returns a login token without its last character': () => cutToken('login'),
  'LOGIN-1 token-of-later-users-cut-short: returns truncated login tokens to all users of a tenant except the first':
    () => cutToken('login', namesLaterUser),
  'LOGIN-1 token-of-later-tenants-cut-short: returns truncated login tokens to all tenants except the first':
    () => cutToken('login', namesLaterTenant),
  'LOGIN-2 login-asks-for-authorization: rejects a login without an Authorization header': () =>
    rejectCaller('login', 'the Authorization header is missing', withoutHeader),
  "LOGIN-2 second-login-asks-for-authorization: rejects logins without an Authorization header after a user's first login":
    () =>
      after('repetitionKeyOf', (key, { operation, input, world }, { headers }) => {
        if (operation.id === 'login' && !headers.authorization && hasSession(input.username, world))
          throw unauthenticated('there is a session already; the Authorization header is missing');
        return key;
      }),
  'LOGIN-3 any-password-of-right-length: accepts any password that has the correct length': () =>
    acceptPasswords('of the same length'),
  'LOGIN-3 token-in-refusal-of-wrong-password: returns a token when it rejects the wrong password of a known user':
    () => setMember(isRefusedPassword, 'data.token', `st_${digest('refused').slice(0, 32)}`),
  'LOGIN-3 password-compared-without-case (remark lenient-password): compares passwords without case': () =>
    acceptPasswords('in another case'),
  'LOGIN-3 password-with-more-behind-taken: accepts a password with extra characters at its end': () =>
    acceptPasswords('extended'),
  'LOGIN-3 password-cut-short-taken: accepts a truncated password': () => acceptPasswords('cut short'),
  'LOGIN-3 password-of-any-user-taken: accepts the password of another user': () =>
    acceptLogin(both(isKnownUser, isText), isPasswordOfAny),
  'LOGIN-3 empty-password-taken: accepts an empty password for any known user': () =>
    acceptLogin(isText, isEmpty),
  'LOGIN-3 unknown-user-let-in: creates a user when an unknown one logs in': () =>
    wrapHandler('login', (call, next) => (namesUser(call) ? next(call) : loginAs(call))),
  'LOGIN-4 login-without-password: accepts a login of a known user without a password': () =>
    acceptLogin(isText, isMissing),
  'LOGIN-4 login-without-username: accepts a login without a username, and finds the user by the password':
    () => acceptLogin(isMissing, isText),
  'LOGIN-4 login-without-both: accepts a login without username and password as the first user': () =>
    acceptLogin(isMissing, isMissing),
  'LOGIN-4 login-without-password-beside-a-session: accepts a login without a password if the user has a session':
    () => acceptLogin(hasSession, isMissing),
  'LOGIN-5 password-null-matches-any: accepts null as any password': () => acceptLogin(isText, isNull),
  'LOGIN-5 password-operator-matches-any: accepts an object as any password, like a query operator': () =>
    acceptLogin(isText, isOperator),
  'LOGIN-5 username-list-matches-first: accepts a list as the username of the first user': () =>
    acceptLogin(Array.isArray, isText),
  'LOGIN-5 username-list-of-right-one-matches: accepts a username inside a list': () =>
    acceptLogin(both(isKnownUser, Array.isArray), isText),
  'LOGIN-5 username-number-matches-a-row: accepts a number as username, and selects the user by row': () =>
    acceptLogin(isNumber, isText),
  'LOGIN-5 username-null-matches-first: accepts null as the username of the first user': () =>
    acceptLogin(isNull, isText),
  "LOGIN-5 username-operator-matches-any: accepts an object as the first user's username, like a query operator":
    () => acceptLogin(isOperator, isText),
  'LOGIN-5 password-number-matches-any: accepts a number as any password': () =>
    acceptLogin(isText, isNumber),
  'LOGIN-5 password-list-of-right-one-matches: accepts the correct password inside a list': () =>
    acceptInvalid('login', ({ input: { password } }) =>
      Array.isArray(password) && password.length === 1 ? { password: password[0] } : undefined,
    ),
  'REFRESH-1 renewed-token-cut-short: returns a renewed token without its last character': () =>
    cutToken('refresh'),
  'REFRESH-1 renewed-token-expires-at-once: returns renewed tokens that have already expired': () =>
    changeCall('refresh', (call) => ({ ...call, now: call.now - lifetimeMs(call) })),
  'REFRESH-1 renewed-token-not-renewed-again: rejects the renewal of a renewed token': () =>
    trackRenewals((isRenewed) => rejectCaller('refresh', 'the session has been renewed already', isRenewed)),
  'REFRESH-1 token-of-second-renewal-cut-short: returns a truncated token when it renews a renewed token':
    () => trackRenewals((isRenewed) => cutToken('refresh', isRenewed)),
  'REFRESH-1 renewed-token-of-later-tenants-cut-short: returns truncated renewed tokens to all tenants except the first':
    () => cutToken('refresh', ofLaterTenant),
  'REFRESH-2 refresh-without-authorization: renews the latest session if a renewal has no Authorization header':
    () => admitCaller('refresh', withoutHeader, latestCaller),
  'REFRESH-2 refresh-by-basic (remark other-scheme): renews a token sent as the password of the scheme Basic':
    () =>
      renewBy((header) =>
        header.replace(/^Basic +(\S+)$/i, (_all, text) => `Bearer ${atob(text).split(':')[1]}`),
      ),
  'REFRESH-2 refresh-by-any-scheme (remark other-scheme): renews a token after any word instead of Bearer':
    () => renewBy((header) => header.replace(/^\w+ +/, 'Bearer ')),
  'REFRESH-2 refresh-by-empty-bearer: renews the latest session if the Bearer token is empty': () =>
    admitCaller('refresh', withEmptyBearer, latestCaller),
  'REFRESH-2 refresh-of-api-key (remark key-renewed): renews the latest session for an API key': () =>
    changeCall('refresh', (call) => (byKey(call) ? { ...call, caller: latestCaller(call) } : call)),
  'REFRESH-3 refresh-of-invented-token: renews any token of the right format': () =>
    admitCaller('refresh', withInvented('st_'), latestCaller),
  'REFRESH-3 refresh-of-invented-token-to-another: answers the renewal of a made-up token with a token that never works':
    () =>
      combineWraps(
        admitCaller('refresh', withInvented('st_')),
        wrapHandler('refresh', (call, next) =>
          call.caller ? next(call) : { token: `st_${digest('nobody').slice(0, 32)}` },
        ),
      ),
  'REFRESH-3 refresh-of-token-cut-short: renews a truncated session token': () =>
    acceptSimilarTokens('refresh', 'st_', 'cut short'),
  'REFRESH-3 refresh-of-token-with-more-behind: renews a session token with extra characters at its end':
    () => acceptSimilarTokens('refresh', 'st_', 'extended'),
  'REFRESH-3 refresh-of-token-with-another-end: renews a token whose last characters, such as its signature, are wrong':
    () => acceptSimilarTokens('refresh', 'st_', 'with another end'),
  'REFRESH-3 refresh-of-token-one-off: renews a session token with one wrong character': () =>
    acceptSimilarTokens('refresh', 'st_', 'with one wrong character'),
  'REFRESH-4 expired-token-not-renewed: rejects the renewal of an expired token': () => rejectExpired(),
  'REFRESH-4 expired-token-renewed-to-expired-one: renews an expired token without changing its expiry': () =>
    changeCall('refresh', (call) =>
      isLapsed(call) ? { ...call, now: Number(call.caller?.session?.expiresAt) - lifetimeMs(call) } : call,
    ),
  'REFRESH-4 expired-login-token-not-renewed: rejects the renewal of an expired token that came from a login':
    () => trackRenewals((isRenewed) => rejectExpired(not(isRenewed))),
  'REFRESH-4 expired-token-of-later-users-not-renewed: renews expired tokens only for the first user of a tenant':
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
