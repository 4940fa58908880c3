import { channels, eventNames } from '../../openapi/event-names.ts';
import type { Channel } from '../../openapi/generated/types.ts';
import type { AnyCall, Values } from '../service.ts';
import { byKey } from './callers.ts';
import { combineWraps, faultsOf, remarked, type Wrap } from './fault.ts';
import { acceptMember, eventsOf, firstSiteOf, isChat, knownEventsOf, showAsSent } from './subscriptions.ts';
import { isEmpty, isNull, isNumber } from './values.ts';
import { changeInput, hideRejection } from './wrap-calls.ts';

const placeholderUrl = 'http://127.0.0.1:1/unset';
/** Parts of the addresses of the robots of each product. */
const robotPaths: readonly (readonly [string, Channel])[] = [
  ['cgi-bin/webhook/send', 'wecom'],
  ['robot/send', 'dingtalk'],
  ['bot/v2/hook', 'feishu'],
];

const inLowerCase = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : undefined);
const withScheme = (url: unknown) =>
  /^[a-z]+\.[a-z]+\/[a-z]*$/.test(String(url)) ? `http://${url}` : undefined;
const isLikeUrl = (form: RegExp) => (url: unknown) => typeof url === 'string' && form.test(url);
const isWords = isLikeUrl(/ /);

