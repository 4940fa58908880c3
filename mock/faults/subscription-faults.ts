import { unknownSubscription } from '../http/api-errors.ts';
import type { AnyCall } from '../service.ts';
import type { Subscription } from '../world/world.ts';
import type { Fault } from './fault.ts';
import { unfitSubscriptionFaults } from './invalid-subscription-faults.ts';
import { allEvents, eventsOf, isChat, isOnFirstSite, passOver, withInput } from './subscription-tools.ts';
import { rejectValid, wrapHandler } from './wrap-calls.ts';

/** Of creating and testing subscriptions. */
export const subscriptionFaults: readonly Fault[] = [
  {
    id: 'subscription-id-unknown-to-test',
    title: 'The identifier in the answer to a creation is another one than the test path takes.',
    requirement: 'HOOK-1',
    wrap: wrapHandler(['createSubscription'], async (call, own) => {
      const values = await own(call);
      return { ...values, id: anotherId(values.id) };
    }),
  },
  {
    id: 'first-subscription-of-site-not-kept',
    title: 'The first subscription of a site is created, but not kept.',
    requirement: 'HOOK-1',
    wrap: (steps, aids) => {
      const sites = new Set<string>();
      return wrapHandler(['createSubscription'], async (call, own) => {
        const values = await own(call);
        const site = String(call.input.siteID);
        if (!sites.has(site)) call.world.subscriptions.delete(String(values.id));
        sites.add(site);
        return values;
      })(steps, aids);
    },
  },
  {
    id: 'subscription-of-second-site-unknown-to-test',
    title:
      'The identifier of a subscription on a site that is not the first of its tenant is unknown to the test path.',
    requirement: 'HOOK-1',
    wrap: wrapHandler(['testSubscription'], (call, own) => {
      if (!isOnFirstSite(call)) throw unknownSubscription(String(call.input.id));
      return own(call);
    }),
  },
  {
    id: 'receiving-url-with-query-refused',
    title: 'A receiving URL with a query is refused.',
    requirement: 'HOOK-1',
    wrap: rejectValid('createSubscription', ({ input }) => String(input.url).includes('?'), 'no query'),
  },
  {
    id: 'secret-required',
    title: 'A subscription without a signing secret is refused.',
    requirement: 'HOOK-2',
    wrap: rejectValid('createSubscription', ({ input }) => input.secret === undefined, 'a secret'),
  },
  {
    id: 'secret-with-hyphen-refused-for-two-events',
    title: 'A signing secret with a hyphen is refused with exactly two events.',
    requirement: 'HOOK-2',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => /-/.test(String(input.secret ?? '')) && eventsOf(input).length === 2,
      'no hyphen',
    ),
  },
  {
    id: 'secret-refused-on-chat',
    title: 'A signing secret is refused on the chat channels.',
    requirement: 'HOOK-2',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => isChat(input) && input.secret !== undefined,
      'no secret',
    ),
  },
  {
    id: 'secret-required-on-feishu',
    title: 'A subscription on the channel feishu without a signing secret is refused.',
    requirement: 'HOOK-2',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => input.channel === 'feishu' && input.secret === undefined,
      'a secret',
    ),
  },
  {
    id: 'feishu-refused',
    title: 'The channel feishu is refused.',
    requirement: 'HOOK-3',
    wrap: rejectValid('createSubscription', ({ input }) => input.channel === 'feishu', 'another channel'),
  },
  {
    id: 'dingtalk-refused-with-several-events',
    title: 'The channel dingtalk is refused with more than one event.',
    requirement: 'HOOK-3',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => input.channel === 'dingtalk' && eventsOf(input).length > 1,
      'one event',
    ),
  },
  {
    id: 'custom-refused',
    title: 'The channel custom is refused.',
    requirement: 'HOOK-3',
    wrap: rejectValid('createSubscription', ({ input }) => input.channel === 'custom', 'a chat channel'),
  },
  {
    id: 'wecom-refused-at-every-address',
    title: 'The channel wecom is refused, also where the receiving URL is that of a robot of the product.',
    requirement: 'HOOK-3',
    wrap: rejectValid('createSubscription', ({ input }) => input.channel === 'wecom', 'another channel'),
  },
  {
    id: 'seventh-event-refused',
    title: 'A subscription can choose six events at most.',
    requirement: 'HOOK-5',
    wrap: rejectValid('createSubscription', ({ input }) => eventsOf(input).length > 6, 'six events at most'),
  },
  {
    id: 'comment-created-refused-alone',
    title: 'The event comment.created is refused where it is chosen alone.',
    requirement: 'HOOK-5',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => eventsOf(input).join() === 'comment.created',
      'another event beside',
    ),
  },
  {
    id: 'content-events-refused-one-by-one',
    title: 'An event of content is refused where it is chosen alone.',
    requirement: 'HOOK-5',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => /^content\.\w+$/.test(eventsOf(input).join()),
      'all events of content',
    ),
  },
  {
    id: 'form-submit-refused-alone',
    title: 'The event form.submit is refused where it is chosen alone.',
    requirement: 'HOOK-5',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => eventsOf(input).join() === 'form.submit',
      'other events',
    ),
  },
  {
    id: 'publish-events-refused-apart',
    title: 'The event publish.complete is refused without publish.failed, and the other way round.',
    requirement: 'HOOK-5',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) =>
        eventsOf(input).includes('publish.complete') !== eventsOf(input).includes('publish.failed') &&
        eventsOf(input).length === 1,
      'both events of publishing',
    ),
  },
  {
    id: 'events-refused-out-of-order',
    title: 'Events are refused that are chosen in another order than the document has them in.',
    requirement: 'HOOK-5',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) =>
        allEvents.filter((name) => eventsOf(input).includes(name)).join() !== eventsOf(input).join(),
      'the order of the document',
    ),
  },
  {
    id: 'publish-failed-refused-on-dingtalk',
    title: 'The event publish.failed is refused on the channel dingtalk.',
    requirement: 'HOOK-5',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => input.channel === 'dingtalk' && eventsOf(input).includes('publish.failed'),
      'other events',
    ),
  },
  ...unfitSubscriptionFaults,
  {
    id: 'chat-test-sends-nothing',
    title: 'The test of a subscription on a chat channel sends nothing.',
    requirement: 'HOOK-10',
    wrap: testingNothing(({ channel }) => channel !== 'custom'),
  },
  {
    id: 'unsigned-test-sends-nothing',
    title: 'The test of a subscription without a signing secret sends nothing.',
    requirement: 'HOOK-10',
    wrap: testingNothing(({ secret }) => secret === undefined),
  },
  {
    id: 'test-by-key-sends-nothing',
    title: 'The test of a subscription with an API key sends nothing.',
    requirement: 'HOOK-10',
    wrap: testingNothing((_tested, { caller }) => caller?.session === undefined),
  },
  {
    id: 'test-of-one-event-sends-nothing',
    title: 'The test of a subscription to publish.failed alone sends nothing.',
    requirement: 'HOOK-10',
    wrap: testingNothing(({ events }) => events.join() === 'publish.failed'),
  },
  {
    id: 'second-test-sends-nothing',
    title: 'A subscription that has been tested gets no other test message for as long as it lives.',
    requirement: 'HOOK-10',
    wrap: (steps, aids) => {
      const tested = new Set<unknown>();
      return testingNothing(({ id }) => tested.has(id) || !tested.add(id))(steps, aids);
    },
  },
  {
    id: 'test-on-second-site-sends-nothing',
    title: 'The test of a subscription on a site that is not the first of its tenant sends nothing.',
    requirement: 'HOOK-10',
    wrap: testingNothing((_tested, call) => !isOnFirstSite(call)),
  },
  {
    id: 'query-of-receiving-url-dropped',
    title: 'What is pushed goes to the receiving URL without its query.',
    requirement: 'HOOK-10',
    wrap: keepingUrl((url) => url.split('?')[0] ?? url),
  },
  {
    id: 'receiving-url-in-lower-case',
    title: 'What is pushed goes to the receiving URL in lower case.',
    requirement: 'HOOK-10',
    wrap: keepingUrl((url) => url.toLowerCase()),
  },
  {
    id: 'test-of-unknown-subscription-passed-over',
    title: 'The test of an unknown subscription is answered as a success.',
    requirement: 'HOOK-11',
    wrap: wrapHandler(['testSubscription'], (call, own) => {
      const isKnown = call.world.subscriptions.has(String(call.input.id));
      return isKnown ? own(call) : passOver('unknown-subscription', call, own);
    }),
  },
  {
    id: 'test-through-other-site-of-tenant',
    title: 'A subscription can be tested through each of the sites of its tenant.',
    requirement: 'HOOK-11',
    wrap: wrapHandler(['testSubscription'], (call, own) => {
      const { world, caller, input } = call;
      const subscription = world.subscriptions.get(String(input.id));
      const site = subscription && world.sites.get(subscription.siteId);
      return own(site && site.tenantId === caller?.tenantId ? withInput(call, { siteID: site.id }) : call);
    }),
  },
  {
    id: 'test-through-unknown-site',
    title: 'A subscription can be tested through a site that there is not.',
    requirement: 'HOOK-11',
    wrap: wrapHandler(['testSubscription'], (call, own) => {
      const { world, input } = call;
      const siteId = world.subscriptions.get(String(input.id))?.siteId;
      return own(world.sites.has(Number(input.siteID)) ? call : withInput(call, { siteID: siteId }));
    }),
  },
  {
    id: 'deleted-subscription-tested',
    title: 'The test of a subscription that has been deleted is answered as a success.',
    requirement: 'HOOK-11',
    wrap: (steps, aids) => {
      const deleted = new Set<string>();
      return wrapHandler(['testSubscription', 'deleteSubscription'], (call, own) => {
        if (call.operation.id === 'deleteSubscription') deleted.add(String(call.input.subscriptionID));
        else if (deleted.has(String(call.input.id))) return {};
        return own(call);
      })(steps, aids);
    },
  },
  {
    id: 'subscription-read-to-last-letter',
    title: 'A letter after the identifier of a subscription is left out of it.',
    requirement: 'HOOK-11',
    wrap: wrapHandler(['testSubscription'], (call, own) => {
      const id = String(call.input.id);
      const isKnown = call.world.subscriptions.has(id);
      return own(isKnown ? call : withInput(call, { id: id.replace(/[a-z]$/i, '') }));
    }),
  },
  {
    id: 'subscription-zero-is-latest',
    title: 'The test of subscription 0 is that of the latest one.',
    requirement: 'HOOK-11',
    wrap: wrapHandler(['testSubscription'], (call, own) => {
      const latest = [...call.world.subscriptions.values()].findLast(
        ({ siteId }) => siteId === Number(call.input.siteID),
      );
      return own(String(call.input.id) === '0' && latest ? withInput(call, { id: latest.id }) : call);
    }),
  },
];

function anotherId(id: unknown): unknown {
  if (typeof id === 'number') return id + 700_000;
  const text = String(id);
  return /^[0-9a-f-]{36}$/.test(text) ? text.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : `${text}0`;
}

/** Keeps another receiving URL than the one that was sent. */
function keepingUrl(change: (url: string) => string): Fault['wrap'] {
  return wrapHandler(['createSubscription'], (call, own) =>
    own(withInput(call, { url: change(String(call.input.url)) })),
  );
}

function testingNothing(when: (tested: Subscription, call: AnyCall) => boolean): Fault['wrap'] {
  return wrapHandler(['testSubscription'], (call, own) => {
    const dispatcher = { ...call.dispatcher, test: async () => true };
    const subscription = call.world.subscriptions.get(String(call.input.id));
    return own(subscription && when(subscription, call) ? { ...call, dispatcher } : call);
  });
}
