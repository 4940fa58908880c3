import { channels, eventNames } from '../../openapi/event-names.ts';
import type { Channel } from '../../openapi/generated/types.ts';
import type { AnyCall, Values } from '../service.ts';
import { combineWraps, type Fault, type Wrap } from './fault.ts';
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
export const invalidSubscriptionFaults: readonly Fault[] = [
  {
    id: 'channel-kept-in-any-case',
    title: 'The channel is accepted in upper or lower case, and kept as it was sent.',
    requirement: 'HOOK-4',
    wrap: combineWraps(
      acceptChannel((channel) => (typeof channel === 'string' ? channel.toLowerCase() : undefined)),
      showAsSent('channel'),
    ),
  },
  {
    id: 'empty-channel-is-custom',
    title: 'An empty channel is taken for custom.',
    requirement: 'HOOK-4',
    wrap: acceptChannel((channel) => (channel === '' ? 'custom' : undefined)),
  },
  {
    id: 'unknown-channel-is-custom',
    title: 'An unknown channel is taken for custom.',
    requirement: 'HOOK-4',
    wrap: acceptChannel((channel) => (typeof channel === 'string' && channel !== '' ? 'custom' : undefined)),
  },
  {
    id: 'wechat-is-wecom',
    title: 'The channel wechat is taken for wecom.',
    requirement: 'HOOK-4',
    wrap: acceptChannel((channel) => (channel === 'wechat' ? 'wecom' : undefined)),
  },
  {
    id: 'lark-is-feishu',
    title: 'The channel lark is taken for feishu.',
    requirement: 'HOOK-4',
    wrap: acceptChannel((channel) => (channel === 'lark' ? 'feishu' : undefined)),
  },
  {
    id: 'channel-by-number',
    title: 'A channel can be chosen by its number.',
    requirement: 'HOOK-4',
    wrap: acceptChannel((channel) => (typeof channel === 'number' ? channels[channel] : undefined)),
  },
  {
    id: 'channel-in-list',
    title: 'The first of a list of channels is taken for the channel.',
    requirement: 'HOOK-4',
    wrap: acceptChannel((channel) => (Array.isArray(channel) ? channel[0] : undefined)),
  },
  {
    id: 'unknown-event-dropped-beside-known',
    title: 'Unknown events beside known ones are left out without a word.',
    requirement: 'HOOK-6',
    wrap: acceptCreation((input) => {
      const events = eventsOf(input).filter((event) => eventNames.some((name) => name === event));
      return events.length > 0 ? { events } : undefined;
    }),
  },
  {
    id: 'unknown-event-taken-alone',
    title: 'A subscription to unknown events alone is created, and gets only content.update.',
    requirement: 'HOOK-6',
    wrap: acceptCreation((input) =>
      eventsOf(input).length === 1 ? { events: ['content.update'] } : undefined,
    ),
  },
  {
    id: 'event-kept-in-any-case',
    title: 'Events are accepted in upper or lower case, and kept as they were sent.',
    requirement: 'HOOK-6',
    wrap: combineWraps(
      acceptEvents((event) => [String(event).toLowerCase()]),
      showAsSent('events'),
    ),
  },
  {
    id: 'event-in-past-tense-taken',
    title: 'Events are accepted in the past tense.',
    requirement: 'HOOK-6',
    wrap: acceptEvents((event) => [String(event).replace(/e?d$/, ''), String(event).replace(/d$/, '')]),
  },
  {
    id: 'event-with-underscore-taken',
    title: 'Events are accepted with an underscore in place of the dot.',
    requirement: 'HOOK-6',
    wrap: acceptEvents((event) => [String(event).replace('_', '.')]),
  },
  {
    id: 'empty-event-is-all',
    title: 'An empty event is taken for all of them.',
    requirement: 'HOOK-6',
    wrap: acceptEvents((event) => (event === '' ? eventNames : [])),
  },
  {
    id: 'star-is-all-events',
    title: 'A star is taken for all events.',
    requirement: 'HOOK-6',
    wrap: acceptEvents((event) => (event === '*' ? eventNames : [])),
  },
  {
    id: 'event-family-taken',
    title: 'The part before the dot is accepted for all events of that kind.',
    requirement: 'HOOK-6',
    wrap: acceptEvents((event) => eventNames.filter((name) => name.split('.')[0] === event)),
  },
  {
    id: 'event-by-number-taken',
    title: 'Events can be chosen by their numbers.',
    requirement: 'HOOK-6',
    wrap: acceptEvents((event) => eventNames.filter((_name, index) => index === event)),
  },
  {
    id: 'unknown-event-between-others-left-out',
    title: 'Only the first and the last of the events are checked; unknown ones between them are left out.',
    requirement: 'HOOK-6',
    wrap: acceptCreation((input) => {
      const [first, last] = [eventsOf(input)[0], eventsOf(input).at(-1)];
      const known = knownEventsOf(input);
      return known.some((name) => name === first) && known.some((name) => name === last)
        ? { events: known }
        : undefined;
    }),
  },
  {
    id: 'unknown-event-left-out-on-chat',
    title: 'On the chat channels unknown events are left out without a word.',
    requirement: 'HOOK-6',
    wrap: acceptCreation((input) => {
      const known = knownEventsOf(input);
      return isChat(input) && eventsOf(input).length > 0
        ? { events: known.length > 0 ? known : eventNames }
        : undefined;
    }),
  },
  {
    id: 'relative-url-taken',
    title: 'A path is accepted as receiving URL.',
    requirement: 'HOOK-7',
    wrap: acceptUrl((url) => typeof url === 'string' && url.startsWith('/')),
  },
  {
    id: 'words-taken-as-url',
    title: 'Words are accepted as receiving URL.',
    requirement: 'HOOK-7',
    wrap: acceptUrl((url) => typeof url === 'string' && url.includes(' ')),
  },
  {
    id: 'empty-url-taken',
    title: 'An empty text is accepted as receiving URL.',
    requirement: 'HOOK-7',
    wrap: acceptUrl((url) => url === ''),
  },
  {
    id: 'url-without-scheme-taken',
    title: 'What begins with "://" is accepted as receiving URL.',
    requirement: 'HOOK-7',
    wrap: acceptUrl((url) => typeof url === 'string' && url.startsWith('://')),
  },
  {
    id: 'number-taken-as-url',
    title: 'A number is accepted as receiving URL.',
    requirement: 'HOOK-7',
    wrap: acceptUrl((url) => typeof url === 'number'),
  },
  {
    id: 'url-without-host-taken',
    title: 'A scheme without a host is accepted as receiving URL.',
    requirement: 'HOOK-7',
    wrap: acceptUrl((url) => typeof url === 'string' && /^https?:\/\/$/.test(url)),
  },
  {
    id: 'url-in-list-taken',
    title: 'A list of URLs is accepted as receiving URL.',
    requirement: 'HOOK-7',
    wrap: acceptUrl((url) => Array.isArray(url)),
  },
  {
    id: 'url-completed',
    title: 'A receiving URL without a scheme is completed to one of http.',
    requirement: 'HOOK-7',
    remark: 'completed-url',
    wrap: acceptCreation(({ url }) => (isHostWithPath(url) ? { url: `http://${url}` } : undefined)),
  },
  {
    id: 'url-kept-without-scheme',
    title: 'A receiving URL without a scheme is accepted, and kept as it was sent.',
    requirement: 'HOOK-7',
    wrap: combineWraps(
      acceptCreation(({ url }) => (isHostWithPath(url) ? { url: `http://${url}` } : undefined)),
      showAsSent('url'),
    ),
  },
  {
    id: 'words-taken-as-url-on-chat',
    title: 'On the chat channels words are accepted as receiving URL.',
    requirement: 'HOOK-7',
    wrap: acceptUrl((url, input) => isChat(input) && typeof url === 'string' && url.includes(' ')),
  },
  {
    id: 'channel-defaults-to-custom',
    title: 'A subscription without a channel is one of the channel custom.',
    requirement: 'HOOK-8',
    wrap: acceptChannel((channel) => (channel === undefined ? 'custom' : undefined)),
  },
  {
    id: 'events-default-to-all',
    title: 'A subscription without events is one to all of them.',
    requirement: 'HOOK-8',
    wrap: acceptCreation((input) => (input.events === undefined ? { events: eventNames } : undefined)),
  },
  {
    id: 'url-may-come-later',
    title: 'A subscription without a receiving URL is created.',
    requirement: 'HOOK-8',
    wrap: acceptCreation((input) => (input.url === undefined ? { url: placeholderUrl } : undefined)),
  },
  {
    id: 'null-channel-is-custom',
    title: 'A subscription whose channel is null is one of the channel custom.',
    requirement: 'HOOK-8',
    wrap: acceptChannel((channel) => (channel === null ? 'custom' : undefined)),
  },
  {
    id: 'null-events-are-all',
    title: 'A subscription whose events are null is one to all of them.',
    requirement: 'HOOK-8',
    wrap: acceptCreation((input) => (input.events === null ? { events: eventNames } : undefined)),
  },
  {
    id: 'null-url-may-come-later',
    title: 'A subscription whose receiving URL is null is created.',
    requirement: 'HOOK-8',
    wrap: acceptUrl((url) => url === null),
  },
  {
    id: 'chat-events-default-to-all',
    title: 'A subscription without events on a chat channel is one to all of them.',
    requirement: 'HOOK-8',
    wrap: acceptCreation((input) =>
      input.events === undefined && isChat(input) ? { events: eventNames } : undefined,
    ),
  },
  {
    id: 'channel-told-by-robot-address',
    title: 'A subscription without a channel is created where the receiving URL looks like that of a robot.',
    requirement: 'HOOK-8',
    wrap: acceptCreation((input) => {
      const robot = robotPaths.find(([path]) => String(input.url).toLowerCase().includes(path));
      return robot && input.channel === undefined ? { channel: robot[1] } : undefined;
    }),
  },
  {
    id: 'subscription-on-unknown-site',
    title: 'A subscription on an unknown site is created.',
    requirement: 'HOOK-9',
    wrap: changeInput('createSubscription', ({ world, input }) => {
      const [first] = world.sites.keys();
      return world.sites.has(Number(input.siteID)) || first === undefined ? undefined : { siteID: first };
    }),
  },
  {
    id: 'unknown-site-passed-over',
    title: 'A creation on an unknown site is answered as a success, and nothing is created.',
    requirement: 'HOOK-9',
    wrap: hideRejection('createSubscription', 'unknown-site'),
  },
  {
    id: 'site-zero-is-first',
    title: "Site 0 is taken for the tenant's first one.",
    requirement: 'HOOK-9',
    wrap: replaceUnknownSite(({ siteID }, first) => (String(siteID) === '0' ? first : undefined)),
  },
  {
    id: 'unknown-site-taken-from-key',
    title: 'An API key that names an unknown site creates its subscription on the first site of its tenant.',
    requirement: 'HOOK-9',
    wrap: replaceUnknownSite((_input, first, { caller }) => (caller?.session ? undefined : first)),
  },
];

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
