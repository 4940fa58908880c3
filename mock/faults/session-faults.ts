import type { AnyCall } from '../service.ts';
import { digest } from '../world/digests.ts';
import {
  acceptSimilarTokens,
  byLaterUser,
  type CallerTest,
  cutToken,
  latestCaller,
  ofLaterTenant,
  trackRenewals,
  withEmptyBearer,
  withoutHeader,
} from './callers.ts';
import { combineWraps, faultsOf, not, remarked, type Wrap } from './fault.ts';
import { admitCaller, changeCall, rejectCaller, wrapAuthentication, wrapHandler } from './wrap-calls.ts';

const isInvented = ({ header = '' }) => /^Bearer st_\w+$/.test(header);
const isLapsed = ({ caller, now }: Pick<AnyCall, 'caller' | 'now'>) =>
  caller?.session !== undefined && now >= caller.session.expiresAt;

/** Faults in renewals. */
export const sessionFaults = faultsOf({
  'REFRESH-1': {
    'renewed-token-cut-short: The token in the answer to a renewal lacks its last character.': () =>
      cutToken('refresh'),
    'renewed-token-expires-at-once: A renewed token has expired already: its lifetime counts backwards.':
      () => changeCall('refresh', (call) => ({ ...call, now: call.now - lifetimeMs(call) })),
    'renewed-token-not-renewed-again: A token that came out of a renewal is not renewed.': () =>
      trackRenewals((isRenewed) =>
        rejectCaller('refresh', 'the session has been renewed already', isRenewed),
      ),
    'token-of-second-renewal-cut-short: The renewal of a renewed token returns a token without its last character.':
      () => trackRenewals((isRenewed) => cutToken('refresh', isRenewed)),
    'renewed-token-of-later-tenants-cut-short: A renewed token lacks its last character, except for the first tenant.':
      () => cutToken('refresh', ofLaterTenant),
  },
  'REFRESH-2': {
    'refresh-without-authorization: A renewal without Authorization renews the latest session.': () =>
      admitCaller('refresh', withoutHeader, latestCaller),
    'refresh-by-basic: A renewal also accepts its token as the password of the scheme Basic.': remarked(
      'other-scheme',
      () =>
        wrapAuthentication(({ header = '' }, next) => {
          const [, encoded] = /^Basic +(\S+)$/i.exec(header) ?? [];
          if (encoded === undefined) return next();
          const [, token = ''] = Buffer.from(encoded, 'base64').toString().split(':');
          return next({ header: `Bearer ${token}` });
        }, 'refresh'),
    ),
    'refresh-by-any-scheme: A renewal accepts the token behind any word in place of Bearer.': remarked(
      'other-scheme',
      () =>
        wrapAuthentication(
          ({ header }, next) => next({ header: header?.replace(/^\w+ +/, 'Bearer ') }),
          'refresh',
        ),
    ),
    'refresh-by-empty-bearer: A renewal with the word Bearer and no token renews the latest session.': () =>
      admitCaller('refresh', withEmptyBearer, latestCaller),
    'refresh-of-api-key: The refresh endpoint gives the latest session to an API key.': remarked(
      'key-renewed',
      () =>
        wrapAuthentication(
          (access, next) => (/^Bearer sp_/.test(access.header ?? '') ? latestCaller(access) : next()),
          'refresh',
        ),
    ),
  },
  'REFRESH-3': {
    'refresh-of-invented-token: Any token of the right form is renewed.': () =>
      admitCaller('refresh', isInvented, latestCaller),
    'refresh-of-invented-token-to-another: The renewal of a made-up token succeeds, with a token that is not accepted.':
      () =>
        combineWraps(
          admitCaller('refresh', isInvented),
          wrapHandler('refresh', (call, next) =>
            call.caller ? next(call) : { token: `st_${digest('nobody').slice(0, 32)}` },
          ),
        ),
    'refresh-of-token-cut-short: The beginning of a session token is renewed as if it were the whole.': () =>
      acceptSimilarTokens('refresh', 'st_', 'cut short'),
    'refresh-of-token-with-more-behind: What follows a session token is ignored in a renewal.': () =>
      acceptSimilarTokens('refresh', 'st_', 'extended'),
    'refresh-of-token-with-another-end: The last characters of a session token, as a signature might be, are not looked at in a renewal.':
      () => acceptSimilarTokens('refresh', 'st_', 'with another end'),
    'refresh-of-token-one-off: A session token of which one character is wrong is renewed.': () =>
      acceptSimilarTokens('refresh', 'st_', 'with one wrong character'),
  },
  'REFRESH-4': {
    'expired-token-not-renewed: A token that has expired is not renewed.': () => rejectExpired(),
    'expired-token-renewed-to-expired-one: The renewal of an expired token keeps its expiry.': () =>
      changeCall('refresh', (call) =>
        isLapsed(call) ? { ...call, now: Number(call.caller?.session?.expiresAt) - lifetimeMs(call) } : call,
      ),
    'expired-login-token-not-renewed: A token that has expired is renewed only if it came out of a renewal.':
      () => trackRenewals((isRenewed) => rejectExpired(not(isRenewed))),
    'expired-token-of-later-users-not-renewed: A token that has expired is renewed for the first user of a tenant only.':
      () => rejectExpired(byLaterUser),
  },
});

/** How long a session token lives, in milliseconds. */
function lifetimeMs({ profile }: AnyCall): number {
  return profile.values['token.lifetime'] * 1000;
}

function rejectExpired(when: CallerTest = () => true): Wrap {
  return rejectCaller('refresh', 'the token has expired', (access) => isLapsed(access) && when(access));
}