/** Invalid subscriptions that are created. */
export const invalidSubscriptionFaults = faultsOf({
  'HOOK-4': {
    'channel-kept-in-any-case: The channel is accepted in upper or lower case, and kept as it was sent.':
      () => combineWraps(acceptMember('channel', inLowerCase), showAsSent('channel')),
    'channel-in-any-case: The channel is accepted in upper or lower case.': remarked('lenient-name', () =>
      acceptMember('channel', inLowerCase),
    ),
    'empty-channel-is-custom: An empty channel is taken for custom.': () =>
      acceptMember('channel', take('', 'custom')),
    'unknown-channel-is-custom: An unknown channel is taken for custom.': () =>
      acceptMember('channel', (channel) =>
        typeof channel === 'string' && channel !== '' ? 'custom' : undefined,
      ),
    'wechat-is-wecom: The channel wechat is taken for wecom.': () =>
      acceptMember('channel', take('wechat', 'wecom')),
    'lark-is-feishu: The channel lark is taken for feishu.': () =>
      acceptMember('channel', take('lark', 'feishu')),
    'channel-by-number: A channel can be chosen by its number.': () =>
      acceptMember('channel', (channel) => (typeof channel === 'number' ? channels[channel] : undefined)),
    'channel-in-list: The first of a list of channels is taken for the channel.': () =>
      acceptMember('channel', (channel) => (Array.isArray(channel) ? channel[0] : undefined)),
  },
  'HOOK-6': {
    'unknown-event-dropped-beside-known: Unknown events beside known ones are left out without a word.': () =>
      acceptMember('events', (_events, input) => someOf(knownEventsOf(input))),
    'unknown-event-taken-alone: A subscription to unknown events alone is created, and gets only content.update.':
      () =>
        acceptMember('events', (_events, input) =>
          eventsOf(input).length === 1 ? ['content.update'] : undefined,
        ),
    'event-kept-in-any-case: Events are accepted in upper or lower case, and kept as they were sent.': () =>
      combineWraps(
        acceptEvents((event) => [String(event).toLowerCase()]),
        showAsSent('events'),
      ),
    'event-in-any-case-taken: Events are accepted in upper or lower case.': remarked('lenient-name', () =>
      acceptEvents((event) => [String(event).toLowerCase()]),
    ),
    'event-in-past-tense-taken: Events are accepted in the past tense.': () =>
      acceptEvents((event) => [String(event).replace(/e?d$/, ''), String(event).replace(/d$/, '')]),
    'event-with-underscore-taken: Events are accepted with an underscore in place of the dot.': () =>
      acceptEvents((event) => [String(event).replace('_', '.')]),
    'empty-event-is-all: An empty event is taken for all of them.': () =>
      acceptEvents((event) => (event === '' ? eventNames : [])),
    'star-is-all-events: A star is taken for all events.': () =>
      acceptEvents((event) => (event === '*' ? eventNames : [])),
    'event-family-taken: The part before the dot is accepted for all events of that kind.': () =>
      acceptEvents((event) => eventNames.filter((name) => name.split('.')[0] === event)),
    'event-by-number-taken: Events can be chosen by their numbers.': () =>
      acceptEvents((event) => eventNames.filter((_name, index) => index === event)),
    'unknown-event-between-others-left-out: Only the first and the last of the events are checked; unknown ones between them are left out.':
      () =>
        acceptMember('events', (_events, input) => {
          const known: readonly unknown[] = knownEventsOf(input);
          return known.includes(eventsOf(input)[0]) && known.includes(eventsOf(input).at(-1))
            ? known
            : undefined;
        }),
    'unknown-event-left-out-on-chat: On the chat channels unknown events are left out without a word.': () =>
      acceptMember('events', (_events, input) =>
        isChat(input) && eventsOf(input).length > 0
          ? (someOf(knownEventsOf(input)) ?? eventNames)
          : undefined,
      ),
  },
  'HOOK-7': {
    'relative-url-taken: A path is accepted as receiving URL.': () => acceptUrl(isLikeUrl(/^\//)),
    'words-taken-as-url: Words are accepted as receiving URL.': () => acceptUrl(isWords),
    'empty-url-taken: An empty text is accepted as receiving URL.': () => acceptUrl(isEmpty),
    'url-without-scheme-taken: What begins with "://" is accepted as receiving URL.': () =>
      acceptUrl(isLikeUrl(/^:\/\//)),
    'number-taken-as-url: A number is accepted as receiving URL.': () => acceptUrl(isNumber),
    'url-without-host-taken: A scheme without a host is accepted as receiving URL.': () =>
      acceptUrl(isLikeUrl(/^https?:\/\/$/)),
    'url-in-list-taken: A list of URLs is accepted as receiving URL.': () => acceptUrl(Array.isArray),
    'url-completed: A receiving URL without a scheme is completed to one of http.': remarked(
      'completed-url',
      () => acceptMember('url', withScheme),
    ),
    'url-kept-without-scheme: A receiving URL without a scheme is accepted, and kept as it was sent.': () =>
      combineWraps(acceptMember('url', withScheme), showAsSent('url')),
    'words-taken-as-url-on-chat: On the chat channels words are accepted as receiving URL.': () =>
      acceptUrl((url, input) => isChat(input) && isWords(url)),
  },
  'HOOK-8': {
    'channel-defaults-to-custom: A subscription without a channel is one of the channel custom.': () =>
      acceptMember('channel', take(undefined, 'custom')),
    'events-default-to-all: A subscription without events is one to all of them.': () =>
      acceptMember('events', take(undefined, eventNames)),
    'url-may-come-later: A subscription without a receiving URL is created.': () =>
      acceptMember('url', take(undefined, placeholderUrl)),
    'null-channel-is-custom: A subscription whose channel is null is one of the channel custom.': () =>
      acceptMember('channel', take(null, 'custom')),
    'null-events-are-all: A subscription whose events are null is one to all of them.': () =>
      acceptMember('events', take(null, eventNames)),
    'null-url-may-come-later: A subscription whose receiving URL is null is created.': () =>
      acceptUrl(isNull),
    'chat-events-default-to-all: A subscription without events on a chat channel is one to all of them.':
      () =>
        acceptMember('events', (events, input) =>
          events === undefined && isChat(input) ? eventNames : undefined,
        ),
    'channel-told-by-robot-address: A subscription without a channel is created where the receiving URL looks like that of a robot.':
      () =>
        acceptMember('channel', (channel, { url }) =>
          channel === undefined
            ? robotPaths.find(([path]) => String(url).toLowerCase().includes(path))?.[1]
            : undefined,
        ),
  },
  'HOOK-9': {
    'subscription-on-unknown-site: A subscription on an unknown site is created.': () =>
      replaceUnknownSite(({ world }) => world.sites.keys().next().value),
    'unknown-site-passed-over: A creation on an unknown site is answered as a success, and nothing is created.':
      () => hideRejection('createSubscription', 'unknown-site'),
    "site-zero-is-first: Site 0 is taken for the tenant's first one.": () =>
      replaceUnknownSite((call) => (String(call.input.siteID) === '0' ? firstSiteOf(call) : undefined)),
    'site-number-read-to-first-letter: The identifier of a site is read up to the first letter in it.':
      remarked('lenient-identifier', () =>
        replaceUnknownSite(({ input }) => Number.parseInt(String(input.siteID), 10)),
      ),
    'unknown-site-taken-from-key: An API key that names an unknown site creates its subscription on the first site of its tenant.':
      () => replaceUnknownSite((call) => (byKey(call) ? firstSiteOf(call) : undefined)),
  },
});

/** Takes one value for another. */
function take(given: unknown, meant: unknown): (value: unknown) => unknown {
  return (value) => (value === given ? meant : undefined);
}

function someOf<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** Replaces unknown events by those of the seven that may be meant; others stay, and are rejected. */
function acceptEvents(meantBy: (event: unknown) => readonly string[]): Wrap {
  const isKnown = (event: unknown) => eventNames.some((name) => name === event);
  return acceptMember('events', (_events, input) => {
    const events = eventsOf(input).flatMap((event) => {
      const known = isKnown(event) ? [event] : meantBy(event).filter(isKnown);
      return known.length > 0 ? known : [event];
    });
    return [...new Set(events)];
  });
}

/** Accepts a value that is not a URL. Both the validation of the body and the handler check it. */
function acceptUrl(when: (url: unknown, input: Values) => boolean): Wrap {
  const correct = (url: unknown, input: Values) => (when(url, input) ? placeholderUrl : undefined);
  return combineWraps(
    acceptMember('url', correct),
    changeInput('createSubscription', ({ input }) =>
      when(input.url, input) ? { url: placeholderUrl } : undefined,
    ),
  );
}

/** Creates subscriptions on another site where the requested one is unknown. */
function replaceUnknownSite(siteFor: (call: AnyCall) => number | undefined): Wrap {
  return changeInput('createSubscription', (call) => {
    const isKnown = [...call.world.sites.keys()].some((id) => String(id) === String(call.input.siteID));
    const siteID = isKnown ? undefined : siteFor(call);
    return siteID === undefined ? undefined : { siteID };
  });
}
