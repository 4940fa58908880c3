// Faults that appear only with inputs nobody writes by hand, and that generated cases find.
import { channels, chatChannels, eventNames } from '../../openapi/event-names.ts';
import { isObject, type Json } from '../../openapi/json.ts';
import type { OperationId } from '../../openapi/operations.ts';
import { invalidRequest } from '../http/api-errors.ts';
import type { AnyCall, Values } from '../service.ts';
import { digest } from '../world/digests.ts';
import { drawBetween } from '../world/random.ts';
import { combineWraps, faultsOf, remarked, type Wrap, withinCall } from './fault.ts';
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
export const rareInputFaults = faultsOf(
  {
    'LOGIN-4': {
      'login-in-list-unpacked: A login inside a list is accepted.': () =>
        acceptListBody('login', (call, { username }) => loginAs(call, String(username))),
    },
    'LOGIN-5': {
      'password-true-matches-any: The password true matches any.': () =>
        combineWraps(
          wrapHandler(['login'], (call, next) =>
            call.input.password === true ? loginAs(call, String(call.input.username)) : next(call),
          ),
          wrapValidation('login', ({ input: { username, password } }, _body, next) => {
            if (password !== true || typeof username !== 'string') next();
          }),
        ),
    },
    'LOGIN-1': {
      'login-with-password-first-refused: A login whose password comes before its username is refused.': () =>
        rejectMemberOrder('login', (members) => members.join() === 'password,username'),
    },
    'REFRESH-3': {
      'refresh-of-token-of-right-end: A token whose second half is that of a session is renewed.': (
        { memory },
        halves = memory.set('halves'),
      ) =>
        combineWraps(
          admitCaller(['refresh'], ({ service, header }) =>
            header?.startsWith('Bearer ') && halves.has(secondHalfOf(header))
              ? latestCaller(service.world)
              : undefined,
          ),
          watchResult(['login', 'refresh'], ({ token }) => halves.add(secondHalfOf(token))),
        ),
    },
    'HOOK-1': {
      'members-in-alphabetical-order-refused: A creation whose members are in alphabetical order is refused.':
        () =>
          rejectMemberOrder(
            'createSubscription',
            (members) => members.length > 2 && members.join() === members.toSorted().join(),
          ),
      'percent-in-url-refused: A receiving URL with a percent-encoded character in its path is refused.':
        () => rejectCreation('no percent sign', (input) => /^[^?]*%/.test(String(input.url))),
      'unknown-list-taken-for-events: A list in an unknown member is taken for the events.': (
        _tools,
        affected = new WeakSet<AnyCall>(),
      ) =>
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
    },
    'HOOK-2': {
      'quote-in-secret-refused: A signing secret with a quotation mark is refused.': () =>
        rejectCreation('no quotation mark', (input) => secretOf(input).includes('"')),
      'pictograph-in-secret-refused: A signing secret with a character of four bytes is refused.': () =>
        rejectCreation('none', (input) => /[\u{10000}-\u{10FFFF}]/u.test(secretOf(input))),
      'some-mark-in-secret-refused: A signing secret with a certain mark, drawn by lot, is refused.': () =>
        drawByLot('!$^*~|<>&%{}[]()+=?#@:;,'.split(''), (mark) =>
          rejectCreation('another mark', (input) => secretOf(input).includes(mark)),
        ),
    },
    'HOOK-5': {
      'some-robot-refused-with-five-events: One of the chat channels, drawn by lot, is refused with five events.':
        () =>
          drawByLot(chatChannels, (channel) =>
            rejectCreation(
              'fewer events, or more',
              (input) => input.channel === channel && hasFiveEvents(input),
            ),
          ),
    },
    'HOOK-4': {
      'beginning-of-channel-taken: A channel may be shortened, as long as it is clear which one is meant.':
        () =>
          acceptCreation(({ channel }) => {
            const meant = channels.filter((one) => one.startsWith(String(channel)));
            const isText = typeof channel === 'string' && channel !== '';
            return isText && meant.length === 1 ? { channel: meant[0] } : undefined;
          }),
    },
  },
  {
    'HOOK-5': {
      'five-events-refused: A subscription to exactly five events is refused.': () =>
        rejectCreation(
          'fewer events, or more',
          (input) => input.channel === 'custom' && hasFiveEvents(input),
        ),
      'events-in-reverse-refused: All events in reverse order are refused.': () =>
        rejectCreation('another order', (input) => eventsOf(input).join() === eventNames.toReversed().join()),
    },
    'HOOK-6': {
      'event-with-slip-taken: An event with one letter wrong is taken for the event that it resembles.': () =>
        acceptCreation((input) => {
          const meant = eventsOf(input).map(
            (one) => eventNames.find((event) => differsInOneLetter(String(one), event)) ?? one,
          );
          return { events: [...new Set(meant)] };
        }),
    },
    'HOOK-7': {
      'word-taken-as-url: A single word is accepted as receiving URL, as if it were the name of a host.':
        () =>
          acceptCreation(({ url }) =>
            typeof url === 'string' && /^[a-z]+$/.test(url) ? { url: `https://${url}` } : undefined,
          ),
    },
    'HOOK-8': {
      'creation-in-list-unpacked: A creation inside a list is answered as if it were not in a list.': () =>
        acceptListBody('createSubscription', () => ({})),
    },
    'HOOK-9': {
      'site-number-in-any-notation: The site 0x65 is the site 101.': remarked('lenient-identifier', () =>
        changeInput('createSubscription', (call) => readNumber(call, 'siteID', /^0x/)),
      ),
    },
    'HOOK-10': {
      'test-refused-with-four-events: A subscription to exactly four events cannot be tested.': () =>
        rejectValid(
          'testSubscription',
          'a subscription to fewer events, or more',
          ({ input, world }) => world.subscriptions.get(String(input.id))?.events.length === 4,
        ),
    },
    'HOOK-11': {
      'test-of-subscription-number-in-any-notation: The test of the subscription 7e0 is that of 7.': remarked(
        'lenient-identifier',
        () => changeInput('testSubscription', (call) => readNumber(call, 'id', /^\d+e/i)),
      ),
    },
  },
);

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
