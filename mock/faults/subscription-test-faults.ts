import type { AnyCall } from '../service.ts';
import type { Subscription } from '../world/entries.ts';
import { byKey } from './callers.ts';
import { always, combineWraps, faultsOf, type Wrap } from './fault.ts';
import {
  changeShown,
  eventsOf,
  hasNoSecret,
  isChat,
  onFirstSite,
  showAsSent,
  trackTests,
} from './subscription-tools.ts';
import { type CallTest, changeCall, changeInput, changeList, hideRejection, remember } from './wrap-calls.ts';

/** Faults in showing and testing subscriptions. */
export const subscriptionTestFaults = faultsOf({
  'HOOK-1 creation-shows-last-url: The answer to a creation shows the receiving URL of the creation before it.':
    ({ memory }, last = memory.value<unknown>('last', undefined)) =>
      changeShown('url', (url) => {
        const shown = last.get() ?? url;
        last.set(url);
        return shown;
      }),
  'HOOK-1 creation-shows-url-without-query: The answer to a creation shows the receiving URL without its query.':
    () => changeShown('url', (url) => String(url).split('?')[0]),
  'HOOK-1 creation-shows-first-three-events: The answer to a creation shows three of the events at most.':
    () => changeShown('events', (events) => eventsOf({ events }).slice(0, 3)),
  'HOOK-1 creation-by-key-shows-all-events: The answer to a creation with an API key shows an event that was not chosen.':
    () =>
      changeShown('events', (events, call) =>
        byKey(call) ? [...new Set([...eventsOf({ events }), 'content.delete'])] : events,
      ),
  'HOOK-1 creation-shows-custom-for-robots: The answer to a creation shows the channel custom for every channel.':
    () => changeShown('channel', () => 'custom'),
  'AUTH-6 list-of-subscriptions-of-all-tenants: The list of the subscriptions of a site has those of all sites, whoever owns them.':
    () => listAll(),
  'AUTH-6 list-of-subscriptions-by-key-of-any-site: With an API key, the list has the subscriptions of sites of other tenants as well.':
    () => listAll(byKey),
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
        hideRejection('testSubscription', 'unknown-subscription', ({ input }) => isDeleted(String(input.id))),
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

/** Adds the subscriptions of all sites to the lists of some callers. */
function listAll(when: CallTest = always): Wrap {
  return changeList('listSubscriptions', (list, call) => {
    const all = [...call.world.subscriptions.values()];
    return when(call) ? all.map(({ id, url, events, channel }) => ({ id, url, events, channel })) : list;
  });
}

/** Creates subscriptions with another receiving URL than the one that was sent, and that is shown. */
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

/** Answers tests as if they had sent a message. */
function skipTest(when: (subscription: Subscription, call: AnyCall) => boolean): Wrap {
  return changeCall('testSubscription', (call) => {
    const dispatcher = { ...call.dispatcher, test: async () => true };
    const subscription = testedIn(call);
    return subscription && when(subscription, call) ? { ...call, dispatcher } : call;
  });
}

function testedIn({ world, input }: AnyCall): Subscription | undefined {
  return world.subscriptions.get(String(input.id));
}

const throughOtherSite: CallTest = (call) => {
  const { siteId } = testedIn(call) ?? {};
  return siteId !== undefined && siteId !== Number(call.input.siteID);
};
