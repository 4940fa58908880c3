// Faults in who is let in: logins, renewals, sessions, API keys, and callers who are taken for others.
import type { OperationId } from '../../openapi/operations.ts';
import { badCredentials, unauthenticated } from '../http/api-errors.ts';
import { refresh } from '../operations/sessions.ts';
import type { AnyCall, Caller, Values } from '../service.ts';
import { digest, isPasswordOf } from '../world/digests.ts';
import type { World } from '../world/world.ts';
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
  type AccessRequest,
  acceptInvalid,
  admitCaller,
  type CallTest,
  callAs,
  changeCall,
  changeResult,
  type Ids,
  recoverFrom,
  rejectCaller,
  remember,
  watchResult,
  wrapAuthentication,
  wrapHandler,
  wrapValidation,
} from './wrap-calls.ts';

type CallerTest = (access: Pick<AnyCall, 'caller' | 'world' | 'now'>) => boolean;
type HeaderTest = (access: Pick<AccessRequest, 'header' | 'world'>) => boolean;

export const bySession: CallerTest = ({ caller }) => caller?.session !== undefined;
export const byKey: CallerTest = not(bySession);

/** The first tenant of a world has the number 1. */
export const ofLaterTenant: CallerTest = ({ caller }) => (caller?.tenantId ?? 1) > 1;

/** By the session of a user of a tenant who is not its first. */
export const byLaterUser: CallerTest = ({ caller, world }) => isLaterUser(world, caller?.session?.username);

/** Whether a login names such a user. */
export const namesLaterUser: CallTest = ({ input, world }) => isLaterUser(world, input.username);

const withoutHeader: HeaderTest = ({ header }) => header === undefined;

/** With the word Bearer and no token. */
const withEmptyBearer: HeaderTest = ({ header = '' }) => /^Bearer *$/i.test(header);

/** With a made-up token or key. An expired token is not made up: its session is known. */
function withInvented(prefix: 'st_' | 'sp_'): HeaderTest {
  return ({ header = '', world: { sessions } }) =>
    header.startsWith(`Bearer ${prefix}`) && !sessions.has(digest(header.slice('Bearer '.length)));
}

const isRefusedPassword = both(isAnswerTo('login'), isRefusedFor(badCredentials().message));

type Test = (value: unknown, world: World) => boolean;

/** Whether a login names a user whom there is. */
export const namesUser: CallTest = ({ input, world: { users } }) => users.has(String(input.username));
const isKnownUser: Test = (username, { users }) => users.has(String(username));
const isPasswordOfAny: Test = (password, { users }) =>
  isText(password) && [...users.values()].some((user) => isPasswordOf(user, password));
const hasSession: Test = (username, { sessions }) => sessions.of(String(username)).size > 0;
const namesLaterTenant: CallTest = ({ input, world: { users } }) =>
  users.get(String(input.username))?.tenantId !== 1;
const isLapsed: CallerTest = ({ caller, now }) =>
  caller?.session !== undefined && now >= caller.session.expiresAt;
const subscriptionCalls: readonly OperationId[] = ['createSubscription', 'testSubscription'];

