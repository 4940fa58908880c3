import type { AnyCall } from '../service.ts';
import type { Subscription } from '../world/world.ts';
import { isByKey } from './caller-tools.ts';
import { combineWraps, faultsOf, remarked, type Wrap } from './fault.ts';
import { hideRejection, isOnFirstSite } from './subscription-tools.ts';
import { changeCall, changeInput, changeResult, watchResult, wrapHandler } from './wrap-calls.ts';

/** Faults in testing subscriptions. */
export const subscriptionTestFaults = faultsOf({
  'HOOK-10': {
    'chat-test-sends-nothing: The test of a subscription on a chat channel sends nothing.': () =>
      skipTest(({ channel }) => channel !== 'custom'),
    'unsigned-test-sends-nothing: The test of a subscription without a signing secret sends nothing.': () =>
      skipTest(({ secret }) => secret === undefined),
    'test-by-key-sends-nothing: The test of a subscription with an API key sends nothing.': () =>
      skipTest((_subscription, call) => isByKey(call)),
    'test-of-one-event-sends-nothing: The test of a subscription to publish.failed alone sends nothing.':
      () => skipTest(({ events }) => events.join() === 'publish.failed'),
    'second-test-sends-nothing: A subscription that has been tested gets no other test message as long as it lives.':
      ({ memory }, tested = memory.set('tested')) =>
        skipTest(({ id }) => {
          const isTested = tested.has(id);
          tested.add(id);
          return isTested;
        }),
    'test-on-second-site-sends-nothing: The test of a subscription on a site that is not the first of its tenant sends nothing.':
      () => skipTest((_subscription, call) => !isOnFirstSite(call)),
    'query-of-receiving-url-dropped: What is pushed goes to the receiving URL without its query.': () =>
      changeUrl((url) => url.split('?')[0] ?? url),
    'repeated-names-in-receiving-url-once: What is pushed goes to the receiving URL with the last of the values that share a name.':
      () => changeUrl(changeQuery((query) => new URLSearchParams(Object.fromEntries(query)))),
    'empty-values-of-receiving-url-dropped: What is pushed goes to the receiving URL without what is empty in its query.':
      () =>
        changeUrl(
          changeQuery((query) => new URLSearchParams([...query].filter(([, value]) => value !== ''))),
        ),
    'plus-in-receiving-url-escaped: What is pushed goes to the receiving URL with %2B in place of each plus.':
      () => changeUrl((url) => url.replaceAll('+', '%2B')),
    'receiving-url-in-lower-case: What is pushed goes to the receiving URL in lower case.': () =>
      changeUrl((url) => url.toLowerCase()),
  },
  'HOOK-11': {
    'test-of-unknown-subscription-passed-over: The test of an unknown subscription is answered as a success.':
      () => hideRejection('testSubscription', 'unknown-subscription', (call) => !testedSubscription(call)),
    'test-through-other-site-of-tenant: A subscription can be tested through each of the sites of its tenant.':
      () =>
        changeInput('testSubscription', (call) => {
          const { siteId } = testedSubscription(call) ?? {};
          const tenantId = siteId === undefined ? undefined : call.world.sites.get(siteId)?.tenantId;
          return tenantId !== undefined && tenantId === call.caller?.tenantId
            ? { siteID: siteId }
            : undefined;
        }),
    'test-through-other-site-passed-over: The test of a subscription through another site is answered as a success, and sends nothing.':
      () =>
        hideRejection('testSubscription', 'unknown-subscription', (call) => {
          const subscription = testedSubscription(call);
          return subscription !== undefined && subscription.siteId !== Number(call.input.siteID);
        }),
    'test-through-unknown-site: A subscription can be tested through a site that does not exist.': () =>
      changeInput('testSubscription', (call) => {
        const isKnown = call.world.sites.has(Number(call.input.siteID));
        return isKnown ? undefined : { siteID: testedSubscription(call)?.siteId };
      }),
    'deleted-subscription-tested: The test of a subscription that has been deleted is answered as a success.':
      ({ memory }, deleted = memory.set('deleted')) =>
        combineWraps(
          watchResult(['deleteSubscription'], (_values, { input }) =>
            deleted.add(String(input.subscriptionID)),
          ),
          wrapHandler(['testSubscription'], (call, next) =>
            deleted.has(String(call.input.id)) ? {} : next(call),
          ),
        ),
    'subscription-read-to-last-letter: A letter after the identifier of a subscription is left out of it.':
      remarked('lenient-identifier', () =>
        changeInput('testSubscription', (call) =>
          testedSubscription(call) ? undefined : { id: String(call.input.id).replace(/[a-z]$/i, '') },
        ),
      ),
    'subscription-zero-is-latest: The test of subscription 0 is that of the latest one.': () =>
      changeInput('testSubscription', ({ world, input }) => {
        const latest = [...world.subscriptions.values()].findLast(
          ({ siteId }) => siteId === Number(input.siteID),
        );
        return String(input.id) === '0' && latest ? { id: latest.id } : undefined;
      }),
  },
});

/** Creates subscriptions with another receiving URL than the one that was sent, and that is shown. */
function changeUrl(change: (url: string) => string): Wrap {
  return combineWraps(
    changeInput('createSubscription', ({ input }) => ({ url: change(String(input.url)) })),
    changeResult('createSubscription', (values, { input }) => ({ ...values, url: input.url })),
  );
}

function changeQuery(change: (query: URLSearchParams) => URLSearchParams): (url: string) => string {
  return (url) => {
    const [address, query] = url.split('?');
    return query === undefined ? url : `${address}?${change(new URLSearchParams(query))}`;
  };
}

/** Answers tests as if they had sent a message. */
function skipTest(when: (subscription: Subscription, call: AnyCall) => boolean): Wrap {
  return changeCall('testSubscription', (call) => {
    const dispatcher = { ...call.dispatcher, test: async () => true };
    const subscription = testedSubscription(call);
    return subscription && when(subscription, call) ? { ...call, dispatcher } : call;
  });
}

function testedSubscription({ world, input }: AnyCall): Subscription | undefined {
  return world.subscriptions.get(String(input.id));
}
