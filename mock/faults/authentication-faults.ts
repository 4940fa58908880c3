import type { OperationId } from '../../openapi/operations.ts';
import type { AnyCall } from '../service.ts';
import {
  acceptSimilarTokens,
  byKey,
  byLaterUser,
  bySession,
  type CallerTest,
  isLapsed,
  ofLaterTenant,
  trackRenewals,
  withEmptyBearer,
  withInvented,
  withoutHeader,
} from './callers.ts';
import { always, both, faultsOf, not, type Wrap } from './fault.ts';
import { admitCaller, callAs, type Ids, rejectCaller, remember, wrapAuthentication } from './wrap-calls.ts';

const subscriptionCalls: readonly OperationId[] = ['createSubscription', 'testSubscription'];

export const authenticationFaults = faultsOf({
  'AUTH-1 create-without-authorization: A subscription is created without Authorization.': () =>
    admitCaller('createSubscription', withoutHeader),
  'AUTH-1 test-without-authorization: A subscription is tested without Authorization.': () =>
    admitCaller('testSubscription', withoutHeader),
  'AUTH-1 create-by-empty-bearer: A subscription is created with an empty Bearer token.': () =>
    admitCaller('createSubscription', withEmptyBearer),
  'AUTH-1 test-by-empty-bearer: A subscription is tested with an empty Bearer token.': () =>
    admitCaller('testSubscription', withEmptyBearer),
  'AUTH-2 session-token-refused-on-test: Testing a subscription accepts only API keys.': () =>
    rejectCaller('testSubscription', 'expected an API key', bySession),
  'AUTH-2 session-token-refused-on-create: Creating a subscription accepts only API keys.': () =>
    rejectCaller('createSubscription', 'expected an API key', bySession),
  'AUTH-2 login-token-refused-on-test-until-renewed: Testing a subscription accepts session tokens only after a renewal.':
    () =>
      trackRenewals((isRenewed) =>
        rejectCaller('testSubscription', 'expected a renewed token', both(bySession, not(isRenewed))),
      ),
  'AUTH-2 session-token-of-later-tenants-refused-on-create: Creating a subscription accepts only API keys, except for the first tenant.':
    () => rejectCaller('createSubscription', 'expected an API key', both(bySession, ofLaterTenant)),
  'AUTH-2 session-token-of-later-users-refused-on-create: Only the first user of a tenant can create subscriptions.':
    () => rejectCaller('createSubscription', 'expected the first user', byLaterUser),
  'AUTH-2 session-token-of-later-users-refused-on-test: Only the first user of a tenant can test subscriptions.':
    () => rejectCaller('testSubscription', 'expected the first user', byLaterUser),
  'AUTH-3 api-key-refused-on-test: Testing a subscription accepts only session tokens.': () =>
    rejectCaller('testSubscription', 'expected a session token', byKey),
  'AUTH-3 api-key-refused-on-create: Creating a subscription accepts only session tokens.': () =>
    rejectCaller('createSubscription', 'expected a session token', byKey),
  'AUTH-3 new-key-not-accepted: An API key is not accepted until the day after its creation.': () =>
    rejectNewKeys(subscriptionCalls),
  'AUTH-3 new-key-refused-on-test: An API key cannot test subscriptions until the day after its creation.':
    () => rejectNewKeys('testSubscription'),
  'AUTH-4 invented-token-taken-on-create: A subscription is created with any session token, known or not.':
    () => admitCaller('createSubscription', withInvented('st_')),
  'AUTH-4 invented-key-taken-on-test: A subscription is tested with any API key, known or not.': () =>
    admitCaller('testSubscription', withInvented('sp_')),
  'AUTH-4 invented-key-taken-on-create: A subscription is created with any API key, known or not.': () =>
    admitCaller('createSubscription', withInvented('sp_')),
  'AUTH-4 invented-token-taken-on-test: A subscription is tested with any session token, known or not.': () =>
    admitCaller('testSubscription', withInvented('st_')),
  'AUTH-4 token-cut-short-taken-on-create: A subscription is created with a truncated session token.': () =>
    acceptSimilarTokens('createSubscription', 'st_', 'cut short'),
  'AUTH-4 token-with-more-behind-taken-on-test: Testing a subscription ignores extra characters after a session token.':
    () => acceptSimilarTokens('testSubscription', 'st_', 'extended'),
  'AUTH-4 token-with-another-end-taken: The last characters of a session token, such as a signature, are not checked.':
    () => acceptSimilarTokens(subscriptionCalls, 'st_', 'with another end'),
  'AUTH-4 key-in-other-case-taken-on-test: A subscription is tested with an API key in a different case.':
    () => acceptSimilarTokens('testSubscription', 'sp_', 'in another case'),
  'AUTH-4 key-one-off-taken-on-create: A subscription is created with an API key that has one wrong character.':
    () => acceptSimilarTokens('createSubscription', 'sp_', 'with one wrong character'),
  'AUTH-4 key-cut-short-taken-on-test: A subscription is tested with a truncated API key.': () =>
    acceptSimilarTokens('testSubscription', 'sp_', 'cut short'),
  'AUTH-4 key-with-more-behind-taken-on-create: Creating a subscription ignores extra characters after an API key.':
    () => acceptSimilarTokens('createSubscription', 'sp_', 'extended'),
  'AUTH-5 expired-token-taken-on-test: A subscription is tested with an expired token.': () =>
    ignoreExpiry('testSubscription'),
  'AUTH-5 expired-token-taken-for-ten-minutes: A session token is accepted for ten minutes after it expires.':
    () =>
      ignoreExpiry(subscriptionCalls, ({ caller, now }) => now < (caller?.session?.expiresAt ?? 0) + 600_000),
  'AUTH-5 expired-token-taken-on-create: A subscription is created with an expired token.': () =>
    ignoreExpiry('createSubscription'),
  'AUTH-5 expired-token-taken-once: The first call with an expired token is accepted.': (
    { memory },
    used = memory.set('used'),
  ) =>
    ignoreExpiry(
      subscriptionCalls,
      both(isLapsed, ({ caller }) => used.add(caller?.session?.key ?? '')),
    ),
  'AUTH-5 expired-login-token-taken: Only renewed tokens expire.': () =>
    trackRenewals((isRenewed) => ignoreExpiry(subscriptionCalls, not(isRenewed))),
  "AUTH-5 expired-token-of-later-users-taken: Only the first user's tokens expire.": () =>
    ignoreExpiry(subscriptionCalls, byLaterUser),
  "AUTH-6 foreign-site-taken-on-create: Every tenant can create subscriptions on every tenant's sites.": () =>
    ignoreTenant('createSubscription'),
  "AUTH-6 foreign-site-taken-on-test: Every tenant can test every tenant's subscriptions.": () =>
    ignoreTenant('testSubscription'),
  'AUTH-6 foreign-site-taken-of-younger-tenants: A tenant can create subscriptions on the sites of newer tenants.':
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

/** Rejects only keys that are created while the fault is on. */
function rejectNewKeys(ids: Ids): Wrap {
  const trackNewKeys = remember('createKey', ({ id }) => id);
  return trackNewKeys((isNew) =>
    rejectCaller(ids, 'the API key is too new', ({ caller }) => isNew(caller?.apiKey?.id)),
  );
}

/** Authenticates at time 0, at which no token has expired. */
function ignoreExpiry(ids: Ids, when: CallerTest = always): Wrap {
  return wrapAuthentication(ids, (access, next) => {
    const caller = next({ now: 0 });
    return when({ ...access, caller }) ? caller : next();
  });
}

/** Handles calls on a site as calls of the tenant that owns it. */
function ignoreTenant(id: OperationId, when: (call: AnyCall, owner: number) => boolean = always): Wrap {
  return callAs(id, (call) => {
    const owner = call.world.sites.get(Number(call.input.siteID))?.tenantId;
    return owner !== undefined && when(call, owner) ? owner : undefined;
  });
}
