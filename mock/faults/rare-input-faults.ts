// Faults that show on inputs which nobody writes down by hand, and which generated cases find.
import { isObject } from '../../openapi/json.ts';
import { invalidRequest } from '../http/api-errors.ts';
import type { AnyCall } from '../service.ts';
import { drawBetween } from '../world/random.ts';
import type { Fault, FaultTools, Wrap } from './fault.ts';
import { isOneOff } from './similar-credentials.ts';
import { allEvents, channels } from './subscription-tools.ts';
import { acceptInvalid, admitCaller, latestCaller, loginAs, rejectValid, wrapHandler } from './wrap-calls.ts';

/** Each breaks its promise for few of all the inputs there are. */
export const rareInputFaults: readonly Fault[] = [
  {
    id: 'login-in-list-unpacked',
    title: 'A login that stands in a list is taken out of it.',
    requirement: 'LOGIN-4',
    wrap: (steps, aids) => {
      const unpacked = new WeakMap<AnyCall, string>();
      return {
        ...wrapHandler(['login'], (call, own) => {
          const username = unpacked.get(call);
          return username === undefined ? own(call) : loginAs(call, username);
        })(steps, aids),
        validate(call, body) {
          const [login] = Array.isArray(body.value) ? (body.value as unknown[]) : [];
          if (call.operation.id !== 'login' || !isObject(login)) return steps.validate(call, body);
          unpacked.set(call, String(login.username));
        },
      };
    },
  },
  {
    id: 'password-true-matches-any',
    title: 'The password true matches any.',
    requirement: 'LOGIN-5',
    wrap: (steps, aids) => ({
      ...wrapHandler(['login'], (call, own) =>
        call.input.password === true ? loginAs(call, String(call.input.username)) : own(call),
      )(steps, aids),
      validate(call, body) {
        const isTaken = call.operation.id === 'login' && call.input.password === true;
        if (!isTaken || typeof call.input.username !== 'string') steps.validate(call, body);
      },
    }),
  },
  {
    id: 'login-with-password-first-refused',
    title: 'A login whose password stands before its username is refused.',
    requirement: 'LOGIN-1',
    wrap: refusingBodies('login', (members) => members.join() === 'password,username'),
  },
  {
    id: 'refresh-of-token-of-right-end',
    title: 'A token whose second half is that of a session is renewed.',
    requirement: 'REFRESH-3',
    wrap: (steps, aids) => {
      const halves = new Set<string>();
      return {
        ...admitCaller(['refresh'], ({ service, header }) =>
          header?.startsWith('Bearer ') && halves.has(halfOf(header))
            ? latestCaller(service.world)
            : undefined,
        )(steps, aids),
        ...wrapHandler(['login', 'refresh'], async (call, own) => {
          const values = await own(call);
          halves.add(halfOf(values.token));
          return values;
        })(steps, aids),
      };
    },
  },
  {
    id: 'members-in-alphabetical-order-refused',
    title: 'A creation whose members stand in alphabetical order is refused.',
    requirement: 'HOOK-1',
    wrap: refusingBodies(
      'createSubscription',
      (members) => members.length > 2 && members.join() === members.toSorted().join(),
    ),
  },
  {
    id: 'percent-in-url-refused',
    title: 'A receiving URL with a percent-encoded character in its path is refused.',
    requirement: 'HOOK-1',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => /^[^?]*%/.test(String(input.url)),
      'no percent sign',
    ),
  },
  {
    id: 'unknown-list-taken-for-events',
    title: 'A list in a member that nobody knows is taken for the events.',
    requirement: 'HOOK-1',
    wrap: (steps, aids) => {
      const strange = new WeakSet<AnyCall>();
      return {
        ...wrapHandler(['createSubscription'], async (call, own) => {
          const values = await own(call);
          return strange.has(call) ? { ...values, events: [allEvents[0]] } : values;
        })(steps, aids),
        validate(call, body) {
          const known = Object.values(call.input);
          const others = Object.values(Object(body.value)).filter((value) => !known.includes(value));
          if (call.operation.id === 'createSubscription' && others.some(Array.isArray)) strange.add(call);
          steps.validate(call, body);
        },
      };
    },
  },
  {
    id: 'quote-in-secret-refused',
    title: 'A signing secret with a quotation mark is refused.',
    requirement: 'HOOK-2',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => secretOf(input).includes('"'),
      'no quotation mark',
    ),
  },
  {
    id: 'pictograph-in-secret-refused',
    title: 'A signing secret with a character of four bytes is refused.',
    requirement: 'HOOK-2',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => /[\u{10000}-\u{10FFFF}]/u.test(secretOf(input)),
      'none',
    ),
  },
  {
    id: 'some-mark-in-secret-refused',
    title: 'A signing secret with a certain mark, drawn by lot, is refused.',
    requirement: 'HOOK-2',
    wrap: byLot('!$^*~|<>&%{}[]()+=?#@:;,'.split(''), (mark) =>
      rejectValid('createSubscription', ({ input }) => secretOf(input).includes(mark), 'another mark'),
    ),
  },
  {
    id: 'some-robot-refused-with-five-events',
    title: 'One of the chat channels, drawn by lot, is refused with five events.',
    requirement: 'HOOK-5',
    wrap: byLot(channels.slice(1), (channel) =>
      rejectValid(
        'createSubscription',
        ({ input }) => input.channel === channel && countOf(input) === 5,
        'fewer events, or more',
      ),
    ),
  },
  {
    id: 'beginning-of-channel-taken',
    title: 'A channel may be shortened, as long as it is clear which one is meant.',
    requirement: 'HOOK-4',
    wrap: acceptInvalid('createSubscription', ({ input }) => {
      const meant = channels.filter((channel) => channel.startsWith(String(input.channel)));
      const isText = typeof input.channel === 'string' && input.channel !== '';
      return isText && meant.length === 1 ? { channel: meant[0] } : undefined;
    }),
  },
  {
    id: 'five-events-refused',
    title: 'A subscription to exactly five events is refused.',
    requirement: 'HOOK-5',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => input.channel === 'custom' && countOf(input) === 5,
      'fewer events, or more',
    ),
  },
  {
    id: 'events-in-reverse-refused',
    title: 'All events in reverse order are refused.',
    requirement: 'HOOK-5',
    wrap: rejectValid(
      'createSubscription',
      ({ input }) => listOf(input).join() === allEvents.toReversed().join(),
      'another order',
    ),
  },
  {
    id: 'event-with-slip-taken',
    title: 'An event with one letter wrong is taken for the one that it is like.',
    requirement: 'HOOK-6',
    wrap: acceptInvalid('createSubscription', ({ input }) => {
      const meant = listOf(input).map((one) => allEvents.find((event) => isSlip(String(one), event)) ?? one);
      return { events: [...new Set(meant)] };
    }),
  },
  {
    id: 'word-taken-as-url',
    title: 'A single word is taken for the name of a host, and that for a receiving URL.',
    requirement: 'HOOK-7',
    wrap: acceptInvalid('createSubscription', ({ input }) =>
      typeof input.url === 'string' && /^[a-z]+$/.test(input.url)
        ? { url: `https://${input.url}` }
        : undefined,
    ),
  },
  {
    id: 'creation-in-list-unpacked',
    title: 'A creation that stands in a list is answered as if it stood for itself.',
    requirement: 'HOOK-8',
    wrap: (steps, aids) => {
      const lists = new WeakSet<AnyCall>();
      return {
        ...wrapHandler(['createSubscription'], (call, own) => (lists.has(call) ? {} : own(call)))(
          steps,
          aids,
        ),
        validate(call, body) {
          const [first] = Array.isArray(body.value) ? (body.value as unknown[]) : [];
          if (call.operation.id !== 'createSubscription' || !isObject(first))
            return steps.validate(call, body);
          lists.add(call);
        },
      };
    },
  },
  {
    id: 'site-number-in-any-notation',
    title: 'The site 0x65 is the site 101.',
    requirement: 'HOOK-9',
    wrap: wrapHandler(['createSubscription'], (call, own) => own(withNumber(call, 'siteID', /^0x/))),
  },
  {
    id: 'test-refused-with-four-events',
    title: 'A subscription to exactly four events can not be tested.',
    requirement: 'HOOK-10',
    wrap: rejectValid(
      'testSubscription',
      ({ input, world }) => world.subscriptions.get(String(input.id))?.events.length === 4,
      'a subscription to fewer events, or more',
    ),
  },
  {
    id: 'test-of-subscription-number-in-any-notation',
    title: 'The test of the subscription 7e0 is that of 7.',
    requirement: 'HOOK-11',
    wrap: wrapHandler(['testSubscription'], (call, own) => own(withNumber(call, 'id', /^\d+e/i))),
  },
];

