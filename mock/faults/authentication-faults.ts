import type { OperationId } from '../../openapi/operations.ts';
import { ApiError } from '../http/api-errors.ts';
import type { AnyCall, Caller } from '../service.ts';
import { digest } from '../world/digests.ts';
import { isByKey, isByLaterUser, isFirstTenant, trackRenewals } from './caller-tools.ts';
import { combineWraps, type Fault, type Wrap, withMemory } from './fault.ts';
import { acceptSimilarTokens } from './similar-credentials.ts';
import { admitCaller, changeCall, rejectCaller, watchResult, wrapAuthentication } from './wrap-calls.ts';

const subscriptionCalls: readonly OperationId[] = ['createSubscription', 'testSubscription'];

/** Faults in who may call what. */
export const authenticationFaults: readonly Fault[] = [
  {
    id: 'create-without-authorization',
    title: 'A subscription is created without Authorization.',
    requirement: 'AUTH-1',
    wrap: admitAnonymous('createSubscription', (header) => header === undefined),
  },
  {
    id: 'test-without-authorization',
    title: 'A subscription is tested without Authorization.',
    requirement: 'AUTH-1',
    wrap: admitAnonymous('testSubscription', (header) => header === undefined),
  },
  {
    id: 'create-by-empty-bearer',
    title: 'A subscription is created with the word Bearer and no token.',
    requirement: 'AUTH-1',
    wrap: admitAnonymous('createSubscription', isEmptyBearer),
  },
  {
    id: 'test-by-empty-bearer',
    title: 'A subscription is tested with the word Bearer and no token.',
    requirement: 'AUTH-1',
    wrap: admitAnonymous('testSubscription', isEmptyBearer),
  },
  {
    id: 'session-token-refused-on-test',
    title: 'The test of a subscription accepts API keys only.',
    requirement: 'AUTH-2',
    wrap: rejectCaller(['testSubscription'], 'expected an API key', hasSession),
  },
  {
    id: 'session-token-refused-on-create',
    title: 'The creation of a subscription accepts API keys only.',
    requirement: 'AUTH-2',
    wrap: rejectCaller(['createSubscription'], 'expected an API key', hasSession),
  },
  {
    id: 'login-token-refused-on-test-until-renewed',
    title: 'The test of a subscription accepts session tokens only from renewals.',
    requirement: 'AUTH-2',
    wrap: trackRenewals((isRenewed) =>
      rejectCaller(
        ['testSubscription'],
        'expected a renewed token',
        (caller) => hasSession(caller) && !isRenewed(caller),
      ),
    ),
  },
  {
    id: 'session-token-of-later-tenants-refused-on-create',
    title: 'The creation of a subscription accepts API keys only, except from the first tenant.',
    requirement: 'AUTH-2',
    wrap: rejectCaller(
      ['createSubscription'],
      'expected an API key',
      (caller, { service }) => hasSession(caller) && !isFirstTenant(service.world, caller.tenantId),
    ),
  },
  {
    id: 'session-token-of-later-users-refused-on-create',
    title: 'Only the first user of a tenant can create subscriptions.',
    requirement: 'AUTH-2',
    wrap: rejectLaterUsers('createSubscription'),
  },
  {
    id: 'session-token-of-later-users-refused-on-test',
    title: 'Only the first user of a tenant can test subscriptions.',
    requirement: 'AUTH-2',
    wrap: rejectLaterUsers('testSubscription'),
  },
  {
    id: 'api-key-refused-on-test',
    title: 'The test of a subscription accepts session tokens only.',
    requirement: 'AUTH-3',
    wrap: rejectCaller(['testSubscription'], 'expected a session token', ({ session }) => !session),
  },
  {
    id: 'api-key-refused-on-create',
    title: 'The creation of a subscription accepts session tokens only.',
    requirement: 'AUTH-3',
    wrap: rejectCaller(['createSubscription'], 'expected a session token', ({ session }) => !session),
  },
  {
    id: 'new-key-not-accepted',
    title: 'An API key is accepted from the day after its creation on.',
    requirement: 'AUTH-3',
    wrap: rejectNewKeys(subscriptionCalls),
  },
  {
    id: 'new-key-refused-on-test',
    title: 'An API key can test subscriptions from the day after its creation on.',
    requirement: 'AUTH-3',
    wrap: rejectNewKeys(['testSubscription']),
  },
  {
    id: 'invented-token-taken-on-create',
    title: 'A subscription is created with any session token, known or not.',
    requirement: 'AUTH-4',
    wrap: admitInvented('createSubscription', 'st_'),
  },
  {
    id: 'invented-key-taken-on-test',
    title: 'A subscription is tested with any API key, known or not.',
    requirement: 'AUTH-4',
    wrap: admitInvented('testSubscription', 'sp_'),
  },
  {
    id: 'invented-key-taken-on-create',
    title: 'A subscription is created with any API key, known or not.',
    requirement: 'AUTH-4',
    wrap: admitInvented('createSubscription', 'sp_'),
  },
  {
    id: 'invented-token-taken-on-test',
    title: 'A subscription is tested with any session token, known or not.',
    requirement: 'AUTH-4',
    wrap: admitInvented('testSubscription', 'st_'),
  },
  {
    id: 'token-cut-short-taken-on-create',
    title: 'A subscription is created with the beginning of a session token.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['createSubscription'], 'st_', 'truncated'),
  },
  {
    id: 'token-with-more-behind-taken-on-test',
    title: 'What follows a session token is ignored in the test of a subscription.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['testSubscription'], 'st_', 'extended'),
  },
  {
    id: 'token-with-another-end-taken',
    title: 'The last characters of a session token, as a signature might be, are not looked at.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(subscriptionCalls, 'st_', 'with another end'),
  },
  {
    id: 'key-in-other-case-taken-on-test',
    title: 'A subscription is tested with an API key in another case.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['testSubscription'], 'sp_', 'in another case'),
  },
  {
    id: 'key-one-off-taken-on-create',
    title: 'A subscription is created with an API key of which one character is wrong.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['createSubscription'], 'sp_', 'with one wrong character'),
  },
  {
    id: 'key-cut-short-taken-on-test',
    title: 'A subscription is tested with the beginning of an API key.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['testSubscription'], 'sp_', 'truncated'),
  },
  {
    id: 'key-with-more-behind-taken-on-create',
    title: 'What follows an API key is ignored in the creation of a subscription.',
    requirement: 'AUTH-4',
    wrap: acceptSimilarTokens(['createSubscription'], 'sp_', 'extended'),
  },
  {
    id: 'expired-token-taken-on-test',
    title: 'A subscription is tested with an expired token.',
    requirement: 'AUTH-5',
    wrap: ignoreExpiry(['testSubscription'], Number.POSITIVE_INFINITY),
  },
  {
    id: 'expired-token-taken-for-ten-minutes',
    title: 'A session token is accepted for ten minutes more than it lives.',
    requirement: 'AUTH-5',
    wrap: ignoreExpiry(subscriptionCalls, 600_000),
  },
  {
    id: 'expired-token-taken-on-create',
    title: 'A subscription is created with an expired token.',
    requirement: 'AUTH-5',
    wrap: ignoreExpiry(['createSubscription'], Number.POSITIVE_INFINITY),
  },
  {
    id: 'expired-token-taken-once',
    title: 'The first call with an expired token is let through.',
    requirement: 'AUTH-5',
    wrap: withMemory((memory, used = memory.set('used')) =>
      wrapAuthentication(({ header = '' }, next) => {
        try {
          return next();
        } catch (error) {
          const isExpired = error instanceof ApiError && error.kind === 'token-expired';
          if (!isExpired || used.has(digest(header))) throw error;
          used.add(digest(header));
          return next({ now: 0 });
        }
      }),
    ),
  },
  {
    id: 'expired-login-token-taken',
    title: 'Only tokens that came out of a renewal expire.',
    requirement: 'AUTH-5',
    wrap: trackRenewals((isRenewed) =>
      wrapAuthentication(({ operation }, next) => {
        if (!subscriptionCalls.includes(operation)) return next();
        const caller = next({ now: 0 });
        return isRenewed(caller) ? next() : caller;
      }),
    ),
  },
  {
    id: 'expired-token-of-later-users-taken',
    title: "Only the first user's tokens expire.",
    requirement: 'AUTH-5',
    wrap: wrapAuthentication(({ service, operation }, next) => {
      if (operation === 'refresh') return next();
      const caller = next({ now: 0 });
      return isByLaterUser(service.world, caller) ? caller : next();
    }),
  },
  {
    id: 'foreign-site-taken-on-create',
    title: "Every tenant can create subscriptions on every tenant's sites.",
    requirement: 'AUTH-6',
    wrap: ignoreTenant('createSubscription', () => true),
  },
  {
    id: 'foreign-site-taken-on-test',
    title: "Every tenant can test every tenant's subscriptions.",
    requirement: 'AUTH-6',
    wrap: ignoreTenant('testSubscription', () => true),
  },
  {
    id: 'foreign-site-taken-of-younger-tenants',
    title: 'A tenant can create subscriptions on the sites of tenants that joined later.',
    requirement: 'AUTH-6',
    wrap: ignoreTenant('createSubscription', ({ caller }, owner) => (caller?.tenantId ?? 0) < owner),
  },
  {
    id: 'foreign-site-open-to-api-keys',
    title: "An API key is good for the creation of subscriptions on every tenant's sites.",
    requirement: 'AUTH-6',
    wrap: ignoreTenant('createSubscription', isByKey),
  },
  {
    id: 'foreign-site-open-to-later-users',
    title: "A tenant's second user can create subscriptions on every tenant's sites.",
    requirement: 'AUTH-6',
    wrap: ignoreTenant('createSubscription', ({ world, caller }) => isByLaterUser(world, caller)),
  },
  {
    id: 'foreign-subscriptions-tested-by-api-keys',
    title: "An API key is good for the test of every tenant's subscriptions.",
    requirement: 'AUTH-6',
    wrap: ignoreTenant('testSubscription', isByKey),
  },
  {
    id: 'new-site-open-to-all-tenants',
    title: 'A site that was created through the API is open to all tenants.',
    requirement: 'AUTH-6',
    wrap: ignoreTenant('createSubscription', ({ input }) => Number(input.siteID) > 1000),
  },
  {
    id: 'foreign-site-taken-after-renewal',
    title: "With a renewed token, subscriptions can be created on every tenant's sites.",
    requirement: 'AUTH-6',
    wrap: trackRenewals((isRenewed) => ignoreTenant('createSubscription', ({ caller }) => isRenewed(caller))),
  },
  {
    id: 'foreign-site-read',
    title: "Every tenant can read every tenant's sites.",
    requirement: 'AUTH-6',
    wrap: ignoreTenant('getSite', () => true),
  },
  {
    id: 'foreign-site-published',
    title: "Every tenant can publish every tenant's sites.",
    requirement: 'AUTH-6',
    wrap: ignoreTenant('publishSite', () => true),
  },
  {
    id: 'foreign-subscription-deleted',
    title: "Every tenant can delete every tenant's subscriptions.",
    requirement: 'AUTH-6',
    wrap: ignoreTenant('deleteSubscription', () => true),
  },
  {
    id: 'foreign-push-log-read-by-api-keys',
    title: "An API key can read every tenant's push log.",
    requirement: 'AUTH-6',
    wrap: ignoreTenant('listDeliveries', isByKey),
  },
];

