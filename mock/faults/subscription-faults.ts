import { channels, eventNames } from '../../openapi/event-names.ts';
import { unknownSubscription } from '../http/api-errors.ts';
import type { AnyCall, Values } from '../service.ts';
import type { Subscription } from '../world/entries.ts';
import { byKey } from './callers.ts';
import {
  always,
  both,
  combineWraps,
  faultsOf,
  isEmpty,
  isMissing,
  isNull,
  isNumber,
  isText,
  not,
  type Wrap,
} from './fault.ts';
import {
  acceptEvents,
  acceptMember,
  changeShown,
  eventsOf,
  firstSiteOf,
  hasNoSecret,
  type InputTest,
  isChat,
  isKnownEvent,
  onChannel,
  onFirstSite,
  rejectCreation,
  showAsSent,
  testedIn,
  trackTests,
} from './subscription-tools.ts';
import {
  type CallTest,
  changeCall,
  changeInput,
  changeList,
  hideRejection,
  rejectCall,
  remember,
  watchResult,
} from './wrap-calls.ts';

const placeholderUrl = 'http://127.0.0.1:1/unset';
/** Parts of the webhook URLs of each product's robots. */
const robotPaths = { wecom: 'cgi-bin/webhook/send', dingtalk: 'robot/send', feishu: 'bot/v2/hook' };
type MemberTest = (value: unknown, input: Values) => boolean;
const isUnknownChannel: MemberTest = (channel) =>
  isText(channel) && channel !== '' && !channels.some((name) => name === channel);
const isUnknownEvent: MemberTest = (events) =>
  Array.isArray(events) && events.length === 1 && !isKnownEvent(events[0]);
const ofChat: MemberTest = (_value, input) => isChat(input);
const inLowerCase = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : undefined);
const eventInLowerCase = (event: string) => [event.toLowerCase()];
const withScheme = (url: unknown) =>
  /^[a-z]+\.[a-z]+\/[a-z]*$/.test(String(url)) ? `http://${url}` : undefined;
const isLikeUrl = (form: RegExp) => (url: unknown) => typeof url === 'string' && form.test(url);
const isWords = isLikeUrl(/ /);
const choosesFailures: InputTest = (input) => eventsOf(input).includes('publish.failed');
const choosesInOrder: InputTest = (input) =>
  eventNames.filter((name) => eventsOf(input).includes(name)).join() === eventsOf(input).join();

const throughOtherSite: CallTest = (call) => {
  const { siteId } = testedIn(call) ?? {};
  return siteId !== undefined && siteId !== Number(call.input.siteID);
};
const trackDeleted = remember('deleteSubscription', (_values, { input }) => input.subscriptionID);