/** Faults in logins and renewals, and in who may call what. */
export const accessFaults = faultsOf({
  'LOGIN-1 token-cut-short: The token in the answer to a login lacks its last character.': () =>
    cutToken('login'),
  'LOGIN-1 token-of-later-users-cut-short: The token of a login lacks its last character, except for the first user of a tenant.':
    () => cutToken('login', namesLaterUser),
  'LOGIN-1 token-of-later-tenants-cut-short: The token of a login lacks its last character, except for users of the first tenant.':
    () => cutToken('login', namesLaterTenant),
  'LOGIN-2 login-asks-for-authorization: A login without an Authorization header is refused.': () =>
    rejectCaller('login', 'the Authorization header is missing', withoutHeader),
  'LOGIN-2 second-login-asks-for-authorization: Users who have logged in already are refused another login without an Authorization header.':
    () =>
      after('repetitionKeyOf', (key, { operation, input, world }, { headers }) => {
        if (operation.id === 'login' && !headers.authorization && hasSession(input.username, world))
          throw unauthenticated('there is a session already; the Authorization header is missing');
        return key;
      }),
  'LOGIN-3 any-password-of-right-length: A password is compared with the right one by its length alone.':
    () => acceptPasswords('of the same length'),
  'LOGIN-3 token-in-refusal-of-wrong-password: The refusal of a wrong password of a known user contains a token.':
    () => setMember(isRefusedPassword, 'data.token', `st_${digest('refused').slice(0, 32)}`),
  'LOGIN-3 password-compared-without-case (remark lenient-password): Passwords are compared without regard to case.':
    () => acceptPasswords('in another case'),
  'LOGIN-3 password-with-more-behind-taken: What follows the right password is ignored.': () =>
    acceptPasswords('extended'),
  'LOGIN-3 password-cut-short-taken: The beginning of the right password is enough.': () =>
    acceptPasswords('cut short'),
  'LOGIN-3 password-of-any-user-taken: The right password of another user will do.': () =>
    acceptLogin(both(isKnownUser, isText), isPasswordOfAny),
  'LOGIN-3 empty-password-taken: A known user with an empty password is let in.': () =>
    acceptLogin(isText, isEmpty),
  'LOGIN-3 unknown-user-let-in: A login of an unknown user creates the user.': () =>
    wrapHandler('login', (call, next) => (namesUser(call) ? next(call) : loginAs(call))),
  'LOGIN-4 login-without-password: A known user who sends no password is let in.': () =>
    acceptLogin(isText, isMissing),
  'LOGIN-4 login-without-username: Without a username, the password alone finds the user.': () =>
    acceptLogin(isMissing, isText),
  'LOGIN-4 login-without-both: A login with neither a username nor a password goes on with the first user.':
    () => acceptLogin(isMissing, isMissing),
  'LOGIN-4 login-without-password-beside-a-session: A user who has a session is let in without a password.':
    () => acceptLogin(hasSession, isMissing),
  'LOGIN-5 password-null-matches-any: The password null matches any.': () => acceptLogin(isText, isNull),
  'LOGIN-5 password-operator-matches-any: A password that is an object is taken for a query operator and matches any.':
    () => acceptLogin(isText, isOperator),
  'LOGIN-5 username-list-matches-first: A username that is a list matches the first user.': () =>
    acceptLogin(Array.isArray, isText),
  'LOGIN-5 username-list-of-right-one-matches: A list that holds the username alone is taken for it.': () =>
    acceptLogin(both(isKnownUser, Array.isArray), isText),
  'LOGIN-5 username-number-matches-a-row: A username that is a number finds the user by the number of the row.':
    () => acceptLogin(isNumber, isText),
  'LOGIN-5 username-null-matches-first: The username null matches the first user.': () =>
    acceptLogin(isNull, isText),
  'LOGIN-5 username-operator-matches-any: A username that is an object is taken for a query operator and matches the first user.':
    () => acceptLogin(isOperator, isText),
  'LOGIN-5 password-number-matches-any: A password that is a number matches any.': () =>
    acceptLogin(isText, isNumber),
  'LOGIN-5 password-list-of-right-one-matches: A list that holds the right password alone is taken for it.':
    () =>
      acceptInvalid('login', ({ input: { password } }) =>
        Array.isArray(password) && password.length === 1 ? { password: password[0] } : undefined,
      ),
  'REFRESH-1 renewed-token-cut-short: The token in the answer to a renewal lacks its last character.': () =>
    cutToken('refresh'),
  'REFRESH-1 renewed-token-expires-at-once: A renewed token has expired already: its lifetime counts backwards.':
    () => changeCall('refresh', (call) => ({ ...call, now: call.now - lifetimeMs(call) })),
  'REFRESH-1 renewed-token-not-renewed-again: A token that came out of a renewal is not renewed.': () =>
    trackRenewals((isRenewed) => rejectCaller('refresh', 'the session has been renewed already', isRenewed)),
  'REFRESH-1 token-of-second-renewal-cut-short: The renewal of a renewed token returns a token without its last character.':
    () => trackRenewals((isRenewed) => cutToken('refresh', isRenewed)),
  'REFRESH-1 renewed-token-of-later-tenants-cut-short: A renewed token lacks its last character, except for the first tenant.':
    () => cutToken('refresh', ofLaterTenant),
  'REFRESH-2 refresh-without-authorization: A renewal without Authorization renews the latest session.': () =>
    admitCaller('refresh', withoutHeader, latestCaller),
  'REFRESH-2 refresh-by-basic (remark other-scheme): A renewal also accepts its token as the password of the scheme Basic.':
    () => renewBy(passwordOfBasic),
  'REFRESH-2 refresh-by-any-scheme (remark other-scheme): A renewal accepts the token behind any word in place of Bearer.':
    () => renewBy((header) => header.replace(/^\w+ +/, 'Bearer ')),
  'REFRESH-2 refresh-by-empty-bearer: A renewal with the word Bearer and no token renews the latest session.':
    () => admitCaller('refresh', withEmptyBearer, latestCaller),
  'REFRESH-2 refresh-of-api-key (remark key-renewed): The refresh endpoint gives the latest session to an API key.':
    () => changeCall('refresh', (call) => (byKey(call) ? { ...call, caller: latestCaller(call) } : call)),
  'REFRESH-3 refresh-of-invented-token: Any token of the right form is renewed.': () =>
    admitCaller('refresh', withInvented('st_'), latestCaller),
  'REFRESH-3 refresh-of-invented-token-to-another: The renewal of a made-up token succeeds, with a token that is not accepted.':
    () =>
      combineWraps(
        admitCaller('refresh', withInvented('st_')),
        wrapHandler('refresh', (call, next) =>
          call.caller ? next(call) : { token: `st_${digest('nobody').slice(0, 32)}` },
        ),
      ),
  'REFRESH-3 refresh-of-token-cut-short: The beginning of a session token is renewed as if it were the whole.':
    () => acceptSimilarTokens('refresh', 'st_', 'cut short'),
  'REFRESH-3 refresh-of-token-with-more-behind: What follows a session token is ignored in a renewal.': () =>
    acceptSimilarTokens('refresh', 'st_', 'extended'),
  'REFRESH-3 refresh-of-token-with-another-end: The last characters of a session token, as a signature might be, are not looked at in a renewal.':
    () => acceptSimilarTokens('refresh', 'st_', 'with another end'),
  'REFRESH-3 refresh-of-token-one-off: A session token of which one character is wrong is renewed.': () =>
    acceptSimilarTokens('refresh', 'st_', 'with one wrong character'),
  'REFRESH-4 expired-token-not-renewed: A token that has expired is not renewed.': () => rejectExpired(),
  'REFRESH-4 expired-token-renewed-to-expired-one: The renewal of an expired token keeps its expiry.': () =>
    changeCall('refresh', (call) =>
      isLapsed(call) ? { ...call, now: Number(call.caller?.session?.expiresAt) - lifetimeMs(call) } : call,
    ),
  'REFRESH-4 expired-login-token-not-renewed: A token that has expired is renewed only if it came out of a renewal.':
    () => trackRenewals((isRenewed) => rejectExpired(not(isRenewed))),
  'REFRESH-4 expired-token-of-later-users-not-renewed: A token that has expired is renewed for the first user of a tenant only.':
    () => rejectExpired(byLaterUser),
  'AUTH-1 create-without-authorization: A subscription is created without Authorization.': () =>
    admitCaller('createSubscription', withoutHeader),
  'AUTH-1 test-without-authorization: A subscription is tested without Authorization.': () =>
    admitCaller('testSubscription', withoutHeader),
  'AUTH-1 create-by-empty-bearer: A subscription is created with the word Bearer and no token.': () =>
    admitCaller('createSubscription', withEmptyBearer),
  'AUTH-1 test-by-empty-bearer: A subscription is tested with the word Bearer and no token.': () =>
    admitCaller('testSubscription', withEmptyBearer),
  'AUTH-2 session-token-refused-on-test: The test of a subscription accepts API keys only.': () =>
    rejectCaller('testSubscription', 'expected an API key', bySession),
  'AUTH-2 session-token-refused-on-create: The creation of a subscription accepts API keys only.': () =>
    rejectCaller('createSubscription', 'expected an API key', bySession),
  'AUTH-2 login-token-refused-on-test-until-renewed: The test of a subscription accepts session tokens only from renewals.':
    () =>
      trackRenewals((isRenewed) =>
        rejectCaller('testSubscription', 'expected a renewed token', both(bySession, not(isRenewed))),
      ),
  'AUTH-2 session-token-of-later-tenants-refused-on-create: The creation of a subscription accepts API keys only, except from the first tenant.':
    () => rejectCaller('createSubscription', 'expected an API key', both(bySession, ofLaterTenant)),
  'AUTH-2 session-token-of-later-users-refused-on-create: Only the first user of a tenant can create subscriptions.':
    () => rejectCaller('createSubscription', 'expected the first user', byLaterUser),
  'AUTH-2 session-token-of-later-users-refused-on-test: Only the first user of a tenant can test subscriptions.':
    () => rejectCaller('testSubscription', 'expected the first user', byLaterUser),
  'AUTH-3 api-key-refused-on-test: The test of a subscription accepts session tokens only.': () =>
    rejectCaller('testSubscription', 'expected a session token', byKey),
  'AUTH-3 api-key-refused-on-create: The creation of a subscription accepts session tokens only.': () =>
    rejectCaller('createSubscription', 'expected a session token', byKey),
  'AUTH-3 new-key-not-accepted: An API key is accepted from the day after its creation on.': () =>
    rejectNewKeys(subscriptionCalls),
  'AUTH-3 new-key-refused-on-test: An API key can test subscriptions from the day after its creation on.':
    () => rejectNewKeys('testSubscription'),
  'AUTH-4 invented-token-taken-on-create: A subscription is created with any session token, known or not.':
    () => admitCaller('createSubscription', withInvented('st_')),
  'AUTH-4 invented-key-taken-on-test: A subscription is tested with any API key, known or not.': () =>
    admitCaller('testSubscription', withInvented('sp_')),
  'AUTH-4 invented-key-taken-on-create: A subscription is created with any API key, known or not.': () =>
    admitCaller('createSubscription', withInvented('sp_')),
  'AUTH-4 invented-token-taken-on-test: A subscription is tested with any session token, known or not.': () =>
    admitCaller('testSubscription', withInvented('st_')),
  'AUTH-4 token-cut-short-taken-on-create: A subscription is created with the beginning of a session token.':
    () => acceptSimilarTokens('createSubscription', 'st_', 'cut short'),
  'AUTH-4 token-with-more-behind-taken-on-test: What follows a session token is ignored in the test of a subscription.':
    () => acceptSimilarTokens('testSubscription', 'st_', 'extended'),
  'AUTH-4 token-with-another-end-taken: The last characters of a session token, as a signature might be, are not looked at.':
    () => acceptSimilarTokens(subscriptionCalls, 'st_', 'with another end'),
  'AUTH-4 key-in-other-case-taken-on-test: A subscription is tested with an API key in another case.': () =>
    acceptSimilarTokens('testSubscription', 'sp_', 'in another case'),
  'AUTH-4 key-one-off-taken-on-create: A subscription is created with an API key of which one character is wrong.':
    () => acceptSimilarTokens('createSubscription', 'sp_', 'with one wrong character'),
  'AUTH-4 key-cut-short-taken-on-test: A subscription is tested with the beginning of an API key.': () =>
    acceptSimilarTokens('testSubscription', 'sp_', 'cut short'),
  'AUTH-4 key-with-more-behind-taken-on-create: What follows an API key is ignored in the creation of a subscription.':
    () => acceptSimilarTokens('createSubscription', 'sp_', 'extended'),
  'AUTH-5 expired-token-taken-on-test: A subscription is tested with an expired token.': () =>
    ignoreExpiry('testSubscription'),
  'AUTH-5 expired-token-taken-for-ten-minutes: A session token is accepted for ten minutes more than it lives.':
    () =>
      ignoreExpiry(subscriptionCalls, ({ caller, now }) => now < (caller?.session?.expiresAt ?? 0) + 600_000),
  'AUTH-5 expired-token-taken-on-create: A subscription is created with an expired token.': () =>
    ignoreExpiry('createSubscription'),
  'AUTH-5 expired-token-taken-once: The first call with an expired token is let through.': (
    { memory },
    used = memory.set('used'),
  ) =>
    ignoreExpiry(
      subscriptionCalls,
      both(isLapsed, ({ caller }) => used.add(caller?.session?.key ?? '')),
    ),
  'AUTH-5 expired-login-token-taken: Only tokens that came out of a renewal expire.': () =>
    trackRenewals((isRenewed) => ignoreExpiry(subscriptionCalls, not(isRenewed))),
  "AUTH-5 expired-token-of-later-users-taken: Only the first user's tokens expire.": () =>
    ignoreExpiry(subscriptionCalls, byLaterUser),
  "AUTH-6 foreign-site-taken-on-create: Every tenant can create subscriptions on every tenant's sites.": () =>
    ignoreTenant('createSubscription'),
  "AUTH-6 foreign-site-taken-on-test: Every tenant can test every tenant's subscriptions.": () =>
    ignoreTenant('testSubscription'),
  'AUTH-6 foreign-site-taken-of-younger-tenants: A tenant can create subscriptions on the sites of tenants that joined later.':
    () => ignoreTenant('createSubscription', ({ caller }, owner) => (caller?.tenantId ?? 0) < owner),
  "AUTH-6 foreign-site-open-to-api-keys: An API key is good for the creation of subscriptions on every tenant's sites.":
    () => ignoreTenant('createSubscription', byKey),
  "AUTH-6 foreign-site-open-to-later-users: A tenant's second user can create subscriptions on every tenant's sites.":
    () => ignoreTenant('createSubscription', byLaterUser),
  "AUTH-6 foreign-subscriptions-tested-by-api-keys: An API key is good for the test of every tenant's subscriptions.":
    () => ignoreTenant('testSubscription', byKey),
  'AUTH-6 new-site-open-to-all-tenants: A site that was created through the API is open to all tenants.':
    () => ignoreTenant('createSubscription', ({ input }) => Number(input.siteID) > 1000),
  "AUTH-6 foreign-site-taken-after-renewal: With a renewed token, subscriptions can be created on every tenant's sites.":
    () => trackRenewals((isRenewed) => ignoreTenant('createSubscription', isRenewed)),
  "AUTH-6 foreign-site-read: Every tenant can read every tenant's sites.": () => ignoreTenant('getSite'),
  "AUTH-6 foreign-site-published: Every tenant can publish every tenant's sites.": () =>
    ignoreTenant('publishSite'),
  "AUTH-6 foreign-subscription-deleted: Every tenant can delete every tenant's subscriptions.": () =>
    ignoreTenant('deleteSubscription'),
  "AUTH-6 foreign-push-log-read-by-api-keys: An API key can read every tenant's push log.": () =>
    ignoreTenant('listDeliveries', byKey),
});

