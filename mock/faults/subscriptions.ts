import type { EventName } from '../../openapi/generated/types.ts';
import type { AnyCall, Values } from '../operations/call.ts';
import { ApiError } from '../problems.ts';
import type { Fault } from './fault.ts';
import { handling, refusing, taking } from './wrap-calls.ts';

const somewhere = 'http://127.0.0.1:1/unset';
const allEvents: readonly EventName[] = [
  'content.publish',
  'content.update',
  'content.delete',
  'form.submit',
  'comment.created',
  'publish.complete',
  'publish.failed',
];

/** Of creating and testing subscriptions. */
export const subscriptionFaults: readonly Fault[] = [
  {
    id: 'subscription-id-unknown-to-test',
    title: 'The identifier in the answer to a creation is another one than the test path takes.',
    requirement: 'HOOK-1',
    wrap: handling(['createSubscription'], async (call, own) => {
      const values = await own(call);
      return { ...values, id: anotherId(values.id) };
    }),
  },
  {
    id: 'first-subscription-of-site-not-kept',
    title: 'The first subscription of a site is created, but not kept.',
    requirement: 'HOOK-1',
    wrap: (parts, aids) => {
      const sites = new Set<string>();
      return handling(['createSubscription'], async (call, own) => {
        const values = await own(call);
        const site = String(call.input.siteID);
        if (!sites.has(site)) call.world.subscriptions.delete(String(values.id));
        sites.add(site);
        return values;
      })(parts, aids);
    },
  },
  {
    id: 'secret-required',
    title: 'A subscription without a signing secret is refused.',
    requirement: 'HOOK-2',
    wrap: refusing('createSubscription', ({ input }) => input.secret === undefined, 'a secret'),
  },
  {
    id: 'secret-with-hyphen-refused',
    title: 'A signing secret with a hyphen is refused.',
    requirement: 'HOOK-2',
    wrap: refusing('createSubscription', ({ input }) => /-/.test(String(input.secret ?? '')), 'no hyphen'),
  },
  {
    id: 'feishu-refused',
    title: 'The channel feishu is refused.',
    requirement: 'HOOK-3',
    wrap: refusing('createSubscription', ({ input }) => input.channel === 'feishu', 'another channel'),
  },
  {
    id: 'dingtalk-refused-with-several-events',
    title: 'The channel dingtalk is refused with more than one event.',
    requirement: 'HOOK-3',
    wrap: refusing(
      'createSubscription',
      ({ input }) => input.channel === 'dingtalk' && eventsOf(input).length > 1,
      'one event',
    ),
  },
  {
    id: 'channel-in-any-case',
    title: 'The channel is taken in any case.',
    requirement: 'HOOK-4',
    wrap: taking('createSubscription', ({ input }) =>
      typeof input.channel === 'string' ? { channel: input.channel.toLowerCase() } : undefined,
    ),
  },
  {
    id: 'empty-channel-is-custom',
    title: 'An empty channel is taken for custom.',
    requirement: 'HOOK-4',
    wrap: taking('createSubscription', ({ input }) =>
      input.channel === '' ? { channel: 'custom' } : undefined,
    ),
  },
  {
    id: 'unknown-channel-is-custom',
    title: 'An unknown channel is taken for custom.',
    requirement: 'HOOK-4',
    wrap: taking('createSubscription', ({ input }) =>
      typeof input.channel === 'string' && input.channel !== '' ? { channel: 'custom' } : undefined,
    ),
  },
  {
    id: 'seventh-event-refused',
    title: 'A subscription can choose six events at most.',
    requirement: 'HOOK-5',
    wrap: refusing('createSubscription', ({ input }) => eventsOf(input).length > 6, 'six events at most'),
  },
  {
    id: 'comment-created-refused-alone',
    title: 'The event comment.created is refused where it is chosen alone.',
    requirement: 'HOOK-5',
    wrap: refusing(
      'createSubscription',
      ({ input }) => eventsOf(input).join() === 'comment.created',
      'another event beside',
    ),
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
    wrap: taking('createSubscription', ({ input }) =>
      eventsOf(input).length === 1 ? { events: ['content.update'] } : undefined,
    ),
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
    id: 'channel-defaults-to-custom',
    title: 'A subscription without a channel is one of the channel custom.',
    requirement: 'HOOK-8',
    wrap: taking('createSubscription', ({ input }) =>
      input.channel === undefined ? { channel: 'custom' } : undefined,
    ),
  },
  {
    id: 'events-default-to-all',
    title: 'A subscription without events is one to all of them.',
    requirement: 'HOOK-8',
    wrap: taking('createSubscription', ({ input }) =>
      input.events === undefined ? { events: allEvents } : undefined,
    ),
  },
  {
    id: 'url-may-come-later',
    title: 'A subscription without a receiving URL is created.',
    requirement: 'HOOK-8',
    wrap: taking('createSubscription', ({ input }) =>
      input.url === undefined ? { url: somewhere } : undefined,
    ),
  },
  {
    id: 'subscription-on-unknown-site',
    title: 'A subscription on an unknown site is created.',
    requirement: 'HOOK-9',
    wrap: handling(['createSubscription'], (call, own) => {
      const [first] = call.world.sites.keys();
      const isKnown = call.world.sites.has(Number(call.input.siteID));
      return own(isKnown || first === undefined ? call : withInput(call, { siteID: first }));
    }),
  },
  {
    id: 'unknown-site-passed-over',
    title: 'A creation on an unknown site is answered as a success, and nothing is created.',
    requirement: 'HOOK-9',
    wrap: handling(['createSubscription'], (call, own) => passOver('unknown-site', call, own)),
  },
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
    id: 'test-of-unknown-subscription-passed-over',
    title: 'The test of an unknown subscription is answered as a success.',
    requirement: 'HOOK-11',
    wrap: handling(['testSubscription'], (call, own) => {
      const isKnown = call.world.subscriptions.has(String(call.input.id));
      return isKnown ? own(call) : passOver('unknown-subscription', call, own);
    }),
  },
  {
    id: 'test-through-other-site-of-tenant',
    title: 'A subscription can be tested through each of the sites of its tenant.',
    requirement: 'HOOK-11',
    wrap: handling(['testSubscription'], (call, own) => {
      const { world, caller, input } = call;
      const subscription = world.subscriptions.get(String(input.id));
      const site = subscription && world.sites.get(subscription.siteId);
      return own(site && site.tenantId === caller?.tenantId ? withInput(call, { siteID: site.id }) : call);
    }),
  },
];

