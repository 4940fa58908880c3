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
import { combineWraps, type Fault, type Wrap } from './fault.ts';
import { loginFaults } from './login-faults.ts';
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
export const sessionFaults: readonly Fault[] = [
  ...loginFaults,
  {
    id: 'renewed-token-cut-short',
    title: 'The token in the answer to a renewal lacks its last character.',
    requirement: 'REFRESH-1',
    wrap: truncateToken('refresh'),
  },
  {
    id: 'renewed-token-expires-at-once',
    title: 'A renewed token has expired already: its lifetime counts backwards.',
    requirement: 'REFRESH-1',
    wrap: changeCall('refresh', (call) => ({ ...call, now: call.now - tokenLifetimeMs(call) })),
  },
  {
    id: 'renewed-token-not-renewed-again',
    title: 'A token that came out of a renewal is not renewed.',
    requirement: 'REFRESH-1',
    wrap: trackRenewals((isRenewed) =>
      rejectCaller(['refresh'], 'the session has been renewed already', isRenewed),
    ),
  },
  {
    id: 'token-of-second-renewal-cut-short',
    title: 'The renewal of a renewed token returns a token without its last character.',
    requirement: 'REFRESH-1',
    wrap: trackRenewals((isRenewed) => truncateToken('refresh', ({ caller }) => isRenewed(caller))),
  },
  {
    id: 'renewed-token-of-later-tenants-cut-short',
    title: 'A renewed token lacks its last character, except for the first tenant.',
    requirement: 'REFRESH-1',
    wrap: truncateToken('refresh', ({ world, caller }) => !isFirstTenant(world, caller?.tenantId)),
  },
  {
    id: 'refresh-without-authorization',
    title: 'A renewal without Authorization renews the latest session.',
    requirement: 'REFRESH-2',
    wrap: renewLatest((header) => header === undefined),
  },
  {
    id: 'refresh-by-basic',
    remark: 'other-scheme',
    title: 'A renewal also accepts its token as the password of the scheme Basic.',
    requirement: 'REFRESH-2',
    wrap: wrapAuthentication(({ operation, header = '' }, next) => {
      const [, encoded] = /^Basic +(\S+)$/i.exec(header) ?? [];
      if (operation !== 'refresh' || encoded === undefined) return next();
      const [, token = ''] = Buffer.from(encoded, 'base64').toString().split(':');
      return next({ header: `Bearer ${token}` });
    }),
  },
  {
    id: 'refresh-by-any-scheme',
    title: 'A renewal accepts the token behind any word in place of Bearer.',
    requirement: 'REFRESH-2',
    remark: 'other-scheme',
    wrap: wrapAuthentication(({ operation, header }, next) =>
      operation === 'refresh' ? next({ header: header?.replace(/^\w+ +/, 'Bearer ') }) : next(),
    ),
  },
  {
    id: 'refresh-by-empty-bearer',
    title: 'A renewal with the word Bearer and no token renews the latest session.',
    requirement: 'REFRESH-2',
    wrap: renewLatest((header = '') => /^Bearer *$/i.test(header)),
  },
  {
    id: 'refresh-of-api-key',
    title: 'The refresh endpoint gives the latest session to an API key.',
    requirement: 'REFRESH-2',
    remark: 'key-renewed',
    wrap: wrapAuthentication(({ service, operation, header = '' }, next) =>
      operation === 'refresh' && /^Bearer sp_/.test(header) ? latestCaller(service.world) : next(),
    ),
  },
  {
    id: 'refresh-of-invented-token',
    title: 'Any token of the right form is renewed.',
    requirement: 'REFRESH-3',
    wrap: renewLatest(isInventedToken),
  },
  {
    id: 'refresh-of-invented-token-to-another',
    title: 'The renewal of a made-up token succeeds, with a token that is not accepted.',
    requirement: 'REFRESH-3',
    wrap: combineWraps(
      admitCaller(['refresh'], ({ header }) => (isInventedToken(header) ? null : undefined)),
      wrapHandler(['refresh'], (call, next) =>
        call.caller ? next(call) : { token: `st_${digest('nobody').slice(0, 32)}` },
      ),
    ),
  },
  {
    id: 'refresh-of-token-cut-short',
    title: 'The beginning of a session token is renewed as if it were the whole.',
    requirement: 'REFRESH-3',
    wrap: acceptSimilarTokens(['refresh'], 'st_', 'truncated'),
  },
  {
    id: 'refresh-of-token-with-more-behind',
    title: 'What follows a session token is ignored in a renewal.',
    requirement: 'REFRESH-3',
    wrap: acceptSimilarTokens(['refresh'], 'st_', 'extended'),
  },
  {
    id: 'refresh-of-token-with-another-end',
    title: 'The last characters of a session token, as a signature might be, are not looked at in a renewal.',
    requirement: 'REFRESH-3',
    wrap: acceptSimilarTokens(['refresh'], 'st_', 'with another end'),
  },
  {
    id: 'refresh-of-token-one-off',
    title: 'A session token of which one character is wrong is renewed.',
    requirement: 'REFRESH-3',
    wrap: acceptSimilarTokens(['refresh'], 'st_', 'with one wrong character'),
  },
  {
    id: 'expired-token-not-renewed',
    title: 'A token that has expired is not renewed.',
    requirement: 'REFRESH-4',
    wrap: rejectExpired(() => true),
  },
  {
    id: 'expired-token-renewed-to-expired-one',
    title: 'The renewal of an expired token keeps its expiry.',
    requirement: 'REFRESH-4',
    wrap: changeCall('refresh', (call) => {
      const { session } = call.caller ?? {};
      return session && call.now >= session.expiresAt
        ? { ...call, now: session.expiresAt - tokenLifetimeMs(call) }
        : call;
    }),
  },
  {
    id: 'expired-login-token-not-renewed',
    title: 'A token that has expired is renewed only if it came out of a renewal.',
    requirement: 'REFRESH-4',
    wrap: trackRenewals((isRenewed) => rejectExpired((caller) => !isRenewed(caller))),
  },
  {
    id: 'expired-token-of-later-users-not-renewed',
    title: 'A token that has expired is renewed for the first user of a tenant only.',
    requirement: 'REFRESH-4',
    wrap: rejectExpired((caller, world) => isByLaterUser(world, caller)),
  },
];

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
