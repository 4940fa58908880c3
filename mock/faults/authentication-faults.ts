import type { OperationId } from '../../openapi/operations.ts';
import { ApiError } from '../http/api-errors.ts';
import type { AnyCall, Caller } from '../service.ts';
import { digest } from '../world/digests.ts';
import { isByKey, isByLaterUser, isFirstTenant, trackRenewals } from './caller-tools.ts';
import { combineWraps, faultsOf, type Wrap, withMemory } from './fault.ts';
import { acceptSimilarTokens } from './similar-credentials.ts';
import { admitCaller, changeCall, rejectCaller, watchResult, wrapAuthentication } from './wrap-calls.ts';

const subscriptionCalls: readonly OperationId[] = ['createSubscription', 'testSubscription'];

/** Faults in who may call what. */
export const authenticationFaults = faultsOf({
  'AUTH-1': {
    'create-without-authorization: A subscription is created without Authorization.': () =>
      admitAnonymous('createSubscription', (header) => header === undefined),
    'test-without-authorization: A subscription is tested without Authorization.': () =>
      admitAnonymous('testSubscription', (header) => header === undefined),
    'create-by-empty-bearer: A subscription is created with the word Bearer and no token.': () =>
      admitAnonymous('createSubscription', isEmptyBearer),
    'test-by-empty-bearer: A subscription is tested with the word Bearer and no token.': () =>
      admitAnonymous('testSubscription', isEmptyBearer),
  },
  'AUTH-2': {
    'session-token-refused-on-test: The test of a subscription accepts API keys only.': () =>
      rejectCaller(['testSubscription'], 'expected an API key', hasSession),
    'session-token-refused-on-create: The creation of a subscription accepts API keys only.': () =>
      rejectCaller(['createSubscription'], 'expected an API key', hasSession),
    'login-token-refused-on-test-until-renewed: The test of a subscription accepts session tokens only from renewals.':
      () =>
        trackRenewals((isRenewed) =>
          rejectCaller(
            ['testSubscription'],
            'expected a renewed token',
            (caller) => hasSession(caller) && !isRenewed(caller),
          ),
        ),
    'session-token-of-later-tenants-refused-on-create: The creation of a subscription accepts API keys only, except from the first tenant.':
      () =>
        rejectCaller(
          ['createSubscription'],
          'expected an API key',
          (caller, { service }) => hasSession(caller) && !isFirstTenant(service.world, caller.tenantId),
        ),
    'session-token-of-later-users-refused-on-create: Only the first user of a tenant can create subscriptions.':
      () => rejectLaterUsers('createSubscription'),
    'session-token-of-later-users-refused-on-test: Only the first user of a tenant can test subscriptions.':
      () => rejectLaterUsers('testSubscription'),
  },
  'AUTH-3': {
    'api-key-refused-on-test: The test of a subscription accepts session tokens only.': () =>
      rejectCaller(['testSubscription'], 'expected a session token', ({ session }) => !session),
    'api-key-refused-on-create: The creation of a subscription accepts session tokens only.': () =>
      rejectCaller(['createSubscription'], 'expected a session token', ({ session }) => !session),
    'new-key-not-accepted: An API key is accepted from the day after its creation on.': () =>
      rejectNewKeys(subscriptionCalls),
    'new-key-refused-on-test: An API key can test subscriptions from the day after its creation on.': () =>
      rejectNewKeys(['testSubscription']),
  },
  'AUTH-4': {
    'invented-token-taken-on-create: A subscription is created with any session token, known or not.': () =>
      admitInvented('createSubscription', 'st_'),
    'invented-key-taken-on-test: A subscription is tested with any API key, known or not.': () =>
      admitInvented('testSubscription', 'sp_'),
    'invented-key-taken-on-create: A subscription is created with any API key, known or not.': () =>
      admitInvented('createSubscription', 'sp_'),
    'invented-token-taken-on-test: A subscription is tested with any session token, known or not.': () =>
      admitInvented('testSubscription', 'st_'),
    'token-cut-short-taken-on-create: A subscription is created with the beginning of a session token.': () =>
      acceptSimilarTokens(['createSubscription'], 'st_', 'truncated'),
    'token-with-more-behind-taken-on-test: What follows a session token is ignored in the test of a subscription.':
      () => acceptSimilarTokens(['testSubscription'], 'st_', 'extended'),
    'token-with-another-end-taken: The last characters of a session token, as a signature might be, are not looked at.':
      () => acceptSimilarTokens(subscriptionCalls, 'st_', 'with another end'),
    'key-in-other-case-taken-on-test: A subscription is tested with an API key in another case.': () =>
      acceptSimilarTokens(['testSubscription'], 'sp_', 'in another case'),
    'key-one-off-taken-on-create: A subscription is created with an API key of which one character is wrong.':
      () => acceptSimilarTokens(['createSubscription'], 'sp_', 'with one wrong character'),
    'key-cut-short-taken-on-test: A subscription is tested with the beginning of an API key.': () =>
      acceptSimilarTokens(['testSubscription'], 'sp_', 'truncated'),
    'key-with-more-behind-taken-on-create: What follows an API key is ignored in the creation of a subscription.':
      () => acceptSimilarTokens(['createSubscription'], 'sp_', 'extended'),
  },
  'AUTH-5': {
    'expired-token-taken-on-test: A subscription is tested with an expired token.': () =>
      ignoreExpiry(['testSubscription'], Number.POSITIVE_INFINITY),
    'expired-token-taken-for-ten-minutes: A session token is accepted for ten minutes more than it lives.':
      () => ignoreExpiry(subscriptionCalls, 600_000),
    'expired-token-taken-on-create: A subscription is created with an expired token.': () =>
      ignoreExpiry(['createSubscription'], Number.POSITIVE_INFINITY),
    'expired-token-taken-once: The first call with an expired token is let through.': (
      { memory },
      used = memory.set('used'),
    ) =>
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
    'expired-login-token-taken: Only tokens that came out of a renewal expire.': () =>
      trackRenewals((isRenewed) =>
        wrapAuthentication(({ operation }, next) => {
          if (!subscriptionCalls.includes(operation)) return next();
          const caller = next({ now: 0 });
          return isRenewed(caller) ? next() : caller;
        }),
      ),
    "expired-token-of-later-users-taken: Only the first user's tokens expire.": () =>
      wrapAuthentication(({ service, operation }, next) => {
        if (operation === 'refresh') return next();
        const caller = next({ now: 0 });
        return isByLaterUser(service.world, caller) ? caller : next();
      }),
  },
  'AUTH-6': {
    "foreign-site-taken-on-create: Every tenant can create subscriptions on every tenant's sites.": () =>
      ignoreTenant('createSubscription', () => true),
    "foreign-site-taken-on-test: Every tenant can test every tenant's subscriptions.": () =>
      ignoreTenant('testSubscription', () => true),
    'foreign-site-taken-of-younger-tenants: A tenant can create subscriptions on the sites of tenants that joined later.':
      () => ignoreTenant('createSubscription', ({ caller }, owner) => (caller?.tenantId ?? 0) < owner),
    "foreign-site-open-to-api-keys: An API key is good for the creation of subscriptions on every tenant's sites.":
      () => ignoreTenant('createSubscription', isByKey),
    "foreign-site-open-to-later-users: A tenant's second user can create subscriptions on every tenant's sites.":
      () => ignoreTenant('createSubscription', ({ world, caller }) => isByLaterUser(world, caller)),
    "foreign-subscriptions-tested-by-api-keys: An API key is good for the test of every tenant's subscriptions.":
      () => ignoreTenant('testSubscription', isByKey),
    'new-site-open-to-all-tenants: A site that was created through the API is open to all tenants.': () =>
      ignoreTenant('createSubscription', ({ input }) => Number(input.siteID) > 1000),
    "foreign-site-taken-after-renewal: With a renewed token, subscriptions can be created on every tenant's sites.":
      () =>
        trackRenewals((isRenewed) => ignoreTenant('createSubscription', ({ caller }) => isRenewed(caller))),
    "foreign-site-read: Every tenant can read every tenant's sites.": () =>
      ignoreTenant('getSite', () => true),
    "foreign-site-published: Every tenant can publish every tenant's sites.": () =>
      ignoreTenant('publishSite', () => true),
    "foreign-subscription-deleted: Every tenant can delete every tenant's subscriptions.": () =>
      ignoreTenant('deleteSubscription', () => true),
    "foreign-push-log-read-by-api-keys: An API key can read every tenant's push log.": () =>
      ignoreTenant('listDeliveries', isByKey),
  },
});

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
