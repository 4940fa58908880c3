import { unauthenticated } from '../http/api-errors.ts';
import type { Caller } from '../service.ts';
import { digest } from '../world/digests.ts';
import { isByLaterUser, isOfFirstTenant, lifetimeMs } from './caller-tools.ts';
import type { Fault } from './fault.ts';
import { loginFaults } from './login-faults.ts';
import {
  acceptSimilarTokens,
  hasAnotherEnd,
  hasMoreBehind,
  isCutShort,
  isOneOff,
} from './similar-credentials.ts';
import { trackRenewals } from './track-renewals.ts';
import { admitCaller, latestCaller, rejectCaller, wrapHandler } from './wrap-calls.ts';

/** Of renewals. */
const renewalFaults: readonly Fault[] = [
  {
    id: 'renewed-token-cut-short',
    title: 'The token in the answer to a renewal lacks its last character.',
    requirement: 'REFRESH-1',
    wrap: wrapHandler(['refresh'], async (call, own) => {
      const values = await own(call);
      return { ...values, token: String(values.token).slice(0, -1) };
    }),
  },
  {
    id: 'renewed-token-expires-at-once',
    title: 'A renewed token has expired already: its lifetime counts backwards.',
    requirement: 'REFRESH-1',
    wrap: wrapHandler(['refresh'], (call, own) => own({ ...call, now: call.now - lifetimeMs(call) })),
  },
  {
    id: 'renewed-token-not-renewed-again',
    title: 'A token that came out of a renewal is not renewed.',
    requirement: 'REFRESH-1',
    wrap: trackRenewals((isRenewed) => (steps) => ({
      authenticate(service, operation, request) {
        const caller = steps.authenticate(service, operation, request);
        if (operation.id === 'refresh' && isRenewed(caller))
          throw unauthenticated('the session has been renewed already');
        return caller;
      },
    })),
  },
  {
    id: 'token-of-second-renewal-cut-short',
    title: 'The renewal of a renewed token gives one that lacks its last character.',
    requirement: 'REFRESH-1',
    wrap: trackRenewals((isRenewed) =>
      wrapHandler(['refresh'], async (call, own) => {
        const values = await own(call);
        const { token } = values;
        return isRenewed(call.caller) ? { ...values, token: String(token).slice(0, -1) } : values;
      }),
    ),
  },
  {
    id: 'renewed-token-of-later-tenants-cut-short',
    title: 'A renewed token lacks its last character, except for the first tenant.',
    requirement: 'REFRESH-1',
    wrap: wrapHandler(['refresh'], async (call, own) => {
      const values = await own(call);
      const isFirst = isOfFirstTenant(call.world, call.caller?.tenantId);
      return isFirst ? values : { ...values, token: String(values.token).slice(0, -1) };
    }),
  },
  {
    id: 'refresh-without-authorization',
    title: 'A renewal without Authorization renews the latest session.',
    requirement: 'REFRESH-2',
    wrap: admitCaller(['refresh'], ({ service, header }) =>
      header === undefined ? latestCaller(service.world) : undefined,
    ),
  },
  {
    id: 'refresh-by-basic',
    title: 'A renewal takes its token as the password of the scheme Basic too.',
    requirement: 'REFRESH-2',
    wrap: (steps) => ({
      authenticate(service, operation, request) {
        const [, encoded] = /^Basic +(\S+)$/i.exec(request.header ?? '') ?? [];
        if (operation.id !== 'refresh' || encoded === undefined)
          return steps.authenticate(service, operation, request);
        const [, token = ''] = Buffer.from(encoded, 'base64').toString().split(':');
        return steps.authenticate(service, operation, { ...request, header: `Bearer ${token}` });
      },
    }),
  },
  {
    id: 'refresh-by-any-scheme',
    title: 'A renewal takes the token behind any word in the place of Bearer.',
    requirement: 'REFRESH-2',
    wrap: (steps) => ({
      authenticate(service, operation, request) {
        const header = request.header?.replace(/^\w+ +/, 'Bearer ');
        return steps.authenticate(
          service,
          operation,
          operation.id === 'refresh' ? { ...request, header } : request,
        );
      },
    }),
  },
  {
    id: 'refresh-by-empty-bearer',
    title: 'A renewal with the word Bearer and no token renews the latest session.',
    requirement: 'REFRESH-2',
    wrap: admitCaller(['refresh'], ({ service, header = '' }) =>
      /^Bearer *$/i.test(header) ? latestCaller(service.world) : undefined,
    ),
  },
  {
    id: 'refresh-of-invented-token',
    title: 'Any token of the right form is renewed.',
    requirement: 'REFRESH-3',
    wrap: admitCaller(['refresh'], ({ service, header }) =>
      /^Bearer st_\w+$/.test(header ?? '') ? latestCaller(service.world) : undefined,
    ),
  },
  {
    id: 'refresh-of-invented-token-to-another',
    title: 'The renewal of a token that nobody was given succeeds, with a token that is not accepted.',
    requirement: 'REFRESH-3',
    wrap: (steps, aids) => ({
      ...admitCaller(['refresh'], ({ header }) => (/^Bearer st_\w+$/.test(header ?? '') ? null : undefined))(
        steps,
        aids,
      ),
      ...wrapHandler(['refresh'], (call, own) =>
        call.caller ? own(call) : { token: `st_${digest('nobody').slice(0, 32)}` },
      )(steps, aids),
    }),
  },
  {
    id: 'refresh-of-token-cut-short',
    title: 'The beginning of a session token is renewed as if it were the whole.',
    requirement: 'REFRESH-3',
    wrap: acceptSimilarTokens(['refresh'], { prefix: 'st_', isLike: isCutShort }),
  },
  {
    id: 'refresh-of-token-with-more-behind',
    title: 'What follows a session token is ignored in a renewal.',
    requirement: 'REFRESH-3',
    wrap: acceptSimilarTokens(['refresh'], { prefix: 'st_', isLike: hasMoreBehind }),
  },
  {
    id: 'refresh-of-token-with-another-end',
    title: 'The last characters of a session token, as a signature might be, are not looked at in a renewal.',
    requirement: 'REFRESH-3',
    wrap: acceptSimilarTokens(['refresh'], { prefix: 'st_', isLike: hasAnotherEnd }),
  },
  {
    id: 'refresh-of-token-one-off',
    title: 'A session token of which one character is wrong is renewed.',
    requirement: 'REFRESH-3',
    wrap: acceptSimilarTokens(['refresh'], { prefix: 'st_', isLike: isOneOff }),
  },
  {
    id: 'expired-token-not-renewed',
    title: 'A token that has expired is not renewed.',
    requirement: 'REFRESH-4',
    wrap: rejectCaller(['refresh'], (caller, { now }) =>
      hasExpired(caller, now) ? unauthenticated('the token has expired') : undefined,
    ),
  },
  {
    id: 'expired-token-renewed-to-expired-one',
    title: 'The renewal of an expired token keeps its expiry.',
    requirement: 'REFRESH-4',
    wrap: wrapHandler(['refresh'], (call, own) => {
      const { session } = call.caller ?? {};
      return session && call.now >= session.expiresAt
        ? own({ ...call, now: session.expiresAt - lifetimeMs(call) })
        : own(call);
    }),
  },
  {
    id: 'expired-login-token-not-renewed',
    title: 'A token that has expired is renewed only if it came out of a renewal.',
    requirement: 'REFRESH-4',
    wrap: trackRenewals((isRenewed) =>
      rejectCaller(['refresh'], (caller, { now }) =>
        hasExpired(caller, now) && !isRenewed(caller) ? unauthenticated('the token has expired') : undefined,
      ),
    ),
  },
  {
    id: 'expired-token-of-later-users-not-renewed',
    title: 'A token that has expired is renewed for the first user of a tenant alone.',
    requirement: 'REFRESH-4',
    wrap: rejectCaller(['refresh'], (caller, { service, now }) =>
      hasExpired(caller, now) && isByLaterUser(service.world, caller)
        ? unauthenticated('the token has expired')
        : undefined,
    ),
  },
];

/** Of logins and renewals. */
export const sessionFaults: readonly Fault[] = [...loginFaults, ...renewalFaults];

function hasExpired({ session }: Caller, now: number): boolean {
  return session !== undefined && now >= session.expiresAt;
}
