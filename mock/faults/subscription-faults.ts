import { eventNames } from '../../openapi/event-names.ts';
import { unknownSubscription } from '../http/api-errors.ts';
import type { AnyCall } from '../service.ts';
import type { Subscription } from '../world/entries.ts';
import { isByKey } from './caller-tools.ts';
import { combineWraps, type Fault, type Wrap, withMemory } from './fault.ts';
import { invalidSubscriptionFaults } from './invalid-subscription-faults.ts';
import { shownSubscriptionFaults } from './shown-subscription-faults.ts';
import { eventsOf, hideRejection, isChat, isOnFirstSite, rejectCreation } from './subscription-tools.ts';
import { changeCall, changeInput, changeResult, rejectCall, watchResult, wrapHandler } from './wrap-calls.ts';

/** Faults in creating and testing subscriptions. */
export const subscriptionFaults: readonly Fault[] = [
  {
    id: 'subscription-id-unknown-to-test',
    title: 'The identifier in the answer to a creation is not the one that the test path accepts.',
    requirement: 'HOOK-1',
    wrap: changeResult('createSubscription', (values) => ({ ...values, id: changeId(values.id) })),
  },
  {
    id: 'first-subscription-of-site-not-kept',
    title: 'The first subscription of a site is created, but not kept.',
    requirement: 'HOOK-1',
    wrap: withMemory((memory, sites = memory.set('sites')) =>
      watchResult(['createSubscription'], ({ id }, { input, world }) => {
        const site = String(input.siteID);
        if (!sites.has(site)) world.subscriptions.delete(String(id));
        sites.add(site);
      }),
    ),
  },
  {
    id: 'subscription-of-second-site-unknown-to-test',
    title: 'The test path does not know subscriptions on a site that is not the first of its tenant.',
    requirement: 'HOOK-1',
    wrap: rejectCall('testSubscription', (call) =>
      isOnFirstSite(call) ? undefined : unknownSubscription(String(call.input.id)),
    ),
  },
  {
    id: 'receiving-url-with-query-refused',
    title: 'A receiving URL with a query is refused.',
    requirement: 'HOOK-1',
    wrap: rejectCreation('no query', (input) => String(input.url).includes('?')),
  },
  {
    id: 'secret-required',
    title: 'A subscription without a signing secret is refused.',
    requirement: 'HOOK-2',
    wrap: rejectCreation('a secret', (input) => input.secret === undefined),
  },
  {
    id: 'secret-with-hyphen-refused-for-two-events',
    title: 'A signing secret with a hyphen is refused with exactly two events.',
    requirement: 'HOOK-2',
    wrap: rejectCreation(
      'no hyphen',
      (input) => /-/.test(String(input.secret ?? '')) && eventsOf(input).length === 2,
    ),
  },
  {
    id: 'secret-refused-on-chat',
    title: 'A signing secret is refused on the chat channels.',
    requirement: 'HOOK-2',
    wrap: rejectCreation('no secret', (input) => isChat(input) && input.secret !== undefined),
  },
  {
    id: 'secret-required-on-feishu',
    title: 'A subscription on the channel feishu without a signing secret is refused.',
    requirement: 'HOOK-2',
    wrap: rejectCreation('a secret', (input) => input.channel === 'feishu' && input.secret === undefined),
  },
  {
    id: 'feishu-refused',
    title: 'The channel feishu is refused.',
    requirement: 'HOOK-3',
    wrap: rejectCreation('another channel', (input) => input.channel === 'feishu'),
  },
  {
    id: 'dingtalk-refused-with-several-events',
    title: 'The channel dingtalk is refused with more than one event.',
    requirement: 'HOOK-3',
    wrap: rejectCreation('one event', (input) => input.channel === 'dingtalk' && eventsOf(input).length > 1),
  },
  {
    id: 'custom-refused',
    title: 'The channel custom is refused.',
    requirement: 'HOOK-3',
    wrap: rejectCreation('a chat channel', (input) => input.channel === 'custom'),
  },
  {
    id: 'wecom-refused-at-every-address',
    title: 'The channel wecom is refused, also where the receiving URL is that of a robot of the product.',
    requirement: 'HOOK-3',
    wrap: rejectCreation('another channel', (input) => input.channel === 'wecom'),
  },
  {
    id: 'seventh-event-refused',
    title: 'A subscription can choose six events at most.',
    requirement: 'HOOK-5',
    wrap: rejectCreation('six events at most', (input) => eventsOf(input).length > 6),
  },
  {
    id: 'comment-created-refused-alone',
    title: 'The event comment.created is refused where it is chosen alone.',
    requirement: 'HOOK-5',
    wrap: rejectCreation('another event beside', (input) => eventsOf(input).join() === 'comment.created'),
  },
  {
    id: 'content-events-refused-one-by-one',
    title: 'An event of content is refused where it is chosen alone.',
    requirement: 'HOOK-5',
    wrap: rejectCreation('all events of content', (input) => /^content\.\w+$/.test(eventsOf(input).join())),
  },
  {
    id: 'form-submit-refused-alone',
    title: 'The event form.submit is refused where it is chosen alone.',
    requirement: 'HOOK-5',
    wrap: rejectCreation('other events', (input) => eventsOf(input).join() === 'form.submit'),
  },
  {
    id: 'publish-events-refused-apart',
    title: 'The event publish.complete is refused without publish.failed, and the other way round.',
    requirement: 'HOOK-5',
    wrap: rejectCreation(
      'both events of publishing',
      (input) =>
        eventsOf(input).includes('publish.complete') !== eventsOf(input).includes('publish.failed') &&
        eventsOf(input).length === 1,
    ),
  },
  {
    id: 'events-refused-out-of-order',
    title: 'Events in another order than that of the document are refused.',
    requirement: 'HOOK-5',
    wrap: rejectCreation(
      'the order of the document',
      (input) =>
        eventNames.filter((name) => eventsOf(input).includes(name)).join() !== eventsOf(input).join(),
    ),
  },
  {
    id: 'publish-failed-refused-on-dingtalk',
    title: 'The event publish.failed is refused on the channel dingtalk.',
    requirement: 'HOOK-5',
    wrap: rejectCreation(
      'other events',
      (input) => input.channel === 'dingtalk' && eventsOf(input).includes('publish.failed'),
    ),
  },
  ...invalidSubscriptionFaults,
  ...shownSubscriptionFaults,
  {
    id: 'chat-test-sends-nothing',
    title: 'The test of a subscription on a chat channel sends nothing.',
    requirement: 'HOOK-10',
    wrap: skipTest(({ channel }) => channel !== 'custom'),
  },
  {
    id: 'unsigned-test-sends-nothing',
    title: 'The test of a subscription without a signing secret sends nothing.',
    requirement: 'HOOK-10',
    wrap: skipTest(({ secret }) => secret === undefined),
  },
  {
    id: 'test-by-key-sends-nothing',
    title: 'The test of a subscription with an API key sends nothing.',
    requirement: 'HOOK-10',
    wrap: skipTest((_subscription, call) => isByKey(call)),
  },
  {
    id: 'test-of-one-event-sends-nothing',
    title: 'The test of a subscription to publish.failed alone sends nothing.',
    requirement: 'HOOK-10',
    wrap: skipTest(({ events }) => events.join() === 'publish.failed'),
  },
  {
    id: 'second-test-sends-nothing',
    title: 'A subscription that has been tested gets no other test message as long as it lives.',
    requirement: 'HOOK-10',
    wrap: withMemory((memory, tested = memory.set('tested')) =>
      skipTest(({ id }) => {
        const isTested = tested.has(id);
        tested.add(id);
        return isTested;
      }),
    ),
  },
  {
    id: 'test-on-second-site-sends-nothing',
    title: 'The test of a subscription on a site that is not the first of its tenant sends nothing.',
    requirement: 'HOOK-10',
    wrap: skipTest((_subscription, call) => !isOnFirstSite(call)),
  },
  {
    id: 'query-of-receiving-url-dropped',
    title: 'What is pushed goes to the receiving URL without its query.',
    requirement: 'HOOK-10',
    wrap: changeUrl((url) => url.split('?')[0] ?? url),
  },
  {
    id: 'repeated-names-in-receiving-url-once',
    title: 'What is pushed goes to the receiving URL with the last of the values that share a name.',
    requirement: 'HOOK-10',
    wrap: changeUrl(changeQuery((query) => new URLSearchParams(Object.fromEntries(query)))),
  },
  {
    id: 'empty-values-of-receiving-url-dropped',
    title: 'What is pushed goes to the receiving URL without what is empty in its query.',
    requirement: 'HOOK-10',
    wrap: changeUrl(
      changeQuery((query) => new URLSearchParams([...query].filter(([, value]) => value !== ''))),
    ),
  },
  {
    id: 'plus-in-receiving-url-escaped',
    title: 'What is pushed goes to the receiving URL with %2B in place of each plus.',
    requirement: 'HOOK-10',
    wrap: changeUrl((url) => url.replaceAll('+', '%2B')),
  },
  {
    id: 'receiving-url-in-lower-case',
    title: 'What is pushed goes to the receiving URL in lower case.',
    requirement: 'HOOK-10',
    wrap: changeUrl((url) => url.toLowerCase()),
  },
  {
    id: 'test-of-unknown-subscription-passed-over',
    title: 'The test of an unknown subscription is answered as a success.',
    requirement: 'HOOK-11',
    wrap: hideRejection('testSubscription', 'unknown-subscription', (call) => !testedSubscription(call)),
  },
  {
    id: 'test-through-other-site-of-tenant',
    title: 'A subscription can be tested through each of the sites of its tenant.',
    requirement: 'HOOK-11',
    wrap: changeInput('testSubscription', (call) => {
      const { siteId } = testedSubscription(call) ?? {};
      const tenantId = siteId === undefined ? undefined : call.world.sites.get(siteId)?.tenantId;
      return tenantId !== undefined && tenantId === call.caller?.tenantId ? { siteID: siteId } : undefined;
    }),
  },
  {
    id: 'test-through-other-site-passed-over',
    title: 'The test of a subscription through another site is answered as a success, and sends nothing.',
    requirement: 'HOOK-11',
    wrap: hideRejection('testSubscription', 'unknown-subscription', (call) => {
      const subscription = testedSubscription(call);
      return subscription !== undefined && subscription.siteId !== Number(call.input.siteID);
    }),
  },
  {
    id: 'test-through-unknown-site',
    title: 'A subscription can be tested through a site that does not exist.',
    requirement: 'HOOK-11',
    wrap: changeInput('testSubscription', (call) => {
      const isKnown = call.world.sites.has(Number(call.input.siteID));
      return isKnown ? undefined : { siteID: testedSubscription(call)?.siteId };
    }),
  },
  {
    id: 'deleted-subscription-tested',
    title: 'The test of a subscription that has been deleted is answered as a success.',
    requirement: 'HOOK-11',
    wrap: withMemory((memory, deleted = memory.set('deleted')) =>
      combineWraps(
        watchResult(['deleteSubscription'], (_values, { input }) =>
          deleted.add(String(input.subscriptionID)),
        ),
        wrapHandler(['testSubscription'], (call, next) =>
          deleted.has(String(call.input.id)) ? {} : next(call),
        ),
      ),
    ),
  },
  {
    id: 'subscription-read-to-last-letter',
    title: 'A letter after the identifier of a subscription is left out of it.',
    requirement: 'HOOK-11',
    remark: 'lenient-identifier',
    wrap: changeInput('testSubscription', (call) =>
      testedSubscription(call) ? undefined : { id: String(call.input.id).replace(/[a-z]$/i, '') },
    ),
  },
  {
    id: 'subscription-zero-is-latest',
    title: 'The test of subscription 0 is that of the latest one.',
    requirement: 'HOOK-11',
    wrap: changeInput('testSubscription', ({ world, input }) => {
      const latest = [...world.subscriptions.values()].findLast(
        ({ siteId }) => siteId === Number(input.siteID),
      );
      return String(input.id) === '0' && latest ? { id: latest.id } : undefined;
    }),
  },
];

/** Another id of the same form. */
function changeId(id: unknown): unknown {
  if (typeof id === 'number') return id + 700_000;
  const text = String(id);
  return /^[0-9a-f-]{36}$/.test(text) ? text.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : `${text}0`;
}

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