export const subscriptionFaults = faultsOf({
  'HOOK-1 subscription-id-unknown-to-test: The identifier in the answer to a creation is not the one that the test path accepts.':
    () => changeShown('id', changeId),
  'HOOK-1 first-subscription-of-site-not-kept: The first subscription of a site is not stored, although the answer says it was created.':
    ({ memory }, sites = memory.set('sites')) =>
      watchResult('createSubscription', ({ id }, { input, world }) => {
        if (sites.add(String(input.siteID))) world.subscriptions.delete(String(id));
      }),
  'HOOK-1 subscription-of-second-site-unknown-to-test: The test path does not know subscriptions on a site that is not the first of its tenant.':
    () =>
      rejectCall('testSubscription', not(onFirstSite), ({ input }) => unknownSubscription(String(input.id))),
  'HOOK-1 receiving-url-with-query-refused: A receiving URL with a query is refused.': () =>
    rejectCreation('no query', ({ url }) => String(url).includes('?')),
  'HOOK-2 secret-required: A subscription without a signing secret is rejected.': () =>
    rejectCreation('a secret', hasNoSecret),
  'HOOK-2 secret-with-hyphen-refused-for-two-events: A signing secret with a hyphen is refused with exactly two events.':
    () =>
      rejectCreation('no hyphen', (input) => /-/.test(String(input.secret)) && eventsOf(input).length === 2),
  'HOOK-2 secret-refused-on-chat: A signing secret is refused on the chat channels.': () =>
    rejectCreation('no secret', both(isChat, not(hasNoSecret))),
  'HOOK-2 secret-required-on-feishu: A subscription on the channel feishu without a signing secret is refused.':
    () => rejectCreation('a secret', both(onChannel('feishu'), hasNoSecret)),
  'HOOK-3 feishu-refused: The channel feishu is refused.': () =>
    rejectCreation('another channel', onChannel('feishu')),
  'HOOK-3 dingtalk-refused-with-several-events: The channel dingtalk is refused with more than one event.':
    () =>
      rejectCreation(
        'one event',
        both(onChannel('dingtalk'), (input) => eventsOf(input).length > 1),
      ),
  'HOOK-3 custom-refused: The channel custom is refused.': () =>
    rejectCreation('a chat channel', onChannel('custom')),
  'HOOK-3 wecom-refused-at-every-address: The channel wecom is rejected, even with the URL of a wecom robot.':
    () => rejectCreation('another channel', onChannel('wecom')),
  'HOOK-5 seventh-event-refused: A subscription can choose at most six events.': () =>
    rejectCreation('six events at most', (input) => eventsOf(input).length > 6),
  'HOOK-5 comment-created-refused-alone: The event comment.created is rejected if it is the only one.': () =>
    rejectCreation('another event beside', choosesOnly(/^comment\.created$/)),
  'HOOK-5 content-events-refused-one-by-one: A content event is rejected if it is the only one.': () =>
    rejectCreation('all events of content', choosesOnly(/^content\.\w+$/)),
  'HOOK-5 form-submit-refused-alone: The event form.submit is rejected if it is the only one.': () =>
    rejectCreation('other events', choosesOnly(/^form\.submit$/)),
  'HOOK-5 publish-events-refused-apart: publish.complete is rejected without publish.failed, and vice versa.':
    () => rejectCreation('both events of publishing', choosesOnly(/^publish\.\w+$/)),
  'HOOK-5 events-refused-out-of-order: Events are rejected if their order differs from the document.': () =>
    rejectCreation('the order of the document', not(choosesInOrder)),
  'HOOK-5 publish-failed-refused-on-dingtalk: The event publish.failed is refused on the channel dingtalk.':
    () => rejectCreation('other events', both(onChannel('dingtalk'), choosesFailures)),
  'HOOK-4 channel-kept-in-any-case: The channel is accepted in upper or lower case, and stored as sent.':
    () => combineWraps(acceptMember('channel', inLowerCase), showAsSent('channel')),
  'HOOK-4 channel-in-any-case (remark lenient-name): The channel is accepted in upper or lower case.': () =>
    acceptMember('channel', inLowerCase),
  'HOOK-4 empty-channel-is-custom: An empty channel is treated as custom.': () =>
    acceptMember('channel', take(isEmpty, 'custom')),
  'HOOK-4 unknown-channel-is-custom: An unknown channel is treated as custom.': () =>
    acceptMember('channel', take(isUnknownChannel, 'custom')),
  'HOOK-4 wechat-is-wecom: The channel wechat is treated as wecom.': () =>
    acceptMember(
      'channel',
      take((channel) => channel === 'wechat', 'wecom'),
    ),
  'HOOK-4 lark-is-feishu: The channel lark is treated as feishu.': () =>
    acceptMember(
      'channel',
      take((channel) => channel === 'lark', 'feishu'),
    ),
  'HOOK-4 channel-by-number: A channel can be chosen by its number.': () =>
    acceptMember('channel', (channel) => (typeof channel === 'number' ? channels[channel] : undefined)),
  'HOOK-4 channel-in-list: If the channel is a list, its first item is used.': () =>
    acceptMember('channel', (channel) => (Array.isArray(channel) ? channel[0] : undefined)),
  'HOOK-6 unknown-event-dropped-beside-known: Unknown events next to known ones are silently ignored.': () =>
    acceptMember('events', (_events, input) => knownEventsOf(input)),
  'HOOK-6 unknown-event-taken-alone: A subscription to only unknown events is created, and gets only content.update.':
    () => acceptMember('events', take(isUnknownEvent, ['content.update'])),
  'HOOK-6 event-kept-in-any-case: Events are accepted in upper or lower case, and stored as sent.': () =>
    combineWraps(acceptEvents(eventInLowerCase), showAsSent('events')),
  'HOOK-6 event-in-any-case-taken (remark lenient-name): Events are accepted in upper or lower case.': () =>
    acceptEvents(eventInLowerCase),
  'HOOK-6 event-in-past-tense-taken: Events are accepted in the past tense.': () =>
    acceptEvents((event) => [event.replace(/e?d$/, ''), event.replace(/d$/, '')]),
  'HOOK-6 event-with-underscore-taken: Events are accepted with an underscore instead of the dot.': () =>
    acceptEvents((event) => [event.replace('_', '.')]),
  'HOOK-6 empty-event-is-all: An empty event is treated as all events.': () =>
    acceptEvents((event) => (event === '' ? eventNames : [])),
  'HOOK-6 star-is-all-events: An asterisk is treated as all events.': () =>
    acceptEvents((event) => (event === '*' ? eventNames : [])),
  'HOOK-6 event-family-taken: The part before the dot is treated as all events of that kind.': () =>
    acceptEvents((event) => eventNames.filter((name) => name.split('.')[0] === event)),
  'HOOK-6 event-by-number-taken: Events can be chosen by their numbers.': () =>
    acceptEvents((event) => eventNames.filter((_name, index) => String(index) === event)),
  'HOOK-6 unknown-event-between-others-left-out: Only the first and last event are checked; unknown events between them are ignored.':
    () =>
      acceptMember('events', (_events, input) => {
        const ends = [eventsOf(input)[0], eventsOf(input).at(-1)];
        return ends.every(isKnownEvent) ? knownEventsOf(input) : undefined;
      }),
  'HOOK-6 unknown-event-left-out-on-chat: On the chat channels, unknown events are silently ignored.': () =>
    acceptMember('events', (events, input) => {
      const known = knownEventsOf(input);
      return isChat(input) && Array.isArray(events) ? (known.length > 0 ? known : eventNames) : undefined;
    }),
  'HOOK-7 relative-url-taken: A path is accepted as the receiving URL.': () => acceptUrl(isLikeUrl(/^\//)),
  'HOOK-7 words-taken-as-url: Words are accepted as the receiving URL.': () => acceptUrl(isWords),
  'HOOK-7 empty-url-taken: An empty string is accepted as the receiving URL.': () => acceptUrl(isEmpty),
  'HOOK-7 url-without-scheme-taken: A receiving URL that starts with "://" is accepted.': () =>
    acceptUrl(isLikeUrl(/^:\/\//)),
  'HOOK-7 number-taken-as-url: A number is accepted as the receiving URL.': () => acceptUrl(isNumber),
  'HOOK-7 url-without-host-taken: A scheme without a host is accepted as the receiving URL.': () =>
    acceptUrl(isLikeUrl(/^https?:\/\/$/)),
  'HOOK-7 url-in-list-taken: A list of URLs is accepted as the receiving URL.': () =>
    acceptUrl(Array.isArray),
  'HOOK-7 url-completed (remark completed-url): A receiving URL without a scheme gets http://.': () =>
    acceptMember('url', withScheme),
  'HOOK-7 url-kept-without-scheme: A receiving URL without a scheme is accepted, and stored as sent.': () =>
    combineWraps(acceptMember('url', withScheme), showAsSent('url')),
  'HOOK-7 words-taken-as-url-on-chat: On the chat channels, words are accepted as the receiving URL.': () =>
    acceptUrl(both(ofChat, isWords)),
  'HOOK-8 channel-defaults-to-custom: A subscription without a channel gets the channel custom.': () =>
    acceptMember('channel', take(isMissing, 'custom')),
  'HOOK-8 events-default-to-all: A subscription without events gets all of them.': () =>
    acceptMember('events', take(isMissing, eventNames)),
  'HOOK-8 url-may-come-later: A subscription without a receiving URL is created.': () =>
    acceptMember('url', take(isMissing, placeholderUrl)),
  'HOOK-8 null-channel-is-custom: A subscription whose channel is null gets the channel custom.': () =>
    acceptMember('channel', take(isNull, 'custom')),
  'HOOK-8 null-events-are-all: A subscription whose events are null gets all of them.': () =>
    acceptMember('events', take(isNull, eventNames)),
  'HOOK-8 null-url-may-come-later: A subscription whose receiving URL is null is created.': () =>
    acceptUrl(isNull),
  'HOOK-8 chat-events-default-to-all: A subscription without events on a chat channel gets all of them.':
    () => acceptMember('events', take(both(ofChat, isMissing), eventNames)),
  'HOOK-8 channel-told-by-robot-address: A subscription without a channel is created if the receiving URL looks like that of a robot.':
    () =>
      acceptMember('channel', (given, { url }) => {
        const address = String(url).toLowerCase();
        return given ?? Object.entries(robotPaths).find(([, path]) => address.includes(path))?.[0];
      }),
  'HOOK-9 subscription-on-unknown-site: A subscription on an unknown site is created.': () =>
    replaceUnknownSite(({ world }) => world.sites.keys().next().value),
  'HOOK-9 unknown-site-passed-over: Creating a subscription on an unknown site succeeds, but creates nothing.':
    () => hideRejection('createSubscription', 'unknown-site'),
  "HOOK-9 site-zero-is-first: Site 0 is taken for the tenant's first one.": () =>
    replaceUnknownSite((call) => (String(call.input.siteID) === '0' ? firstSiteOf(call) : undefined)),
  'HOOK-9 site-number-read-to-first-letter (remark lenient-identifier): A site identifier is read only up to its first letter.':
    () => replaceUnknownSite(({ input }) => Number.parseInt(String(input.siteID), 10)),
  'HOOK-9 unknown-site-taken-from-key: With an API key, a subscription on an unknown site is created on the first site of the tenant.':
    () => replaceUnknownSite((call) => (byKey(call) ? firstSiteOf(call) : undefined)),
  'HOOK-1 creation-shows-last-url: The answer to a creation shows the receiving URL of the previous creation.':
    ({ memory }, last = memory.value<unknown>('last', undefined)) =>
      changeShown('url', (url) => {
        const shown = last.get() ?? url;
        last.set(url);
        return shown;
      }),
  'HOOK-1 creation-shows-url-without-query: The answer to a creation shows the receiving URL without its query.':
    () => changeShown('url', (url) => String(url).split('?')[0]),
  'HOOK-1 creation-shows-first-three-events: The answer to a creation shows at most three events.': () =>
    changeShown('events', (events) => eventsOf({ events }).slice(0, 3)),
  'HOOK-1 creation-by-key-shows-all-events: The answer to a creation with an API key shows an event that was not chosen.':
    () =>
      changeShown('events', (events, call) =>
        byKey(call) ? [...new Set([...eventsOf({ events }), 'content.delete'])] : events,
      ),
  'HOOK-1 creation-shows-custom-for-robots: The answer to a creation shows the channel custom for every channel.':
    () => changeShown('channel', () => 'custom'),
  'AUTH-6 list-of-subscriptions-of-all-tenants: The list of subscriptions of a site contains those of all sites of all tenants.':
    () => listAll(),
  'AUTH-6 list-of-subscriptions-by-key-of-any-site: With an API key, the list also contains the subscriptions of other tenants.':
    () => listAll(byKey),
  'HOOK-10 chat-test-sends-nothing: Testing a subscription on a chat channel sends nothing.': () =>
    skipTest(isChat),
  'HOOK-10 unsigned-test-sends-nothing: Testing a subscription without a signing secret sends nothing.': () =>
    skipTest(hasNoSecret),
  'HOOK-10 test-by-key-sends-nothing: Testing a subscription with an API key sends nothing.': () =>
    skipTest((_subscription, call) => byKey(call)),
  'HOOK-10 test-of-one-event-sends-nothing: Testing a subscription to publish.failed only sends nothing.':
    () => skipTest(({ events }) => events.join() === 'publish.failed'),
  'HOOK-10 second-test-sends-nothing: Testing a subscription again sends nothing.': () =>
    trackTests((isTested) => skipTest(({ id }) => isTested(id))),
  'HOOK-10 test-on-second-site-sends-nothing: Testing a subscription sends nothing, except on the first site of its tenant.':
    () => skipTest((_subscription, call) => !onFirstSite(call)),
  'HOOK-10 query-of-receiving-url-dropped: Pushes are sent to the receiving URL without its query.': () =>
    changeUrl((url) => url.split('?')[0] ?? url),
  'HOOK-10 repeated-names-in-receiving-url-once: Pushes are sent to the receiving URL with only the last query value of each name.':
    () => changeQuery((query) => new URLSearchParams(Object.fromEntries(query))),
  'HOOK-10 empty-values-of-receiving-url-dropped: Pushes are sent to the receiving URL without empty query values.':
    () => changeQuery((query) => new URLSearchParams([...query].filter(([, value]) => value !== ''))),
  'HOOK-10 plus-in-receiving-url-escaped: Pushes are sent to the receiving URL with %2B instead of each plus.':
    () => changeUrl((url) => url.replaceAll('+', '%2B')),
  'HOOK-10 receiving-url-in-lower-case: Pushes are sent to the receiving URL in lower case.': () =>
    changeUrl((url) => url.toLowerCase()),
  'HOOK-11 test-of-unknown-subscription-passed-over: Testing an unknown subscription succeeds.': () =>
    hideRejection('testSubscription', 'unknown-subscription', (call) => !testedIn(call)),
  'HOOK-11 test-through-other-site-of-tenant: A subscription can be tested through any site of its tenant.':
    () =>
      changeInput('testSubscription', (call) => {
        const siteID = testedIn(call)?.siteId;
        const tenantId = siteID && call.world.sites.get(siteID)?.tenantId;
        return tenantId !== undefined && tenantId === call.caller?.tenantId ? { siteID } : undefined;
      }),
  'HOOK-11 test-through-other-site-passed-over: Testing a subscription through another site succeeds, but sends nothing.':
    () => hideRejection('testSubscription', 'unknown-subscription', throughOtherSite),
  'HOOK-11 test-through-unknown-site: A subscription can be tested through a site that does not exist.': () =>
    changeInput('testSubscription', (call) =>
      call.world.sites.has(Number(call.input.siteID)) ? undefined : { siteID: testedIn(call)?.siteId },
    ),
  'HOOK-11 deleted-subscription-tested: Testing a deleted subscription succeeds.': () =>
    trackDeleted((isDeleted) =>
      hideRejection('testSubscription', 'unknown-subscription', ({ input }) => isDeleted(input.id)),
    ),
  'HOOK-11 subscription-read-to-last-letter (remark lenient-identifier): A letter after the identifier of a subscription is ignored.':
    () =>
      changeInput('testSubscription', (call) =>
        testedIn(call) ? undefined : { id: String(call.input.id).replace(/[a-z]$/i, '') },
      ),
  'HOOK-11 subscription-zero-is-latest: Testing subscription 0 tests the latest one.': () =>
    changeInput('testSubscription', ({ world, input }) => {
      const latest = [...world.subscriptions.of(Number(input.siteID)).values()].at(-1);
      return String(input.id) === '0' && latest ? { id: latest.id } : undefined;
    }),
});

/** Returns another id of the same form: a number, a UUID or a text. */
function changeId(id: unknown): unknown {
  if (typeof id === 'number') return id + 700_000;
  const text = String(id);
  return /^[0-9a-f-]{36}$/.test(text) ? text.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : `${text}0`;
}

function take<Meant>(when: MemberTest, meant: Meant) {
  return (value: unknown, input: Values): Meant | undefined => (when(value, input) ? meant : undefined);
}

function acceptUrl(when: MemberTest): Wrap {
  return acceptMember('url', take(when, placeholderUrl));
}

function replaceUnknownSite(siteFor: (call: AnyCall) => number | undefined): Wrap {
  return changeInput('createSubscription', (call) => {
    const isKnown = [...call.world.sites.keys()].some((id) => String(id) === String(call.input.siteID));
    return isKnown ? undefined : { siteID: siteFor(call) ?? call.input.siteID };
  });
}

function knownEventsOf(input: Values): readonly unknown[] {
  return eventsOf(input).filter(isKnownEvent);
}

/** An anchored form matches single events only, since commas join several. */
function choosesOnly(form: RegExp): InputTest {
  return (input) => form.test(eventsOf(input).join());
}

function listAll(when: CallTest = always): Wrap {
  return changeList('listSubscriptions', (list, call) => {
    const all = [...call.world.subscriptions.values()];
    return when(call) ? all.map(({ id, url, events, channel }) => ({ id, url, events, channel })) : list;
  });
}

/** Stores another receiving URL, but answers with the sent one. */
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

/** Answers tests as successful, without sending a message. */
function skipTest(when: (subscription: Subscription, call: AnyCall) => boolean): Wrap {
  return changeCall('testSubscription', (call) => {
    const dispatcher = { ...call.dispatcher, test: async () => true, queue() {} };
    const subscription = testedIn(call);
    return subscription && when(subscription, call) ? { ...call, dispatcher } : call;
  });
}
