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
  'HOOK-1 subscription-id-unknown-to-test: returns a subscription id that the test path does not know': () =>
    changeShown('id', changeId),
  "HOOK-1 first-subscription-of-site-not-kept: answers with success but does not store a site's first subscription":
    ({ memory }, sites = memory.set('sites')) =>
      watchResult('createSubscription', ({ id }, { input, world }) => {
        if (sites.add(String(input.siteID))) world.subscriptions.delete(String(id));
      }),
  "HOOK-1 subscription-of-second-site-unknown-to-test: rejects tests of subscriptions except on the tenant's first site":
    () =>
      rejectCall('testSubscription', not(onFirstSite), ({ input }) => unknownSubscription(String(input.id))),
  'HOOK-1 receiving-url-with-query-refused: rejects a receiving URL with a query': () =>
    rejectCreation('no query', ({ url }) => String(url).includes('?')),
  'HOOK-2 secret-required: rejects a subscription without a signing secret': () =>
    rejectCreation('a secret', hasNoSecret),
  'HOOK-2 secret-with-hyphen-refused-for-two-events: rejects a signing secret with a hyphen for exactly two events':
    () =>
      rejectCreation('no hyphen', (input) => /-/.test(String(input.secret)) && eventsOf(input).length === 2),
  'HOOK-2 secret-refused-on-chat: rejects a signing secret on the chat channels': () =>
    rejectCreation('no secret', both(isChat, not(hasNoSecret))),
  'HOOK-2 secret-required-on-feishu: rejects a subscription without a signing secret on the channel feishu':
    () => rejectCreation('a secret', both(onChannel('feishu'), hasNoSecret)),
  'HOOK-3 feishu-refused: rejects the channel feishu': () =>
    rejectCreation('another channel', onChannel('feishu')),
  'HOOK-3 dingtalk-refused-with-several-events: rejects the channel dingtalk with more than one event': () =>
    rejectCreation(
      'one event',
      both(onChannel('dingtalk'), (input) => eventsOf(input).length > 1),
    ),
  'HOOK-3 custom-refused: rejects the channel custom': () =>
    rejectCreation('a chat channel', onChannel('custom')),
  'HOOK-3 wecom-refused-at-every-address: rejects the channel wecom, even with the URL of a wecom robot':
    () => rejectCreation('another channel', onChannel('wecom')),
  'HOOK-5 seventh-event-refused: rejects subscriptions to more than six events': () =>
    rejectCreation('six events at most', (input) => eventsOf(input).length > 6),
  'HOOK-5 comment-created-refused-alone: rejects a subscription to only comment.created': () =>
    rejectCreation('another event beside', choosesOnly(/^comment\.created$/)),
  'HOOK-5 content-events-refused-one-by-one: rejects a subscription to only one content event': () =>
    rejectCreation('all events of content', choosesOnly(/^content\.\w+$/)),
  'HOOK-5 form-submit-refused-alone: rejects a subscription to only form.submit': () =>
    rejectCreation('other events', choosesOnly(/^form\.submit$/)),
  'HOOK-5 publish-events-refused-apart: rejects publish.complete without publish.failed, and vice versa':
    () => rejectCreation('both events of publishing', choosesOnly(/^publish\.\w+$/)),
  'HOOK-5 events-refused-out-of-order: rejects events in a different order from the document': () =>
    rejectCreation('the order of the document', not(choosesInOrder)),
  'HOOK-5 publish-failed-refused-on-dingtalk: rejects the event publish.failed on the channel dingtalk': () =>
    rejectCreation('other events', both(onChannel('dingtalk'), choosesFailures)),
  'HOOK-4 channel-kept-in-any-case: accepts a channel in any case, and stores it as sent': () =>
    combineWraps(acceptMember('channel', inLowerCase), showAsSent('channel')),
  'HOOK-4 channel-in-any-case (remark lenient-name): accepts a channel in any case': () =>
    acceptMember('channel', inLowerCase),
  'HOOK-4 empty-channel-is-custom: treats an empty channel as custom': () =>
    acceptMember('channel', take(isEmpty, 'custom')),
  'HOOK-4 unknown-channel-is-custom: treats an unknown channel as custom': () =>
    acceptMember('channel', take(isUnknownChannel, 'custom')),
  'HOOK-4 wechat-is-wecom: treats the channel wechat as wecom': () =>
    acceptMember(
      'channel',
      take((channel) => channel === 'wechat', 'wecom'),
    ),
  'HOOK-4 lark-is-feishu: treats the channel lark as feishu': () =>
    acceptMember(
      'channel',
      take((channel) => channel === 'lark', 'feishu'),
    ),
  'HOOK-4 channel-by-number: accepts a number as channel': () =>
    acceptMember('channel', (channel) => (typeof channel === 'number' ? channels[channel] : undefined)),
  'HOOK-4 channel-in-list: uses the first item of a list as channel': () =>
    acceptMember('channel', (channel) => (Array.isArray(channel) ? channel[0] : undefined)),
  'HOOK-6 unknown-event-dropped-beside-known: ignores unknown events next to known ones': () =>
    acceptMember('events', (_events, input) => knownEventsOf(input)),
  'HOOK-6 unknown-event-taken-alone: subscribes to only content.update if all events are unknown': () =>
    acceptMember('events', take(isUnknownEvent, ['content.update'])),
  'HOOK-6 event-kept-in-any-case: accepts events in any case, and stores them as sent': () =>
    combineWraps(acceptEvents(eventInLowerCase), showAsSent('events')),
  'HOOK-6 event-in-any-case-taken (remark lenient-name): accepts events in any case': () =>
    acceptEvents(eventInLowerCase),
  'HOOK-6 event-in-past-tense-taken: accepts events in the past tense': () =>
    acceptEvents((event) => [event.replace(/e?d$/, ''), event.replace(/d$/, '')]),
  'HOOK-6 event-with-underscore-taken: accepts events with an underscore instead of the dot': () =>
    acceptEvents((event) => [event.replace('_', '.')]),
  'HOOK-6 empty-event-is-all: treats an empty event as all events': () =>
    acceptEvents((event) => (event === '' ? eventNames : [])),
  'HOOK-6 star-is-all-events: treats an asterisk as all events': () =>
    acceptEvents((event) => (event === '*' ? eventNames : [])),
  'HOOK-6 event-family-taken: treats the part before the dot as all events of that kind': () =>
    acceptEvents((event) => eventNames.filter((name) => name.split('.')[0] === event)),
  'HOOK-6 event-by-number-taken: accepts numbers as events': () =>
    acceptEvents((event) => eventNames.filter((_name, index) => String(index) === event)),
  'HOOK-6 unknown-event-between-others-left-out: ignores unknown events between the first and the last one':
    () =>
      acceptMember('events', (_events, input) => {
        const ends = [eventsOf(input)[0], eventsOf(input).at(-1)];
        return ends.every(isKnownEvent) ? knownEventsOf(input) : undefined;
      }),
  'HOOK-6 unknown-event-left-out-on-chat: ignores unknown events on the chat channels': () =>
    acceptMember('events', (events, input) => {
      const known = knownEventsOf(input);
      return isChat(input) && Array.isArray(events) ? (known.length > 0 ? known : eventNames) : undefined;
    }),
  'HOOK-7 relative-url-taken: accepts a path as the receiving URL': () => acceptUrl(isLikeUrl(/^\//)),
  'HOOK-7 words-taken-as-url: accepts words as the receiving URL': () => acceptUrl(isWords),
  'HOOK-7 empty-url-taken: accepts an empty string as the receiving URL': () => acceptUrl(isEmpty),
  'HOOK-7 url-without-scheme-taken: accepts a receiving URL that starts with "://"': () =>
    acceptUrl(isLikeUrl(/^:\/\//)),
  'HOOK-7 number-taken-as-url: accepts a number as the receiving URL': () => acceptUrl(isNumber),
  'HOOK-7 url-without-host-taken: accepts a scheme without a host as the receiving URL': () =>
    acceptUrl(isLikeUrl(/^https?:\/\/$/)),
  'HOOK-7 url-in-list-taken: accepts a list of URLs as the receiving URL': () => acceptUrl(Array.isArray),
  'HOOK-7 url-completed (remark completed-url): adds http:// to a receiving URL without a scheme': () =>
    acceptMember('url', withScheme),
  'HOOK-7 url-kept-without-scheme: accepts a receiving URL without a scheme, and stores it as sent': () =>
    combineWraps(acceptMember('url', withScheme), showAsSent('url')),
  'HOOK-7 words-taken-as-url-on-chat: accepts words as the receiving URL on the chat channels': () =>
    acceptUrl(both(ofChat, isWords)),
  'HOOK-8 channel-defaults-to-custom: creates a custom subscription if the channel is missing': () =>
    acceptMember('channel', take(isMissing, 'custom')),
  'HOOK-8 events-default-to-all: creates a subscription to all events if the events are missing': () =>
    acceptMember('events', take(isMissing, eventNames)),
  'HOOK-8 url-may-come-later: creates a subscription without a receiving URL': () =>
    acceptMember('url', take(isMissing, placeholderUrl)),
  'HOOK-8 null-channel-is-custom: creates a custom subscription if the channel is null': () =>
    acceptMember('channel', take(isNull, 'custom')),
  'HOOK-8 null-events-are-all: creates a subscription to all events if the events are null': () =>
    acceptMember('events', take(isNull, eventNames)),
  'HOOK-8 null-url-may-come-later: creates a subscription with null as the receiving URL': () =>
    acceptUrl(isNull),
  'HOOK-8 chat-events-default-to-all: subscribes a chat channel to all events if the events are missing':
    () => acceptMember('events', take(both(ofChat, isMissing), eventNames)),
  "HOOK-8 channel-told-by-robot-address: creates a subscription without a channel if its URL looks like a robot's":
    () =>
      acceptMember('channel', (given, { url }) => {
        const address = String(url).toLowerCase();
        return given ?? Object.entries(robotPaths).find(([, path]) => address.includes(path))?.[0];
      }),
  'HOOK-9 subscription-on-unknown-site: creates a subscription on an unknown site': () =>
    replaceUnknownSite(({ world }) => world.sites.keys().next().value),
  'HOOK-9 unknown-site-passed-over: answers with success but creates nothing on an unknown site': () =>
    hideRejection('createSubscription', 'unknown-site'),
  "HOOK-9 site-zero-is-first: treats site 0 as the tenant's first site": () =>
    replaceUnknownSite((call) => (String(call.input.siteID) === '0' ? firstSiteOf(call) : undefined)),
  'HOOK-9 site-number-read-to-first-letter (remark lenient-identifier): reads a site identifier only up to its first letter':
    () => replaceUnknownSite(({ input }) => Number.parseInt(String(input.siteID), 10)),
  "HOOK-9 unknown-site-taken-from-key: creates subscriptions of API keys for unknown sites on the tenant's first site":
    () => replaceUnknownSite((call) => (byKey(call) ? firstSiteOf(call) : undefined)),
  'HOOK-1 creation-shows-last-url: answers a creation with the receiving URL of the previous one': (
    { memory },
    last = memory.value<unknown>('last', undefined),
  ) =>
    changeShown('url', (url) => {
      const shown = last.get() ?? url;
      last.set(url);
      return shown;
    }),
  'HOOK-1 creation-shows-url-without-query: answers a creation with the receiving URL without its query':
    () => changeShown('url', (url) => String(url).split('?')[0]),
  'HOOK-1 creation-shows-first-three-events: answers a creation with at most three events': () =>
    changeShown('events', (events) => eventsOf({ events }).slice(0, 3)),
  'HOOK-1 creation-by-key-shows-all-events: answers a creation with an API key with an unchosen event': () =>
    changeShown('events', (events, call) =>
      byKey(call) ? [...new Set([...eventsOf({ events }), 'content.delete'])] : events,
    ),
  'HOOK-1 creation-shows-custom-for-robots: answers a creation on any channel with the channel custom': () =>
    changeShown('channel', () => 'custom'),
  'AUTH-6 list-of-subscriptions-of-all-tenants: lists the subscriptions of all sites and tenants for any site':
    () => listAll(),
  'AUTH-6 list-of-subscriptions-by-key-of-any-site: lists the subscriptions of other tenants for API keys':
    () => listAll(byKey),
  'HOOK-10 chat-test-sends-nothing: sends nothing when a subscription on a chat channel is tested': () =>
    skipTest(isChat),
  'HOOK-10 unsigned-test-sends-nothing: sends nothing when a subscription without a signing secret is tested':
    () => skipTest(hasNoSecret),
  'HOOK-10 test-by-key-sends-nothing: sends nothing when an API key tests a subscription': () =>
    skipTest((_subscription, call) => byKey(call)),
  'HOOK-10 test-of-one-event-sends-nothing: sends nothing when a subscription to only publish.failed is tested':
    () => skipTest(({ events }) => events.join() === 'publish.failed'),
  'HOOK-10 second-test-sends-nothing: sends nothing when a subscription is tested again': () =>
    trackTests((isTested) => skipTest(({ id }) => isTested(id))),
  'HOOK-10 test-on-second-site-sends-nothing: sends test messages only on the first site of a tenant': () =>
    skipTest((_subscription, call) => !onFirstSite(call)),
  'HOOK-10 query-of-receiving-url-dropped: drops the query of the receiving URL when it sends pushes': () =>
    changeUrl((url) => url.split('?')[0] ?? url),
  'HOOK-10 repeated-names-in-receiving-url-once: sends only the last query value of each name in receiving URLs':
    () => changeQuery((query) => new URLSearchParams(Object.fromEntries(query))),
  'HOOK-10 empty-values-of-receiving-url-dropped: drops empty query values of the receiving URL when it sends pushes':
    () => changeQuery((query) => new URLSearchParams([...query].filter(([, value]) => value !== ''))),
  'HOOK-10 plus-in-receiving-url-escaped: replaces each plus in the receiving URL with %2B when it sends pushes':
    () => changeUrl((url) => url.replaceAll('+', '%2B')),
  'HOOK-10 receiving-url-in-lower-case: sends pushes to the receiving URL in lower case': () =>
    changeUrl((url) => url.toLowerCase()),
  'HOOK-11 test-of-unknown-subscription-passed-over: answers the test of an unknown subscription with success':
    () => hideRejection('testSubscription', 'unknown-subscription', (call) => !testedIn(call)),
  'HOOK-11 test-through-other-site-of-tenant: tests a subscription through any site of its tenant': () =>
    changeInput('testSubscription', (call) => {
      const siteID = testedIn(call)?.siteId;
      const tenantId = siteID && call.world.sites.get(siteID)?.tenantId;
      return tenantId !== undefined && tenantId === call.caller?.tenantId ? { siteID } : undefined;
    }),
  'HOOK-11 test-through-other-site-passed-over: answers a test through another site with success, but sends nothing':
    () => hideRejection('testSubscription', 'unknown-subscription', throughOtherSite),
  'HOOK-11 test-through-unknown-site: tests a subscription through an unknown site': () =>
    changeInput('testSubscription', (call) =>
      call.world.sites.has(Number(call.input.siteID)) ? undefined : { siteID: testedIn(call)?.siteId },
    ),
  'HOOK-11 deleted-subscription-tested: answers the test of a deleted subscription with success': () =>
    trackDeleted((isDeleted) =>
      hideRejection('testSubscription', 'unknown-subscription', ({ input }) => isDeleted(input.id)),
    ),
  'HOOK-11 subscription-read-to-last-letter (remark lenient-identifier): ignores a letter after the identifier of a subscription':
    () =>
      changeInput('testSubscription', (call) =>
        testedIn(call) ? undefined : { id: String(call.input.id).replace(/[a-z]$/i, '') },
      ),
  'HOOK-11 subscription-zero-is-latest: tests the latest subscription if the identifier is 0': () =>
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