/** A fault that distinguishes the tokens of renewals from those of logins. */
function trackRenewals(wrapOf: (isRenewed: CallerTest) => Wrap): Wrap {
  const track = remember('refresh', ({ token }) => digest(String(token)));
  return track((isSeen) => wrapOf(({ caller }) => isSeen(caller?.session?.key)));
}

/** What a login returns for a user, whatever the password. */
function loginAs(call: AnyCall, username = String(call.input.username)): Values {
  const tenantId = call.world.users.get(username)?.tenantId ?? 0;
  const session = { tenantId, username, expiresAt: 0, key: '' };
  return refresh({ ...call, input: {}, caller: { tenantId, session } });
}

/** The caller of the latest session; its renewal leaves the session unchanged. */
export function latestCaller({ world: { sessions } }: Pick<AccessRequest, 'world'>): Caller | undefined {
  const latest = [...sessions.values()].at(-1);
  return latest && { tenantId: latest.tenantId, session: { ...latest, key: '' } };
}

/** How a wrong token or password may resemble the right one. */
const likenesses = {
  'cut short': (given, right) => given.length > 3 && right.startsWith(given),
  extended: (given, right) => given.startsWith(right),
  'of the same length': (given, right) => given.length === right.length,
  'in another case': (given, right) => given.toLowerCase() === right.toLowerCase(),
  'with another end': (given, right) =>
    given.length === right.length && given.slice(0, -4) === right.slice(0, -4),
  'with one wrong character': differsInOneCharacter,
} satisfies Record<string, (given: string, right: string) => boolean>;

