import type { Channel } from '../../openapi/generated/types.ts';
import type { AnyCall, Values } from '../service.ts';
import type { Fault } from './fault.ts';
import {
  allEvents,
  channels,
  eventsOf,
  firstSiteOf,
  isChat,
  passOver,
  withInput,
} from './subscription-tools.ts';
import { acceptInvalid, wrapHandler } from './wrap-calls.ts';

const somewhere = 'http://127.0.0.1:1/unset';
/** What the addresses of the products' robots have in them. */
const robotPaths: readonly (readonly [string, Channel])[] = [
  ['cgi-bin/webhook/send', 'wecom'],
  ['robot/send', 'dingtalk'],
  ['bot/v2/hook', 'feishu'],
];

/** Of creations that are taken although they are wrong. */
export const unfitSubscriptionFaults: readonly Fault[] = [
  {
    id: 'channel-in-any-case',
    title: 'The channel is taken in any case.',
    requirement: 'HOOK-4',
    wrap: acceptInvalid('createSubscription', ({ input }) =>
      typeof input.channel === 'string' ? { channel: input.channel.toLowerCase() } : undefined,
    ),
  },
  {
    id: 'empty-channel-is-custom',
    title: 'An empty channel is taken for custom.',
    requirement: 'HOOK-4',
    wrap: acceptInvalid('createSubscription', ({ input }) =>
      input.channel === '' ? { channel: 'custom' } : undefined,
    ),
  },
  {
    id: 'unknown-channel-is-custom',
    title: 'An unknown channel is taken for custom.',
    requirement: 'HOOK-4',
    wrap: acceptInvalid('createSubscription', ({ input }) =>
      typeof input.channel === 'string' && input.channel !== '' ? { channel: 'custom' } : undefined,
    ),
  },
  {
    id: 'wechat-is-wecom',
    title: 'The channel wechat is taken for wecom.',
    requirement: 'HOOK-4',
    wrap: takingChannel((channel) => (channel === 'wechat' ? 'wecom' : undefined)),
  },
  {
    id: 'lark-is-feishu',
    title: 'The channel lark is taken for feishu.',
    requirement: 'HOOK-4',
    wrap: takingChannel((channel) => (channel === 'lark' ? 'feishu' : undefined)),
  },
  {
    id: 'channel-by-number',
    title: 'A channel can be chosen by its number.',
    requirement: 'HOOK-4',
    wrap: takingChannel((channel) => (typeof channel === 'number' ? channels[channel] : undefined)),
  },
  {
    id: 'channel-in-list',
    title: 'The first of a list of channels is taken for the channel.',
    requirement: 'HOOK-4',
    wrap: takingChannel((channel) => (Array.isArray(channel) ? channel[0] : undefined)),
  },
  {
    id: 'unknown-event-dropped-beside-known',
    title: 'Unknown events beside known ones are left out without a word.',
    requirement: 'HOOK-6',
    wrap: takingKnownEvents((known) => known.length > 0),
  },
  {
    id: 'unknown-event-taken-alone',
    title: 'A subscription to unknown events alone is created, and gets nothing but content.update.',
    requirement: 'HOOK-6',
    wrap: acceptInvalid('createSubscription', ({ input }) =>
      eventsOf(input).length === 1 ? { events: ['content.update'] } : undefined,
    ),
  },
  {
    id: 'event-in-any-case-taken',
    title: 'Events are taken in any case.',
    requirement: 'HOOK-6',
    wrap: takingEvents((event) => [String(event).toLowerCase()]),
  },
  {
    id: 'event-in-past-tense-taken',
    title: 'Events are taken in the past tense.',
    requirement: 'HOOK-6',
    wrap: takingEvents((event) => [String(event).replace(/e?d$/, ''), String(event).replace(/d$/, '')]),
  },
  {
    id: 'event-with-underscore-taken',
    title: 'Events are taken with an underscore in the place of the dot.',
    requirement: 'HOOK-6',
    wrap: takingEvents((event) => [String(event).replace('_', '.')]),
  },
  {
    id: 'empty-event-is-all',
    title: 'An empty event is taken for all of them.',
    requirement: 'HOOK-6',
    wrap: takingEvents((event) => (event === '' ? allEvents : [])),
  },
  {
    id: 'star-is-all-events',
    title: 'A star is taken for all events.',
    requirement: 'HOOK-6',
    wrap: takingEvents((event) => (event === '*' ? allEvents : [])),
  },
  {
    id: 'event-family-taken',
    title: 'What stands before the dot is taken for all events of that kind.',
    requirement: 'HOOK-6',
    wrap: takingEvents((event) => allEvents.filter((name) => name.split('.')[0] === event)),
  },
  {
    id: 'event-by-number-taken',
    title: 'Events can be chosen by their numbers.',
    requirement: 'HOOK-6',
    wrap: takingEvents((event) => allEvents.filter((_name, index) => index === event)),
  },
  {
    id: 'unknown-event-between-others-left-out',
    title: 'Of the events only the first and the last are looked at; unknown ones between them are left out.',
    requirement: 'HOOK-6',
    wrap: acceptInvalid('createSubscription', ({ input }) => {
      const [first, last] = [eventsOf(input)[0], eventsOf(input).at(-1)];
      const known = allEvents.filter((name) => eventsOf(input).includes(name));
      return known.some((name) => name === first) && known.some((name) => name === last)
        ? { events: known }
        : undefined;
    }),
  },
  {
    id: 'unknown-event-left-out-on-chat',
    title: 'On the chat channels unknown events are left out without a word.',
    requirement: 'HOOK-6',
    wrap: acceptInvalid('createSubscription', ({ input }) => {
      const known = allEvents.filter((name) => eventsOf(input).includes(name));
      return isChat(input) && eventsOf(input).length > 0
        ? { events: known.length > 0 ? known : allEvents }
        : undefined;
    }),
  },
  {
    id: 'relative-url-taken',
    title: 'A path is taken as receiving URL.',
    requirement: 'HOOK-7',
    wrap: takingUrls((url) => typeof url === 'string' && url.startsWith('/')),
  },
  {
    id: 'words-taken-as-url',
    title: 'Words are taken as receiving URL.',
    requirement: 'HOOK-7',
    wrap: takingUrls((url) => typeof url === 'string' && url.includes(' ')),
  },
  {
    id: 'empty-url-taken',
    title: 'An empty text is taken as receiving URL.',
    requirement: 'HOOK-7',
    wrap: takingUrls((url) => url === ''),
  },
  {
    id: 'url-without-scheme-taken',
    title: 'What begins with "://" is taken as receiving URL.',
    requirement: 'HOOK-7',
    wrap: takingUrls((url) => typeof url === 'string' && url.startsWith('://')),
  },
  {
    id: 'number-taken-as-url',
    title: 'A number is taken as receiving URL.',
    requirement: 'HOOK-7',
    wrap: takingUrls((url) => typeof url === 'number'),
  },
  {
    id: 'url-without-host-taken',
    title: 'A scheme without a host is taken as receiving URL.',
    requirement: 'HOOK-7',
    wrap: takingUrls((url) => typeof url === 'string' && /^https?:\/\/$/.test(url)),
  },
  {
    id: 'url-in-list-taken',
    title: 'A list of URLs is taken as receiving URL.',
    requirement: 'HOOK-7',
    wrap: takingUrls((url) => Array.isArray(url)),
  },
  {
    id: 'words-taken-as-url-on-chat',
    title: 'On the chat channels words are taken as receiving URL.',
    requirement: 'HOOK-7',
    wrap: takingUrls((url, input) => isChat(input) && typeof url === 'string' && url.includes(' ')),
  },
  {
    id: 'channel-defaults-to-custom',
    title: 'A subscription without a channel is one of the channel custom.',
    requirement: 'HOOK-8',
    wrap: acceptInvalid('createSubscription', ({ input }) =>
      input.channel === undefined ? { channel: 'custom' } : undefined,
    ),
  },
  {
    id: 'events-default-to-all',
    title: 'A subscription without events is one to all of them.',
    requirement: 'HOOK-8',
    wrap: acceptInvalid('createSubscription', ({ input }) =>
      input.events === undefined ? { events: allEvents } : undefined,
    ),
  },
  {
    id: 'url-may-come-later',
    title: 'A subscription without a receiving URL is created.',
    requirement: 'HOOK-8',
    wrap: acceptInvalid('createSubscription', ({ input }) =>
      input.url === undefined ? { url: somewhere } : undefined,
    ),
  },
  {
    id: 'null-channel-is-custom',
    title: 'A subscription whose channel is null is one of the channel custom.',
    requirement: 'HOOK-8',
    wrap: takingChannel((channel) => (channel === null ? 'custom' : undefined)),
  },
  {
    id: 'null-events-are-all',
    title: 'A subscription whose events are null is one to all of them.',
    requirement: 'HOOK-8',
    wrap: acceptInvalid('createSubscription', ({ input }) =>
      input.events === null ? { events: allEvents } : undefined,
    ),
  },
  {
    id: 'null-url-may-come-later',
    title: 'A subscription whose receiving URL is null is created.',
    requirement: 'HOOK-8',
    wrap: takingUrls((url) => url === null),
  },
  {
    id: 'chat-events-default-to-all',
    title: 'A subscription without events on a chat channel is one to all of them.',
    requirement: 'HOOK-8',
    wrap: acceptInvalid('createSubscription', ({ input }) =>
      input.events === undefined && isChat(input) ? { events: allEvents } : undefined,
    ),
  },
  {
    id: 'channel-told-by-robot-address',
    title: 'A subscription without a channel is created where the receiving URL looks like that of a robot.',
    requirement: 'HOOK-8',
    wrap: acceptInvalid('createSubscription', ({ input }) => {
      const robot = robotPaths.find(([path]) => String(input.url).toLowerCase().includes(path));
      return robot && input.channel === undefined ? { channel: robot[1] } : undefined;
    }),
  },
  {
    id: 'subscription-on-unknown-site',
    title: 'A subscription on an unknown site is created.',
    requirement: 'HOOK-9',
    wrap: wrapHandler(['createSubscription'], (call, own) => {
      const [first] = call.world.sites.keys();
      const isKnown = call.world.sites.has(Number(call.input.siteID));
      return own(isKnown || first === undefined ? call : withInput(call, { siteID: first }));
    }),
  },
  {
    id: 'unknown-site-passed-over',
    title: 'A creation on an unknown site is answered as a success, and nothing is created.',
    requirement: 'HOOK-9',
    wrap: wrapHandler(['createSubscription'], (call, own) => passOver('unknown-site', call, own)),
  },
  {
    id: 'site-zero-is-first',
    title: "Site 0 is taken for the tenant's first one.",
    requirement: 'HOOK-9',
    wrap: onSite(({ siteID }, first) => (String(siteID) === '0' ? first : undefined)),
  },
  {
    id: 'site-number-read-to-first-letter',
    title: 'The identifier of a site is read up to the first letter in it.',
    requirement: 'HOOK-9',
    wrap: onSite(({ siteID }) => Number.parseInt(String(siteID), 10)),
  },
  {
    id: 'unknown-site-taken-from-key',
    title:
      'An API key that creates a subscription on an unknown site creates it on the first one of its tenant.',
    requirement: 'HOOK-9',
    wrap: onSite((_input, first, { caller }) => (caller?.session ? undefined : first)),
  },
];

