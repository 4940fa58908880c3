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
  'AUTH-1 create-without-authorization: creates a subscription without Authorization': () =>
    admitCaller('createSubscription', withoutHeader),
  'AUTH-1 test-without-authorization: tests a subscription without Authorization': () =>
    admitCaller('testSubscription', withoutHeader),
  'AUTH-1 create-by-empty-bearer: accepts an empty Bearer token for creating subscriptions': () =>
    admitCaller('createSubscription', withEmptyBearer),
  'AUTH-1 test-by-empty-bearer: accepts an empty Bearer token for testing subscriptions': () =>
    admitCaller('testSubscription', withEmptyBearer),
  'AUTH-2 session-token-refused-on-test: rejects session tokens for testing subscriptions': () =>
    rejectCaller('testSubscription', 'expected an API key', bySession),
  'AUTH-2 session-token-refused-on-create: rejects session tokens for creating subscriptions': () =>
    rejectCaller('createSubscription', 'expected an API key', bySession),
  'AUTH-2 login-token-refused-on-test-until-renewed: rejects session tokens for testing subscriptions until they are renewed':
    () =>
      trackRenewals((isRenewed) =>
        rejectCaller('testSubscription', 'expected a renewed token', both(bySession, not(isRenewed))),
      ),
  'AUTH-2 session-token-of-later-tenants-refused-on-create: rejects session tokens for creating subscriptions, except for the first tenant':
    () => rejectCaller('createSubscription', 'expected an API key', both(bySession, ofLaterTenant)),
  'AUTH-2 session-token-of-later-users-refused-on-create: creates subscriptions only for the first user of a tenant':
    () => rejectCaller('createSubscription', 'expected the first user', byLaterUser),
  'AUTH-2 session-token-of-later-users-refused-on-test: tests subscriptions only for the first user of a tenant':
    () => rejectCaller('testSubscription', 'expected the first user', byLaterUser),
  'AUTH-3 api-key-refused-on-test: rejects API keys for testing subscriptions': () =>
    rejectCaller('testSubscription', 'expected a session token', byKey),
  'AUTH-3 api-key-refused-on-create: rejects API keys for creating subscriptions': () =>
    rejectCaller('createSubscription', 'expected a session token', byKey),
  'AUTH-3 new-key-not-accepted: rejects a new API key until the next day': () =>
    rejectNewKeys(subscriptionCalls),
  'AUTH-3 new-key-refused-on-test: rejects a new API key for testing subscriptions until the next day': () =>
    rejectNewKeys('testSubscription'),
  'AUTH-4 invented-token-taken-on-create: accepts any session token for creating subscriptions, known or not':
    () => admitCaller('createSubscription', withInvented('st_')),
  'AUTH-4 invented-key-taken-on-test: accepts any API key for testing subscriptions, known or not': () =>
    admitCaller('testSubscription', withInvented('sp_')),
  'AUTH-4 invented-key-taken-on-create: accepts any API key for creating subscriptions, known or not': () =>
    admitCaller('createSubscription', withInvented('sp_')),
  'AUTH-4 invented-token-taken-on-test: accepts any session token for testing subscriptions, known or not':
    () => admitCaller('testSubscription', withInvented('st_')),
  'AUTH-4 token-cut-short-taken-on-create: accepts a truncated session token for creating subscriptions':
    () => acceptSimilarTokens('createSubscription', 'st_', 'cut short'),
  'AUTH-4 token-with-more-behind-taken-on-test: accepts extra characters after a session token for testing subscriptions':
    () => acceptSimilarTokens('testSubscription', 'st_', 'extended'),
  'AUTH-4 token-with-another-end-taken: accepts a session token whose last characters, such as its signature, are wrong':
    () => acceptSimilarTokens(subscriptionCalls, 'st_', 'with another end'),
  'AUTH-4 key-in-other-case-taken-on-test: accepts an API key in a different case for testing subscriptions':
    () => acceptSimilarTokens('testSubscription', 'sp_', 'in another case'),
  'AUTH-4 key-one-off-taken-on-create: accepts an API key with one wrong character for creating subscriptions':
    () => acceptSimilarTokens('createSubscription', 'sp_', 'with one wrong character'),
  'AUTH-4 key-cut-short-taken-on-test: accepts a truncated API key for testing subscriptions': () =>
    acceptSimilarTokens('testSubscription', 'sp_', 'cut short'),
  'AUTH-4 key-with-more-behind-taken-on-create: accepts extra characters after an API key for creating subscriptions':
    () => acceptSimilarTokens('createSubscription', 'sp_', 'extended'),
  'AUTH-5 expired-token-taken-on-test: accepts an expired token for testing subscriptions': () =>
    ignoreExpiry('testSubscription'),
  'AUTH-5 expired-token-taken-for-ten-minutes: accepts a session token for ten minutes after it expires':
    () =>
      ignoreExpiry(subscriptionCalls, ({ caller, now }) => now < (caller?.session?.expiresAt ?? 0) + 600_000),
  'AUTH-5 expired-token-taken-on-create: accepts an expired token for creating subscriptions': () =>
    ignoreExpiry('createSubscription'),
  'AUTH-5 expired-token-taken-once: accepts an expired token once': ({ memory }, used = memory.set('used')) =>
    ignoreExpiry(
      subscriptionCalls,
      both(isLapsed, ({ caller }) => used.add(caller?.session?.key ?? '')),
    ),
  'AUTH-5 expired-login-token-taken: accepts expired tokens that came from a login': () =>
    trackRenewals((isRenewed) => ignoreExpiry(subscriptionCalls, not(isRenewed))),
  'AUTH-5 expired-token-of-later-users-taken: accepts expired tokens of all users except the first': () =>
    ignoreExpiry(subscriptionCalls, byLaterUser),
  'AUTH-6 foreign-site-taken-on-create: creates subscriptions on the sites of other tenants': () =>
    ignoreTenant('createSubscription'),
  'AUTH-6 foreign-site-taken-on-test: tests the subscriptions of other tenants': () =>
    ignoreTenant('testSubscription'),
  'AUTH-6 foreign-site-taken-of-younger-tenants: creates subscriptions on the sites of newer tenants': () =>
    ignoreTenant('createSubscription', ({ caller }, owner) => (caller?.tenantId ?? 0) < owner),
  "AUTH-6 foreign-site-open-to-api-keys: lets API keys create subscriptions on other tenants' sites": () =>
    ignoreTenant('createSubscription', byKey),
  "AUTH-6 foreign-site-open-to-later-users: lets a tenant's second user create subscriptions on other tenants' sites":
    () => ignoreTenant('createSubscription', byLaterUser),
  "AUTH-6 foreign-subscriptions-tested-by-api-keys: lets API keys test other tenants' subscriptions": () =>
    ignoreTenant('testSubscription', byKey),
  'AUTH-6 new-site-open-to-all-tenants: opens sites that were created through the API to all tenants': () =>
    ignoreTenant('createSubscription', ({ input }) => Number(input.siteID) > 1000),
  "AUTH-6 foreign-site-taken-after-renewal: lets renewed tokens create subscriptions on other tenants' sites":
    () => trackRenewals((isRenewed) => ignoreTenant('createSubscription', isRenewed)),
  'AUTH-6 foreign-site-read: shows sites of other tenants': () => ignoreTenant('getSite'),
  'AUTH-6 foreign-site-published: publishes sites of other tenants': () => ignoreTenant('publishSite'),
  'AUTH-6 foreign-subscription-deleted: deletes subscriptions of other tenants': () =>
    ignoreTenant('deleteSubscription'),
  'AUTH-6 foreign-push-log-read-by-api-keys: shows the push logs of other tenants to API keys': () =>
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
