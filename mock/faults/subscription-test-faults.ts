import type { AnyCall } from '../service.ts';
import type { Subscription } from '../world/entries.ts';
import { byKey } from './callers.ts';
import { combineWraps, faultsOf, type Wrap } from './fault.ts';
import { hasNoSecret, isChat, onFirstSite, showAsSent, testedIn, trackTests } from './subscription-tools.ts';
import { type CallTest, changeCall, changeInput, hideRejection, remember } from './wrap-calls.ts';

export const subscriptionTestFaults = faultsOf({
  'HOOK-10 chat-test-sends-nothing: The test of a subscription on a chat channel sends nothing.': () =>
    skipTest(isChat),
  'HOOK-10 unsigned-test-sends-nothing: The test of a subscription without a signing secret sends nothing.':
    () => skipTest(hasNoSecret),
  'HOOK-10 test-by-key-sends-nothing: The test of a subscription with an API key sends nothing.': () =>
    skipTest((_subscription, call) => byKey(call)),
  'HOOK-10 test-of-one-event-sends-nothing: The test of a subscription to publish.failed alone sends nothing.':
    () => skipTest(({ events }) => events.join() === 'publish.failed'),
  'HOOK-10 second-test-sends-nothing: A subscription that has been tested gets no other test message as long as it lives.':
    () => trackTests((isTested) => skipTest(({ id }) => isTested(id))),
  'HOOK-10 test-on-second-site-sends-nothing: The test of a subscription on a site that is not the first of its tenant sends nothing.':
    () => skipTest((_subscription, call) => !onFirstSite(call)),
  'HOOK-10 query-of-receiving-url-dropped: What is pushed goes to the receiving URL without its query.': () =>
    changeUrl((url) => url.split('?')[0] ?? url),
  'HOOK-10 repeated-names-in-receiving-url-once: What is pushed goes to the receiving URL with the last of the values that share a name.':
    () => changeQuery((query) => new URLSearchParams(Object.fromEntries(query))),
  'HOOK-10 empty-values-of-receiving-url-dropped: What is pushed goes to the receiving URL without what is empty in its query.':
    () => changeQuery((query) => new URLSearchParams([...query].filter(([, value]) => value !== ''))),
  'HOOK-10 plus-in-receiving-url-escaped: What is pushed goes to the receiving URL with %2B in place of each plus.':
    () => changeUrl((url) => url.replaceAll('+', '%2B')),
  'HOOK-10 receiving-url-in-lower-case: What is pushed goes to the receiving URL in lower case.': () =>
    changeUrl((url) => url.toLowerCase()),
  'HOOK-11 test-of-unknown-subscription-passed-over: The test of an unknown subscription is answered as a success.':
    () => hideRejection('testSubscription', 'unknown-subscription', (call) => !testedIn(call)),
  'HOOK-11 test-through-other-site-of-tenant: A subscription can be tested through each of the sites of its tenant.':
    () =>
      changeInput('testSubscription', (call) => {
        const siteID = testedIn(call)?.siteId;
        const tenantId = siteID && call.world.sites.get(siteID)?.tenantId;
        return tenantId !== undefined && tenantId === call.caller?.tenantId ? { siteID } : undefined;
      }),
  'HOOK-11 test-through-other-site-passed-over: The test of a subscription through another site is answered as a success, and sends nothing.':
    () => hideRejection('testSubscription', 'unknown-subscription', throughOtherSite),
  'HOOK-11 test-through-unknown-site: A subscription can be tested through a site that does not exist.': () =>
    changeInput('testSubscription', (call) =>
      call.world.sites.has(Number(call.input.siteID)) ? undefined : { siteID: testedIn(call)?.siteId },
    ),
  'HOOK-11 deleted-subscription-tested: The test of a subscription that has been deleted is answered as a success.':
    () =>
      trackDeleted((isDeleted) =>
        hideRejection('testSubscription', 'unknown-subscription', ({ input }) => isDeleted(input.id)),
      ),
  'HOOK-11 subscription-read-to-last-letter (remark lenient-identifier): A letter after the identifier of a subscription is left out of it.':
    () =>
      changeInput('testSubscription', (call) =>
        testedIn(call) ? undefined : { id: String(call.input.id).replace(/[a-z]$/i, '') },
      ),
  'HOOK-11 subscription-zero-is-latest: The test of subscription 0 is that of the latest one.': () =>
    changeInput('testSubscription', ({ world, input }) => {
      const latest = [...world.subscriptions.of(Number(input.siteID)).values()].at(-1);
      return String(input.id) === '0' && latest ? { id: latest.id } : undefined;
    }),
});

/** Stores another receiving URL than the one sent, which the answer still shows. */
function changeUrl(change: (url: string) => string): Wrap {
  return combineWraps(
    changeInput('createSubscription', ({ input }) => ({ url: change(String(input.url)) })),
    showAsSent('url'),
  );
}

function changeQuery(change: (query: URLSearchParams) => URLSearchParams): Wrap {
  return changeUrl((url) => {
    const [address, query] = url.split('?');
    return query === undefined ? url : `${address}?${change(new URLSearchParams(query))}`;
  });
}

const trackDeleted = remember('deleteSubscription', (_values, { input }) => input.subscriptionID);

/** Answers tests as successful, without sending a message. */
function skipTest(when: (subscription: Subscription, call: AnyCall) => boolean): Wrap {
  return changeCall('testSubscription', (call) => {
    const dispatcher = { ...call.dispatcher, test: async () => true, queue() {} };
    const subscription = testedIn(call);
    return subscription && when(subscription, call) ? { ...call, dispatcher } : call;
  });
}

const throughOtherSite: CallTest = (call) => {
  const { siteId } = testedIn(call) ?? {};
  return siteId !== undefined && siteId !== Number(call.input.siteID);
};