function takingKnownEvents(when: (known: readonly unknown[]) => boolean): Fault['wrap'] {
  return acceptInvalid('createSubscription', ({ input }) => {
    const known = eventsOf(input).filter((event) => allEvents.some((name) => name === event));
    return when(known) ? { events: known } : undefined;
  });
}

/** Takes channels that are none for others; what gives undefined is refused as ever. */
function takingChannel(channelFor: (channel: unknown) => unknown): Fault['wrap'] {
  return acceptInvalid('createSubscription', ({ input }) => {
    const channel = channelFor(input.channel);
    return channel === undefined ? undefined : { channel };
  });
}

/** Takes events that are none for those of the seven that may be meant; others are left as they are, and refused. */
function takingEvents(meant: (event: unknown) => readonly string[]): Fault['wrap'] {
  const isKnown = (event: unknown) => allEvents.some((name) => name === event);
  return acceptInvalid('createSubscription', ({ input }) => {
    const events = eventsOf(input).flatMap((event) => {
      const known = isKnown(event) ? [event] : meant(event).filter(isKnown);
      return known.length > 0 ? known : [event];
    });
    return { events: [...new Set(events)] };
  });
}

/** Whether a URL is one is looked at twice, in the body of the call and in what it says. */
function takingUrls(when: (url: unknown, input: Values) => boolean): Fault['wrap'] {
  return (steps, aids) => {
    const taken = acceptInvalid('createSubscription', ({ input }) =>
      when(input.url, input) ? { url: somewhere } : undefined,
    )(steps, aids);
    const handled = wrapHandler(['createSubscription'], (call, own) =>
      own(when(call.input.url, call.input) ? withInput(call, { url: somewhere }) : call),
    )({ ...steps, ...taken }, aids);
    return { ...taken, ...handled };
  };
}

/** Creates subscriptions on another site than an unknown one that was named. */
function onSite(
  siteFor: (input: Values, first: number | undefined, call: AnyCall) => number | undefined,
): Fault['wrap'] {
  return wrapHandler(['createSubscription'], (call, own) => {
    const { input, world } = call;
    const isKnown = [...world.sites.keys()].some((id) => String(id) === String(input.siteID));
    const siteID = isKnown ? undefined : siteFor(input, firstSiteOf(call), call);
    return own(siteID === undefined ? call : withInput(call, { siteID }));
  });
}
