import type { AnyCall } from '../operations/call.ts';
import { badCredentials, unauthenticated } from '../problems.ts';
import { digest } from '../secrets.ts';
import type { Fault } from './fault.ts';
import { changingAnswers, isTo } from './wrap-answers.ts';
import { admitting, handling, latestCaller, loginAs, refusingCallers } from './wrap-calls.ts';

/** Of logins and renewals. */
export const sessionFaults: readonly Fault[] = [
  {
    id: 'token-cut-short',
    title: 'The token in the answer to a login lacks its last character.',
    requirement: 'LOGIN-1',
    wrap: handling(['login'], async (call, own) => {
      const values = await own(call);
      return { ...values, token: String(values.token).slice(0, -1) };
    }),
  },
  {
    id: 'token-expires-at-once',
    title: 'The token of a login has expired already: its lifetime counts backwards.',
    requirement: 'LOGIN-1',
    wrap: handling(['login'], (call, own) => own({ ...call, now: call.now - lifetimeMs(call) })),
  },
  {
    id: 'login-asks-for-authorization',
    title: 'A login without an Authorization header is refused.',
    requirement: 'LOGIN-2',
    wrap: (parts) => ({
      authenticate(service, operation, request) {
        if (operation.id === 'login' && request.header === undefined)
          throw unauthenticated('the Authorization header is missing');
        return parts.authenticate(service, operation, request);
      },
    }),
  },
  {
    id: 'login-asks-for-api-key',
    title: 'A login is let through only with an API key, as where a gateway guards all paths alike.',
    requirement: 'LOGIN-2',
    wrap: (parts) => ({
      authenticate(service, operation, request) {
        const guarded = operation.id === 'login' ? { ...operation, auth: 'bearer' as const } : operation;
        return parts.authenticate(service, guarded, request);
      },
    }),
  },
  {
    id: 'any-password-of-right-length',
    title: 'A password is compared with the right one by its length alone.',
    requirement: 'LOGIN-3',
    wrap: (parts, aids) => {
      const lengths = new Map<string, number>();
      return handling(['login'], (call, own) => {
        const { username, password } = textsOf(call);
        if (lengths.get(username) === password.length) return loginAs(call, username);
        const values = own(call);
        lengths.set(username, password.length);
        return values;
      })(parts, aids);
    },
  },
  {
    id: 'token-in-refusal-of-wrong-password',
    title: 'The refusal of a wrong password of a known user bears a token.',
    requirement: 'LOGIN-3',
    wrap: changingAnswers(
      (leaving) => isTo('login')(leaving) && leaving.exchange.refusal === badCredentials().message,
      ({ envelope }) => ({
        body: JSON.stringify({ ...envelope, data: { token: `st_${digest('refused').slice(0, 32)}` } }),
      }),
    ),
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
    id: 'password-null-matches-any',
    title: 'The password null matches any.',
    requirement: 'LOGIN-5',
    wrap: loggingIn(({ username, password }) => typeof username === 'string' && password === null),
  },
  {
    id: 'password-operator-matches-any',
    title: 'A password that is an object is taken for a query operator and matches any.',
    requirement: 'LOGIN-5',
    wrap: loggingIn(({ username, password }) => typeof username === 'string' && isPlain(password)),
  },
  {
    id: 'username-list-matches-first',
    title: 'A username that is a list matches the first user.',
    requirement: 'LOGIN-5',
    wrap: loggingIn(({ username, password }) => Array.isArray(username) && typeof password === 'string'),
  },
  {
    id: 'renewed-token-cut-short',
    title: 'The token in the answer to a renewal lacks its last character.',
    requirement: 'REFRESH-1',
    wrap: handling(['refresh'], async (call, own) => {
      const values = await own(call);
      return { ...values, token: String(values.token).slice(0, -1) };
    }),
  },
  {
    id: 'renewed-token-expires-at-once',
    title: 'A renewed token has expired already: its lifetime counts backwards.',
    requirement: 'REFRESH-1',
    wrap: handling(['refresh'], (call, own) => own({ ...call, now: call.now - lifetimeMs(call) })),
  },
  {
    id: 'refresh-without-authorization',
    title: 'A renewal without Authorization renews the latest session.',
    requirement: 'REFRESH-2',
    wrap: admitting(['refresh'], ({ service, header }) =>
      header === undefined ? latestCaller(service.world) : undefined,
    ),
  },
  {
    id: 'refresh-by-basic',
    title: 'A renewal takes its token as the password of the scheme Basic too.',
    requirement: 'REFRESH-2',
    wrap: (parts) => ({
      authenticate(service, operation, request) {
        const [, encoded] = /^Basic +(\S+)$/i.exec(request.header ?? '') ?? [];
        if (operation.id !== 'refresh' || encoded === undefined)
          return parts.authenticate(service, operation, request);
        const [, token = ''] = Buffer.from(encoded, 'base64').toString().split(':');
        return parts.authenticate(service, operation, { ...request, header: `Bearer ${token}` });
      },
    }),
  },
  {
    id: 'refresh-of-invented-token',
    title: 'Any token of the right form is renewed.',
    requirement: 'REFRESH-3',
    wrap: admitting(['refresh'], ({ service, header }) =>
      /^Bearer st_\w+$/.test(header ?? '') ? latestCaller(service.world) : undefined,
    ),
  },
  {
    id: 'refresh-of-invented-token-to-another',
    title: 'The renewal of a token that nobody was given succeeds, with a token that is not accepted.',
    requirement: 'REFRESH-3',
    wrap: (parts, aids) => ({
      ...admitting(['refresh'], ({ header }) => (/^Bearer st_\w+$/.test(header ?? '') ? null : undefined))(
        parts,
        aids,
      ),
      ...handling(['refresh'], (call, own) =>
        call.caller ? own(call) : { token: `st_${digest('nobody').slice(0, 32)}` },
      )(parts, aids),
    }),
  },
  {
    id: 'expired-token-not-renewed',
    title: 'A token that has expired is not renewed.',
    requirement: 'REFRESH-4',
    wrap: refusingCallers(['refresh'], ({ session }, { now }) =>
      session && now >= session.expiresAt ? unauthenticated('the token has expired') : undefined,
    ),
  },
  {
    id: 'expired-token-renewed-to-expired-one',
    title: 'The renewal of an expired token keeps its expiry.',
    requirement: 'REFRESH-4',
    wrap: handling(['refresh'], (call, own) => {
      const { session } = call.caller ?? {};
      return session && call.now >= session.expiresAt
        ? own({ ...call, now: session.expiresAt - lifetimeMs(call) })
        : own(call);
    }),
  },
];

/** Lets in whoever sends something else than two texts; without a username, the first user. */
function loggingIn(when: (input: { username?: unknown; password?: unknown }) => boolean): Fault['wrap'] {
  return (parts, aids) => ({
    ...handling(['login'], (call, own) =>
      when(call.input) ? loginAs(call, textsOf(call).username) : own(call),
    )(parts, aids),
    validate(call, body) {
      const isTaken = call.operation.id === 'login' && !body.problem && when(call.input);
      if (!isTaken) parts.validate(call, body);
    },
  });
}

function lifetimeMs({ profile }: AnyCall): number {
  return profile.values['token.lifetime'] * 1000;
}

function textsOf({ input, world }: AnyCall): { username: string; password: string } {
  const [first = ''] = world.users.keys();
  const { username, password } = input;
  return { username: typeof username === 'string' ? username : first, password: String(password) };
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