/** A fault of something that is drawn when it is turned on: the same for the same seed. */
function byLot<T>(items: readonly T[], wrapOf: (item: T) => Wrap): Wrap {
  return (steps, aids: FaultTools) => {
    const item = items[drawBetween(aids.draw('which'), 0, items.length - 1)];
    return item === undefined ? {} : wrapOf(item)(steps, aids);
  };
}

/** Refuses bodies for the order of their members. */
function refusingBodies(id: AnyCall['operation']['id'], when: (members: readonly string[]) => boolean): Wrap {
  return (steps) => ({
    validate(call, body) {
      steps.validate(call, body);
      if (call.operation.id === id && when(Object.keys(Object(body.value))))
        throw invalidRequest([{ at: '', expected: 'another order' }]);
    },
  });
}

function withNumber(call: AnyCall, name: 'siteID' | 'id', notation: RegExp): AnyCall {
  const text = String(call.input[name]);
  return notation.test(text) ? { ...call, input: { ...call.input, [name]: String(Number(text)) } } : call;
}

function secretOf({ secret }: Readonly<Record<string, unknown>>): string {
  return String(secret ?? '');
}

function listOf({ events: list }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function countOf(input: Readonly<Record<string, unknown>>): number {
  return listOf(input).length;
}

function halfOf(token: unknown): string {
  return String(token ?? '').slice(-17);
}

function isSlip(text: string, event: string): boolean {
  return /^[a-z.]+$/.test(text) && isOneOff(text, event);
}