function hasSession({ session }: Caller): boolean {
  return session !== undefined;
}

function isEmptyBearer(header = ''): boolean {
  return /^Bearer *$/i.test(header);
}

function admitAnonymous(id: OperationId, when: (header: string | undefined) => boolean): Wrap {
  return admitCaller([id], ({ header }) => (when(header) ? null : undefined));
}

/** Admits made-up tokens and keys. An expired token is not made up: its session is known. */
function admitInvented(id: OperationId, prefix: 'st_' | 'sp_'): Wrap {
  return admitCaller([id], ({ service, header = '' }) => {
    const isKnown = service.world.sessions.has(digest(header.slice('Bearer '.length)));
    return header.startsWith(`Bearer ${prefix}`) && !isKnown ? null : undefined;
  });
}

function rejectLaterUsers(id: OperationId): Wrap {
  return rejectCaller([id], 'expected the first user', (caller, { service }) =>
    isByLaterUser(service.world, caller),
  );
}

/** Rejects the keys that are created while the fault is on. */
function rejectNewKeys(ids: readonly OperationId[]): Wrap {
  return withMemory((memory, created = memory.set('created')) =>
    combineWraps(
      watchResult(['createKey'], ({ key }) => created.add(digest(String(key)))),
      rejectCaller(ids, 'the API key is too new', (_caller, { header = '' }) =>
        created.has(digest(header.replace(/^Bearer +/i, ''))),
      ),
    ),
  );
}

function ignoreExpiry(ids: readonly OperationId[], graceMs: number): Wrap {
  return wrapAuthentication(({ operation, now }, next) =>
    ids.includes(operation) ? next({ now: Math.max(0, now - graceMs) }) : next(),
  );
}

/** Handles calls on a site as if the tenant that owns the site had made them. */
function ignoreTenant(id: OperationId, when: (call: AnyCall, owner: number) => boolean): Wrap {
  return changeCall(id, (call) => {
    const { caller, world, input } = call;
    const owner = world.sites.get(Number(input.siteID))?.tenantId;
    if (!caller || owner === undefined || !when(call, owner)) return call;
    return { ...call, caller: { ...caller, tenantId: owner } };
  });
}
