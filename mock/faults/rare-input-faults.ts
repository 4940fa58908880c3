// Faults that appear only with inputs nobody writes by hand, and that generated cases find.
import { channels, chatChannels, eventNames } from '../../openapi/event-names.ts';
import { isObject, type Json } from '../../openapi/json.ts';
import type { OperationId } from '../../openapi/operations.ts';
import { invalidRequest } from '../http/api-errors.ts';
import type { AnyCall, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import { drawBetween } from '../world/random.ts';
import { combineWraps, type Fault, type Wrap, withinCall, withMemory } from './fault.ts';
import { differsInOneCharacter } from './similar-credentials.ts';
import { acceptCreation, eventsOf, rejectCreation } from './subscription-tools.ts';
import {
  admitCaller,
  changeInput,
  changeResult,
  latestCaller,
  loginAs,
  rejectValid,
  watchResult,
  wrapHandler,
  wrapValidation,
} from './wrap-calls.ts';

/** Each breaks its promise for few of all possible inputs. */
export const rareInputFaults: readonly Fault[] = [
  {
    id: 'login-in-list-unpacked',
    title: 'A login inside a list is accepted.',
    requirement: 'LOGIN-4',
    wrap: acceptListBody('login', (call, { username }) => loginAs(call, String(username))),
  },
  {
    id: 'password-true-matches-any',
    title: 'The password true matches any.',
    requirement: 'LOGIN-5',
    wrap: combineWraps(
      wrapHandler(['login'], (call, next) =>
        call.input.password === true ? loginAs(call, String(call.input.username)) : next(call),
      ),
      wrapValidation('login', ({ input: { username, password } }, _body, next) => {
        if (password !== true || typeof username !== 'string') next();
      }),
    ),
  },
  {
    id: 'login-with-password-first-refused',
    title: 'A login whose password comes before its username is refused.',
    requirement: 'LOGIN-1',
    wrap: rejectMemberOrder('login', (members) => members.join() === 'password,username'),
  },
  {
    id: 'refresh-of-token-of-right-end',
    title: 'A token whose second half is that of a session is renewed.',
    requirement: 'REFRESH-3',
    wrap: withMemory((memory, halves = memory.set('halves')) =>
      combineWraps(
        admitCaller(['refresh'], ({ service, header }) =>
          header?.startsWith('Bearer ') && halves.has(secondHalfOf(header))
            ? latestCaller(service.world)
            : undefined,
        ),
        watchResult(['login', 'refresh'], ({ token }) => halves.add(secondHalfOf(token))),
      ),
    ),
  },
  {
    id: 'members-in-alphabetical-order-refused',
    title: 'A creation whose members are in alphabetical order is refused.',
    requirement: 'HOOK-1',
    wrap: rejectMemberOrder(
      'createSubscription',
      (members) => members.length > 2 && members.join() === members.toSorted().join(),
    ),
  },
  {
    id: 'percent-in-url-refused',
    title: 'A receiving URL with a percent-encoded character in its path is refused.',
    requirement: 'HOOK-1',
    wrap: rejectCreation('no percent sign', (input) => /^[^?]*%/.test(String(input.url))),
  },
  {
    id: 'unknown-list-taken-for-events',
    title: 'A list in an unknown member is taken for the events.',
    requirement: 'HOOK-1',
    wrap: withinCall((affected = new WeakSet<AnyCall>()) =>
      combineWraps(
        changeResult('createSubscription', (values, call) =>
          affected.has(call) ? { ...values, events: [eventNames[0]] } : values,
        ),
        wrapValidation('createSubscription', (call, body, next) => {
          const known = Object.values(call.input);
          const others = Object.values(Object(body.value)).filter((value) => !known.includes(value));
          if (others.some(Array.isArray)) affected.add(call);
          next();
        }),
      ),
    ),
  },
  {
    id: 'quote-in-secret-refused',
    title: 'A signing secret with a quotation mark is refused.',
    requirement: 'HOOK-2',
    wrap: rejectCreation('no quotation mark', (input) => secretOf(input).includes('"')),
  },
  {
    id: 'pictograph-in-secret-refused',
    title: 'A signing secret with a character of four bytes is refused.',
    requirement: 'HOOK-2',
    wrap: rejectCreation('none', (input) => /[\u{10000}-\u{10FFFF}]/u.test(secretOf(input))),
  },
  {
    id: 'some-mark-in-secret-refused',
    title: 'A signing secret with a certain mark, drawn by lot, is refused.',
    requirement: 'HOOK-2',
    wrap: drawByLot('!$^*~|<>&%{}[]()+=?#@:;,'.split(''), (mark) =>
      rejectCreation('another mark', (input) => secretOf(input).includes(mark)),
    ),
  },
  {
    id: 'some-robot-refused-with-five-events',
    title: 'One of the chat channels, drawn by lot, is refused with five events.',
    requirement: 'HOOK-5',
    wrap: drawByLot(chatChannels, (channel) =>
      rejectCreation('fewer events, or more', (input) => input.channel === channel && hasFiveEvents(input)),
    ),
  },
  {
    id: 'beginning-of-channel-taken',
    title: 'A channel may be shortened, as long as it is clear which one is meant.',
    requirement: 'HOOK-4',
    wrap: acceptCreation(({ channel }) => {
      const meant = channels.filter((one) => one.startsWith(String(channel)));
      const isText = typeof channel === 'string' && channel !== '';
      return isText && meant.length === 1 ? { channel: meant[0] } : undefined;
    }),
  },
  {
    id: 'five-events-refused',
    title: 'A subscription to exactly five events is refused.',
    requirement: 'HOOK-5',
    wrap: rejectCreation(
      'fewer events, or more',
      (input) => input.channel === 'custom' && hasFiveEvents(input),
    ),
  },
  {
    id: 'events-in-reverse-refused',
    title: 'All events in reverse order are refused.',
    requirement: 'HOOK-5',
    wrap: rejectCreation(
      'another order',
      (input) => eventsOf(input).join() === eventNames.toReversed().join(),
    ),
  },
  {
    id: 'event-with-slip-taken',
    title: 'An event with one letter wrong is taken for the event that it resembles.',
    requirement: 'HOOK-6',
    wrap: acceptCreation((input) => {
      const meant = eventsOf(input).map(
        (one) => eventNames.find((event) => differsInOneLetter(String(one), event)) ?? one,
      );
      return { events: [...new Set(meant)] };
    }),
  },
  {
    id: 'word-taken-as-url',
    title: 'A single word is accepted as receiving URL, as if it were the name of a host.',
    requirement: 'HOOK-7',
    wrap: acceptCreation(({ url }) =>
      typeof url === 'string' && /^[a-z]+$/.test(url) ? { url: `https://${url}` } : undefined,
    ),
  },
  {
    id: 'creation-in-list-unpacked',
    title: 'A creation inside a list is answered as if it were not in a list.',
    requirement: 'HOOK-8',
    wrap: acceptListBody('createSubscription', () => ({})),
  },
  {
    id: 'site-number-in-any-notation',
    title: 'The site 0x65 is the site 101.',
    requirement: 'HOOK-9',
    remark: 'lenient-identifier',
    wrap: changeInput('createSubscription', (call) => readNumber(call, 'siteID', /^0x/)),
  },
  {
    id: 'test-refused-with-four-events',
    title: 'A subscription to exactly four events cannot be tested.',
    requirement: 'HOOK-10',
    wrap: rejectValid(
      'testSubscription',
      'a subscription to fewer events, or more',
      ({ input, world }) => world.subscriptions.get(String(input.id))?.events.length === 4,
    ),
  },
  {
    id: 'test-of-subscription-number-in-any-notation',
    title: 'The test of the subscription 7e0 is that of 7.',
    requirement: 'HOOK-11',
    remark: 'lenient-identifier',
    wrap: changeInput('testSubscription', (call) => readNumber(call, 'id', /^\d+e/i)),
  },
];

/** A fault about an item that is drawn when the fault is turned on. */
function drawByLot<T>(items: readonly T[], wrapOf: (item: T) => Wrap): Wrap {
  return (steps, tools) => {
    const item = items[drawBetween(tools.draw('which'), 0, items.length - 1)];
    return item === undefined ? {} : wrapOf(item)(steps, tools);
  };
}

/** Accepts a body that is a list, by its first element. */
function acceptListBody(
  id: OperationId,
  answer: (call: AnyCall, first: Json) => Values | Promise<Values>,
): Wrap {
  return withinCall((unpacked = new WeakMap<AnyCall, Json>()) =>
    combineWraps(
      wrapHandler([id], (call, next) => {
        const first = unpacked.get(call);
        return first ? answer(call, first) : next(call);
      }),
      wrapValidation(id, (call, { value }, next) => {
        const first: unknown = Array.isArray(value) ? value[0] : undefined;
        if (!isObject(first)) return next();
        unpacked.set(call, first);
      }),
    ),
  );
}

/** Rejects bodies for the order of their members. */
function rejectMemberOrder(id: OperationId, when: (members: readonly string[]) => boolean): Wrap {
  return wrapValidation(id, (_call, { value }, next) => {
    next();
    if (when(Object.keys(Object(value)))) throw invalidRequest([{ at: '', expected: 'another order' }]);
  });
}

/** Reads a number in some other notation. */
function readNumber({ input }: AnyCall, name: 'siteID' | 'id', notation: RegExp): Values | undefined {
  const text = String(input[name]);
  return notation.test(text) ? { [name]: String(Number(text)) } : undefined;
}

function secretOf({ secret }: Values): string {
  return String(secret ?? '');
}

function hasFiveEvents(input: Values): boolean {
  return eventsOf(input).length === 5;
}

function secondHalfOf(token: unknown): string {
  return digest(String(token ?? '').slice(-17));
}

function differsInOneLetter(text: string, event: string): boolean {
  return /^[a-z.]+$/.test(text) && differsInOneCharacter(text, event);
}