type Own = Parameters<Parameters<typeof handling>[1]>[1];

function withInput(call: AnyCall, input: Values): AnyCall {
  return { ...call, input: { ...call.input, ...input } };
}

function eventsOf({ events }: Values): readonly unknown[] {
  return Array.isArray(events) ? events : [];
}

function anotherId(id: unknown): unknown {
  if (typeof id === 'number') return id + 700_000;
  const text = String(id);
  return /^[0-9a-f-]{36}$/.test(text) ? text.replace(/.$/, (last) => (last === '0' ? '1' : '0')) : `${text}0`;
}

function takingKnownEvents(when: (known: readonly unknown[]) => boolean): Fault['wrap'] {
  return taking('createSubscription', ({ input }) => {
    const known = eventsOf(input).filter((event) => allEvents.some((name) => name === event));
    return when(known) ? { events: known } : undefined;
  });
}

function takingUrls(when: (url: unknown) => boolean): Fault['wrap'] {
  return taking('createSubscription', ({ input }) => (when(input.url) ? { url: somewhere } : undefined));
}

/** Nothing comes of a refused call, and its answer says that it was taken. */
async function passOver(kind: ApiError['kind'], call: AnyCall, own: Own): Promise<Values> {
  try {
    return await own(call);
  } catch (error) {
    if (error instanceof ApiError && error.kind === kind) return {};
    throw error;
  }
}

interface Tested {
  channel: string;
  secret?: string;
}

function testingNothing(when: (tested: Tested) => boolean): Fault['wrap'] {
  return handling(['testSubscription'], (call, own) => {
    const dispatcher = { ...call.dispatcher, test: async () => true };
    const subscription = call.world.subscriptions.get(String(call.input.id));
    return own(subscription && when(subscription) ? { ...call, dispatcher } : call);
  });
}