type Likeness = keyof typeof likenesses;

function isLike(likeness: Likeness, given: string, right: string): boolean {
  return given !== right && likenesses[likeness](given, right);
}

export function differsInOneCharacter(given: string, right: string): boolean {
  const wrong = [...given].filter((char, index) => char !== right[index]);
  return given.length === right.length && wrong.length === 1;
}

/** Admits callers whose token resembles one that was accepted before: `st_` begins those of sessions, `sp_` API keys. */
function acceptSimilarTokens(ids: Ids, prefix: 'st_' | 'sp_', likeness: Likeness): Wrap {
  return withMemory((memory, known = memory.map<Caller>('known')) => {
    const callerOf = (access: Pick<AccessRequest, 'header'>) =>
      known.entries().find(([right]) => isLike(likeness, tokenOf(access), right))?.[1];
    return combineWraps(
      wrapAuthentication('all', (access, next) => {
        const caller = next();
        if (caller && tokenOf(access).startsWith(prefix)) known.set(tokenOf(access), leaveUnchanged(caller));
        return caller;
      }),
      admitCaller(ids, (access) => callerOf(access) !== undefined, callerOf),
    );
  });
}

function tokenOf({ header = '' }: Pick<AccessRequest, 'header'>): string {
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? '';
}

/** A caller whose renewal leaves the session of the token unchanged. */
function leaveUnchanged(caller: Caller): Caller {
  return caller.session ? { ...caller, session: { ...caller.session, key: '' } } : caller;
}

