import { channels, eventNames } from '../../openapi/event-names.ts';
import type { Channel } from '../../openapi/generated/types.ts';
import type { AnyCall, Values } from '../service.ts';
import { combineWraps, faultsOf, remarked, type Wrap } from './fault.ts';
import { acceptCreation, eventsOf, firstSiteOf, hideRejection, isChat } from './subscription-tools.ts';
import { changeInput, changeResult } from './wrap-calls.ts';

const placeholderUrl = 'http://127.0.0.1:1/unset';
/** Parts of the addresses of the robots of each product. */
const robotPaths: readonly (readonly [string, Channel])[] = [
  ['cgi-bin/webhook/send', 'wecom'],
  ['robot/send', 'dingtalk'],
  ['bot/v2/hook', 'feishu'],
];

/** Invalid subscriptions that are created. */
export const invalidSubscriptionFaults = faultsOf({
  'HOOK-4': {
    'channel-kept-in-any-case: The channel is accepted in upper or lower case, and kept as it was sent.':
      () =>
        combineWraps(
          acceptChannel((channel) => (typeof channel === 'string' ? channel.toLowerCase() : undefined)),
          showAsSent('channel'),
        ),
    'channel-in-any-case: The channel is accepted in upper or lower case.': remarked('lenient-name', () =>
      acceptChannel((channel) => (typeof channel === 'string' ? channel.toLowerCase() : undefined)),
    ),
    'empty-channel-is-custom: An empty channel is taken for custom.': () =>
      acceptChannel((channel) => (channel === '' ? 'custom' : undefined)),
    'unknown-channel-is-custom: An unknown channel is taken for custom.': () =>
      acceptChannel((channel) => (typeof channel === 'string' && channel !== '' ? 'custom' : undefined)),
    'wechat-is-wecom: The channel wechat is taken for wecom.': () =>
      acceptChannel((channel) => (channel === 'wechat' ? 'wecom' : undefined)),
    'lark-is-feishu: The channel lark is taken for feishu.': () =>
      acceptChannel((channel) => (channel === 'lark' ? 'feishu' : undefined)),
    'channel-by-number: A channel can be chosen by its number.': () =>
      acceptChannel((channel) => (typeof channel === 'number' ? channels[channel] : undefined)),
    'channel-in-list: The first of a list of channels is taken for the channel.': () =>
      acceptChannel((channel) => (Array.isArray(channel) ? channel[0] : undefined)),
  },
  'HOOK-6': {
    'unknown-event-dropped-beside-known: Unknown events beside known ones are left out without a word.': () =>
      acceptCreation((input) => {
        const events = eventsOf(input).filter((event) => eventNames.some((name) => name === event));
        return events.length > 0 ? { events } : undefined;
      }),
    'unknown-event-taken-alone: A subscription to unknown events alone is created, and gets only content.update.':
      () =>
        acceptCreation((input) =>
          eventsOf(input).length === 1 ? { events: ['content.update'] } : undefined,
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
        acceptCreation((input) => {
          const [first, last] = [eventsOf(input)[0], eventsOf(input).at(-1)];
          const known = knownEventsOf(input);
          return known.some((name) => name === first) && known.some((name) => name === last)
            ? { events: known }
            : undefined;
        }),
    'unknown-event-left-out-on-chat: On the chat channels unknown events are left out without a word.': () =>
      acceptCreation((input) => {
        const known = knownEventsOf(input);
        return isChat(input) && eventsOf(input).length > 0
          ? { events: known.length > 0 ? known : eventNames }
          : undefined;
      }),
  },
  'HOOK-7': {
    'relative-url-taken: A path is accepted as receiving URL.': () =>
      acceptUrl((url) => typeof url === 'string' && url.startsWith('/')),
    'words-taken-as-url: Words are accepted as receiving URL.': () =>
      acceptUrl((url) => typeof url === 'string' && url.includes(' ')),
    'empty-url-taken: An empty text is accepted as receiving URL.': () => acceptUrl((url) => url === ''),
    'url-without-scheme-taken: What begins with "://" is accepted as receiving URL.': () =>
      acceptUrl((url) => typeof url === 'string' && url.startsWith('://')),
    'number-taken-as-url: A number is accepted as receiving URL.': () =>
      acceptUrl((url) => typeof url === 'number'),
    'url-without-host-taken: A scheme without a host is accepted as receiving URL.': () =>
      acceptUrl((url) => typeof url === 'string' && /^https?:\/\/$/.test(url)),
    'url-in-list-taken: A list of URLs is accepted as receiving URL.': () =>
      acceptUrl((url) => Array.isArray(url)),
    'url-completed: A receiving URL without a scheme is completed to one of http.': remarked(
      'completed-url',
      () => acceptCreation(({ url }) => (isHostWithPath(url) ? { url: `http://${url}` } : undefined)),
    ),
    'url-kept-without-scheme: A receiving URL without a scheme is accepted, and kept as it was sent.': () =>
      combineWraps(
        acceptCreation(({ url }) => (isHostWithPath(url) ? { url: `http://${url}` } : undefined)),
        showAsSent('url'),
      ),
    'words-taken-as-url-on-chat: On the chat channels words are accepted as receiving URL.': () =>
      acceptUrl((url, input) => isChat(input) && typeof url === 'string' && url.includes(' ')),
  },
  'HOOK-8': {
    'channel-defaults-to-custom: A subscription without a channel is one of the channel custom.': () =>
      acceptChannel((channel) => (channel === undefined ? 'custom' : undefined)),
    'events-default-to-all: A subscription without events is one to all of them.': () =>
      acceptCreation((input) => (input.events === undefined ? { events: eventNames } : undefined)),
    'url-may-come-later: A subscription without a receiving URL is created.': () =>
      acceptCreation((input) => (input.url === undefined ? { url: placeholderUrl } : undefined)),
    'null-channel-is-custom: A subscription whose channel is null is one of the channel custom.': () =>
      acceptChannel((channel) => (channel === null ? 'custom' : undefined)),
    'null-events-are-all: A subscription whose events are null is one to all of them.': () =>
      acceptCreation((input) => (input.events === null ? { events: eventNames } : undefined)),
    'null-url-may-come-later: A subscription whose receiving URL is null is created.': () =>
      acceptUrl((url) => url === null),
    'chat-events-default-to-all: A subscription without events on a chat channel is one to all of them.':
      () =>
        acceptCreation((input) =>
          input.events === undefined && isChat(input) ? { events: eventNames } : undefined,
        ),
    'channel-told-by-robot-address: A subscription without a channel is created where the receiving URL looks like that of a robot.':
      () =>
        acceptCreation((input) => {
          const robot = robotPaths.find(([path]) => String(input.url).toLowerCase().includes(path));
          return robot && input.channel === undefined ? { channel: robot[1] } : undefined;
        }),
  },
  'HOOK-9': {
    'subscription-on-unknown-site: A subscription on an unknown site is created.': () =>
      changeInput('createSubscription', ({ world, input }) => {
        const [first] = world.sites.keys();
        return world.sites.has(Number(input.siteID)) || first === undefined ? undefined : { siteID: first };
      }),
    'unknown-site-passed-over: A creation on an unknown site is answered as a success, and nothing is created.':
      () => hideRejection('createSubscription', 'unknown-site'),
    "site-zero-is-first: Site 0 is taken for the tenant's first one.": () =>
      replaceUnknownSite(({ siteID }, first) => (String(siteID) === '0' ? first : undefined)),
    'site-number-read-to-first-letter: The identifier of a site is read up to the first letter in it.':
      remarked('lenient-identifier', () =>
        replaceUnknownSite(({ siteID }) => Number.parseInt(String(siteID), 10)),
      ),
    'unknown-site-taken-from-key: An API key that names an unknown site creates its subscription on the first site of its tenant.':
      () => replaceUnknownSite((_input, first, { caller }) => (caller?.session ? undefined : first)),
  },
});

function knownEventsOf(input: Values): readonly string[] {
  return eventNames.filter((name) => eventsOf(input).includes(name));
}

/** Replaces an invalid channel; the call stays rejected where `channelFor` returns undefined. */
function acceptChannel(channelFor: (channel: unknown) => unknown): Wrap {
  return acceptCreation((input) => {
    const channel = channelFor(input.channel);
    return channel === undefined ? undefined : { channel };
  });
}

/** Replaces unknown events by those of the seven that may be meant; others stay, and are rejected. */
function acceptEvents(meantBy: (event: unknown) => readonly string[]): Wrap {
  const isKnown = (event: unknown) => eventNames.some((name) => name === event);
  return acceptCreation((input) => {
    const events = eventsOf(input).flatMap((event) => {
      const known = isKnown(event) ? [event] : meantBy(event).filter(isKnown);
      return known.length > 0 ? known : [event];
    });
    return { events: [...new Set(events)] };
  });
}

/** Answers creations with a value as it was sent. */
function showAsSent(name: 'channel' | 'events' | 'url'): Wrap {
  return changeResult('createSubscription', (values, { input }) => ({ ...values, [name]: input[name] }));
}

function isHostWithPath(url: unknown): boolean {
  return typeof url === 'string' && /^[a-z]+\.[a-z]+\/[a-z]*$/.test(url);
}

/** Accepts a value that is not a URL. Both the validation of the body and the handler check it. */
function acceptUrl(when: (url: unknown, input: Values) => boolean): Wrap {
  const correct = (input: Values) => (when(input.url, input) ? { url: placeholderUrl } : undefined);
  return combineWraps(
    acceptCreation(correct),
    changeInput('createSubscription', ({ input }) => correct(input)),
  );
}

/** Creates subscriptions on another site where the requested one is unknown. */
function replaceUnknownSite(
  siteFor: (input: Values, first: number | undefined, call: AnyCall) => number | undefined,
): Wrap {
  return changeInput('createSubscription', (call) => {
    const { input, world } = call;
    const isKnown = [...world.sites.keys()].some((id) => String(id) === String(input.siteID));
    const siteID = isKnown ? undefined : siteFor(input, firstSiteOf(call), call);
    return siteID === undefined ? undefined : { siteID };
  });
}
