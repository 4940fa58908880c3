import type { Caller } from '../service.ts';
import { digest } from '../world/digests.ts';
import type { World } from '../world/world.ts';
import {
  isByLaterUser,
  isFirstTenant,
  tokenLifetimeMs,
  trackRenewals,
  truncateToken,
} from './caller-tools.ts';
import { combineWraps, faultsOf, remarked, type Wrap } from './fault.ts';
import { acceptSimilarTokens } from './similar-credentials.ts';
import {
  admitCaller,
  changeCall,
  latestCaller,
  rejectCaller,
  wrapAuthentication,
  wrapHandler,
} from './wrap-calls.ts';

/** Faults in logins and renewals. */
export const sessionFaults = faultsOf({
  'REFRESH-1': {
    'renewed-token-cut-short: The token in the answer to a renewal lacks its last character.': () =>
      truncateToken('refresh'),
    'renewed-token-expires-at-once: A renewed token has expired already: its lifetime counts backwards.':
      () => changeCall('refresh', (call) => ({ ...call, now: call.now - tokenLifetimeMs(call) })),
    'renewed-token-not-renewed-again: A token that came out of a renewal is not renewed.': () =>
      trackRenewals((isRenewed) =>
        rejectCaller(['refresh'], 'the session has been renewed already', isRenewed),
      ),
    'token-of-second-renewal-cut-short: The renewal of a renewed token returns a token without its last character.':
      () => trackRenewals((isRenewed) => truncateToken('refresh', ({ caller }) => isRenewed(caller))),
    'renewed-token-of-later-tenants-cut-short: A renewed token lacks its last character, except for the first tenant.':
      () => truncateToken('refresh', ({ world, caller }) => !isFirstTenant(world, caller?.tenantId)),
  },
  'REFRESH-2': {
    'refresh-without-authorization: A renewal without Authorization renews the latest session.': () =>
      renewLatest((header) => header === undefined),
    'refresh-by-basic: A renewal also accepts its token as the password of the scheme Basic.': remarked(
      'other-scheme',
      () =>
        wrapAuthentication(({ operation, header = '' }, next) => {
          const [, encoded] = /^Basic +(\S+)$/i.exec(header) ?? [];
          if (operation !== 'refresh' || encoded === undefined) return next();
          const [, token = ''] = Buffer.from(encoded, 'base64').toString().split(':');
          return next({ header: `Bearer ${token}` });
        }),
    ),
    'refresh-by-any-scheme: A renewal accepts the token behind any word in place of Bearer.': remarked(
      'other-scheme',
      () =>
        wrapAuthentication(({ operation, header }, next) =>
          operation === 'refresh' ? next({ header: header?.replace(/^\w+ +/, 'Bearer ') }) : next(),
        ),
    ),
    'refresh-by-empty-bearer: A renewal with the word Bearer and no token renews the latest session.': () =>
      renewLatest((header = '') => /^Bearer *$/i.test(header)),
    'refresh-of-api-key: The refresh endpoint gives the latest session to an API key.': remarked(
      'key-renewed',
      () =>
        wrapAuthentication(({ service, operation, header = '' }, next) =>
          operation === 'refresh' && /^Bearer sp_/.test(header) ? latestCaller(service.world) : next(),
        ),
    ),
  },
  'REFRESH-3': {
    'refresh-of-invented-token: Any token of the right form is renewed.': () => renewLatest(isInventedToken),
    'refresh-of-invented-token-to-another: The renewal of a made-up token succeeds, with a token that is not accepted.':
      () =>
        combineWraps(
          admitCaller(['refresh'], ({ header }) => (isInventedToken(header) ? null : undefined)),
          wrapHandler(['refresh'], (call, next) =>
            call.caller ? next(call) : { token: `st_${digest('nobody').slice(0, 32)}` },
          ),
        ),
    'refresh-of-token-cut-short: The beginning of a session token is renewed as if it were the whole.': () =>
      acceptSimilarTokens(['refresh'], 'st_', 'truncated'),
    'refresh-of-token-with-more-behind: What follows a session token is ignored in a renewal.': () =>
      acceptSimilarTokens(['refresh'], 'st_', 'extended'),
    'refresh-of-token-with-another-end: The last characters of a session token, as a signature might be, are not looked at in a renewal.':
      () => acceptSimilarTokens(['refresh'], 'st_', 'with another end'),
    'refresh-of-token-one-off: A session token of which one character is wrong is renewed.': () =>
      acceptSimilarTokens(['refresh'], 'st_', 'with one wrong character'),
  },
  'REFRESH-4': {
    'expired-token-not-renewed: A token that has expired is not renewed.': () => rejectExpired(() => true),
    'expired-token-renewed-to-expired-one: The renewal of an expired token keeps its expiry.': () =>
      changeCall('refresh', (call) => {
        const { session } = call.caller ?? {};
        return session && call.now >= session.expiresAt
          ? { ...call, now: session.expiresAt - tokenLifetimeMs(call) }
          : call;
      }),
    'expired-login-token-not-renewed: A token that has expired is renewed only if it came out of a renewal.':
      () => trackRenewals((isRenewed) => rejectExpired((caller) => !isRenewed(caller))),
    'expired-token-of-later-users-not-renewed: A token that has expired is renewed for the first user of a tenant only.':
      () => rejectExpired((caller, world) => isByLaterUser(world, caller)),
  },
});

function renewLatest(when: (header: string | undefined) => boolean): Wrap {
  return admitCaller(['refresh'], ({ service, header }) =>
    when(header) ? latestCaller(service.world) : undefined,
  );
}

function isInventedToken(header = ''): boolean {
  return /^Bearer st_\w+$/.test(header);
}

function rejectExpired(when: (caller: Caller, world: World) => boolean): Wrap {
  return rejectCaller(['refresh'], 'the token has expired', (caller, { service, now }) => {
    const isExpired = caller.session !== undefined && now >= caller.session.expiresAt;
    return isExpired && when(caller, service.world);
  });
}