function isLaterUser({ users }: World, username: unknown): boolean {
  const tenantId = users.get(String(username))?.tenantId;
  const [first] = [...users].find(([, user]) => user.tenantId === tenantId) ?? [];
  return tenantId !== undefined && username !== first;
}

/** Accepts a username and a password of some kinds, for the user whom they name or the first one. */
export function acceptLogin(isUsername: Test, isPassword: Test): Wrap {
  const isTaken: CallTest = ({ input: { username, password }, world }) =>
    isUsername(username, world) && isPassword(password, world);
  return combineWraps(
    wrapHandler('login', (call, next) => (isTaken(call) ? loginAs(call, usernameOf(call)) : next(call))),
    wrapValidation('login', (call, body, next) => {
      if (body.problem || !isTaken(call)) next();
    }),
  );
}

function usernameOf({ input, world: { users } }: AnyCall): string {
  const [first = ''] = users.keys();
  const username = String(input.username);
  return users.has(username) ? username : first;
}

/** Accepts a password like one that the user has logged in with before. */
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

/** Whether a value looks like the query of a document store. */
function isOperator(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).some((key) => key.startsWith('$'));
}

/** How long a session token lives, in milliseconds. */
function lifetimeMs({ profile }: AnyCall): number {
  return profile.values['token.lifetime'] * 1000;
}

