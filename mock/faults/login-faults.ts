import { badCredentials, unauthenticated } from '../http/api-errors.ts';
import type { AnyCall, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { World } from '../world/world.ts';
import { isLaterUser, isOfFirstTenant } from './caller-tools.ts';
import type { Fault } from './fault.ts';
import { acceptSimilarPasswords, hasMoreBehind, isCutShort, isInOtherCase } from './similar-credentials.ts';
import { changeAnswer, isTo } from './wrap-answers.ts';
import { loginAs, wrapHandler } from './wrap-calls.ts';

/** Of logins. */
export const loginFaults: readonly Fault[] = [
  {
    id: 'token-cut-short',
    title: 'The token in the answer to a login lacks its last character.',
    requirement: 'LOGIN-1',
    wrap: cuttingToken(() => true),
  },
  {
    id: 'token-of-later-users-cut-short',
    title: 'The token of a login lacks its last character, except for the first user of a tenant.',
    requirement: 'LOGIN-1',
    wrap: cuttingToken(({ world, input }) => isLaterUser(world, String(input.username))),
  },
  {
    id: 'token-of-later-tenants-cut-short',
    title: 'The token of a login lacks its last character, except for users of the first tenant.',
    requirement: 'LOGIN-1',
    wrap: cuttingToken(
      ({ world, input }) => !isOfFirstTenant(world, world.users.get(String(input.username))?.tenantId),
    ),
  },
  {
    id: 'login-asks-for-authorization',
    title: 'A login without an Authorization header is refused.',
    requirement: 'LOGIN-2',
    wrap: (steps) => ({
      authenticate(service, operation, request) {
        if (operation.id === 'login' && request.header === undefined)
          throw unauthenticated('the Authorization header is missing');
        return steps.authenticate(service, operation, request);
      },
    }),
  },
  {
    id: 'second-login-asks-for-authorization',
    title: 'Who has logged in already is refused another login without an Authorization header.',
    requirement: 'LOGIN-2',
    wrap: (steps, aids) => {
      const sent = new WeakMap<AnyCall, string | undefined>();
      const asking = wrapHandler(['login'], (call, own) => {
        const users = [...call.world.sessions.values()].map(({ username }) => username);
        if (sent.get(call) === undefined && users.includes(String(call.input.username)))
          throw unauthenticated('there is a session already; the Authorization header is missing');
        return own(call);
      });
      return {
        ...asking(steps, aids),
        sameness(call, message) {
          sent.set(call, message.headers.authorization);
          return steps.sameness(call, message);
        },
      };
    },
  },
  {
    id: 'any-password-of-right-length',
    title: 'A password is compared with the right one by its length alone.',
    requirement: 'LOGIN-3',
    wrap: (steps, aids) => {
      const lengths = new Map<string, number>();
      return wrapHandler(['login'], (call, own) => {
        const { username, password } = textsOf(call);
        if (lengths.get(username) === password.length) return loginAs(call, username);
        const values = own(call);
        lengths.set(username, password.length);
        return values;
      })(steps, aids);
    },
  },
  {
    id: 'token-in-refusal-of-wrong-password',
    title: 'The refusal of a wrong password of a known user bears a token.',
    requirement: 'LOGIN-3',
    wrap: changeAnswer(
      (leaving) => isTo('login')(leaving) && leaving.exchange.refusal === badCredentials().message,
      ({ envelope }) => ({
        body: JSON.stringify({ ...envelope, data: { token: `st_${digest('refused').slice(0, 32)}` } }),
      }),
    ),
  },
  {
    id: 'password-compared-without-case',
    title: 'Passwords are compared without regard to case.',
    requirement: 'LOGIN-3',
    wrap: acceptSimilarPasswords(isInOtherCase),
  },
  {
    id: 'password-with-more-behind-taken',
    title: 'What follows the right password is ignored.',
    requirement: 'LOGIN-3',
    wrap: acceptSimilarPasswords(hasMoreBehind),
  },
  {
    id: 'password-cut-short-taken',
    title: 'The beginning of the right password is enough.',
    requirement: 'LOGIN-3',
    wrap: acceptSimilarPasswords(isCutShort),
  },
  {
    id: 'password-of-any-user-taken',
    title: 'The right password of another user will do.',
    requirement: 'LOGIN-3',
    wrap: acceptSimilarPasswords((given, right) => given === right, { ofAnyUser: true }),
  },
  {
    id: 'empty-password-taken',
    title: 'A known user with an empty password is let in.',
    requirement: 'LOGIN-3',
    wrap: loggingIn(({ username, password }) => typeof username === 'string' && password === ''),
  },
  {
    id: 'unknown-user-let-in',
    title: 'A login of an unknown user makes one.',
    requirement: 'LOGIN-3',
    wrap: wrapHandler(['login'], (call, own) => {
      const { username } = call.input;
      const isKnown = typeof username !== 'string' || call.world.users.has(username);
      return isKnown ? own(call) : loginAs(call, username);
    }),
  },
  {
    id: 'login-without-password',
    title: 'A known user who sends no password is let in.',
    requirement: 'LOGIN-4',
    wrap: loggingIn(({ username, password }) => typeof username === 'string' && password === undefined),
  },
  {
    id: 'login-without-username',
    title: 'Without a username, the password alone finds the user.',
    requirement: 'LOGIN-4',
    wrap: loggingIn(({ username, password }) => username === undefined && typeof password === 'string'),
  },
  {
    id: 'login-without-both',
    title: 'A login with neither a username nor a password goes on with the first user.',
    requirement: 'LOGIN-4',
    wrap: loggingIn(({ username, password }) => username === undefined && password === undefined),
  },
  {
    id: 'login-without-password-beside-a-session',
    title: 'A user who has a session is let in without a password.',
    requirement: 'LOGIN-4',
    wrap: loggingIn(
      ({ username, password }, { sessions }) =>
        password === undefined && [...sessions.values()].some((session) => session.username === username),
    ),
  },
  {
    id: 'password-null-matches-any',
    title: 'The password null matches any.',
    requirement: 'LOGIN-5',
    wrap: loggingIn(({ username, password }) => typeof username === 'string' && password === null),
  },
  {
    id: 'password-operator-matches-any',
    title: 'A password that is an object is taken for a query operator and matches any.',
    requirement: 'LOGIN-5',
    wrap: loggingIn(({ username, password }) => typeof username === 'string' && hasOperator(password)),
  },
  {
    id: 'username-list-matches-first',
    title: 'A username that is a list matches the first user.',
    requirement: 'LOGIN-5',
    wrap: loggingIn(({ username, password }) => Array.isArray(username) && typeof password === 'string'),
  },
  {
    id: 'username-list-of-right-one-matches',
    title: 'A list that holds the username alone is taken for it.',
    requirement: 'LOGIN-5',
    wrap: loggingIn(
      ({ username, password }, { users }) =>
        Array.isArray(username) && users.has(String(username)) && typeof password === 'string',
    ),
  },
  {
    id: 'username-number-matches-a-row',
    title: 'A username that is a number finds the user by the number of the row.',
    requirement: 'LOGIN-5',
    wrap: loggingIn(({ username, password }) => typeof username === 'number' && typeof password === 'string'),
  },
  {
    id: 'username-null-matches-first',
    title: 'The username null matches the first user.',
    requirement: 'LOGIN-5',
    wrap: loggingIn(({ username, password }) => username === null && typeof password === 'string'),
  },
  {
    id: 'username-operator-matches-any',
    title: 'A username that is an object is taken for a query operator and matches the first user.',
    requirement: 'LOGIN-5',
    wrap: loggingIn(({ username, password }) => hasOperator(username) && typeof password === 'string'),
  },
  {
    id: 'password-number-matches-any',
    title: 'A password that is a number matches any.',
    requirement: 'LOGIN-5',
    wrap: loggingIn(({ username, password }) => typeof username === 'string' && typeof password === 'number'),
  },
  {
    id: 'password-list-of-right-one-matches',
    title: 'A list that holds the right password alone is taken for it.',
    requirement: 'LOGIN-5',
    wrap: (steps, aids) => ({
      ...wrapHandler(['login'], (call, own) => own({ ...call, input: unlisted(call.input) }))(steps, aids),
      validate(call, body) {
        const { password } = call.input;
        const isListed = call.operation.id === 'login' && Array.isArray(password) && password.length === 1;
        if (!isListed || body.problem) steps.validate(call, body);
      },
    }),
  },
];

interface Credentials {
  username?: unknown;
  password?: unknown;
}

/** Lets in whoever sends something else than two texts; without a username, the first user. */
function loggingIn(when: (input: Credentials, world: World) => boolean): Fault['wrap'] {
  return (steps, aids) => ({
    ...wrapHandler(['login'], (call, own) =>
      when(call.input, call.world) ? loginAs(call, textsOf(call).username) : own(call),
    )(steps, aids),
    validate(call, body) {
      const isTaken = call.operation.id === 'login' && !body.problem && when(call.input, call.world);
      if (!isTaken) steps.validate(call, body);
    },
  });
}

function cuttingToken(when: (call: AnyCall) => boolean): Fault['wrap'] {
  return wrapHandler(['login'], async (call, own) => {
    const values = await own(call);
    return when(call) ? { ...values, token: String(values.token).slice(0, -1) } : values;
  });
}

function textsOf({ input, world }: AnyCall): { username: string; password: string } {
  const [first = ''] = world.users.keys();
  const { username, password } = input;
  const known = world.users.has(String(username));
  return { username: known ? String(username) : first, password: String(password) };
}

function unlisted(input: Values): Values {
  const { password } = input;
  return Array.isArray(password) && password.length === 1 ? { ...input, password: password[0] } : input;
}

/** As a document store's query has them. */
function hasOperator(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).some((key) => key.startsWith('$'));
}