/** Reads the Authorization header of a renewal as another one. */
function renewBy(read: (header: string) => string): Wrap {
  return wrapAuthentication('refresh', ({ header }, next) => next({ header: header && read(header) }));
}

function passwordOfBasic(header: string): string {
  return header.replace(/^Basic +(\S+)$/i, (_all, text) => `Bearer ${atob(text).split(':')[1]}`);
}

function rejectExpired(when: CallerTest = always): Wrap {
  return rejectCaller('refresh', 'the token has expired', (access) => isLapsed(access) && when(access));
}

/** Returns tokens without their last character. */
function cutToken(id: 'login' | 'refresh', when: CallTest = always): Wrap {
  return changeResult(id, (values, call) =>
    when(call) ? { ...values, token: String(values.token).slice(0, -1) } : values,
  );
}

/** Rejects the keys that are created while the fault is on. */
function rejectNewKeys(ids: Ids): Wrap {
  const trackNewKeys = remember('createKey', ({ id }) => id);
  return trackNewKeys((isNew) =>
    rejectCaller(ids, 'the API key is too new', ({ caller }) => isNew(caller?.apiKey?.id)),
  );
}

/** Admits some callers whatever the time. */
function ignoreExpiry(ids: Ids, when: CallerTest = always): Wrap {
  return wrapAuthentication(ids, (access, next) => {
    const caller = next({ now: 0 });
    return when({ ...access, caller }) ? caller : next();
  });
}

/** Handles calls on a site as if the tenant that owns the site had made them. */
function ignoreTenant(id: OperationId, when: (call: AnyCall, owner: number) => boolean = always): Wrap {
  return callAs(id, (call) => {
    const owner = call.world.sites.get(Number(call.input.siteID))?.tenantId;
    return owner !== undefined && when(call, owner) ? owner : undefined;
  });
}
