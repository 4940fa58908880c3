// Faults that appear only with inputs nobody writes by hand, and that generated cases find.
import { channels, chatChannels, eventNames } from '../../openapi/event-names.ts';
import { isObject, type Json } from '../../openapi/json.ts';
import type { OperationId } from '../../openapi/operations.ts';
import { invalidRequest } from '../http/api-errors.ts';
import type { AnyCall, Values } from '../service.ts';
import { drawBetween } from '../world/random.ts';
import { combineWraps, type Fault, type Wrap, withMemory } from './fault.ts';
import { differsInOneCharacter } from './similar-credentials.ts';
import { acceptCreation, eventsOf, rejectCreation } from './subscription-tools.ts';
import {
  admitCaller,
  changeCall,
  changeResult,
  latestCaller,
  loginAs,
  rejectValid,
  watchResult,
  withInput,
  wrapHandler,
  wrapValidation,
} from './wrap-calls.ts';

/** Each breaks its promise for few of all possible inputs. */
export const rareInputFaults: readonly Fault[] = [
  {
    id: 'login-in-list-unpacked',
    title: 'A login that stands in a list is taken out of it.',
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
    title: 'A login whose password stands before its username is refused.',
    requirement: 'LOGIN-1',
    wrap: rejectMemberOrder('login', (members) => members.join() === 'password,username'),
  },
  {
    id: 'refresh-of-token-of-right-end',
    title: 'A token whose second half is that of a session is renewed.',
    requirement: 'REFRESH-3',
    wrap: withMemory(
      () => new Set<string>(),
      (halves) =>
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
    title: 'A creation whose members stand in alphabetical order is refused.',
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
    wrap: rejectCreation((input) => /^[^?]*%/.test(String(input.url)), 'no percent sign'),
  },
  {
    id: 'unknown-list-taken-for-events',
    title: 'A list in a member that nobody knows is taken for the events.',
    requirement: 'HOOK-1',
    wrap: withMemory(
      () => new WeakSet<AnyCall>(),
      (affected) =>
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
    wrap: rejectCreation((input) => secretOf(input).includes('"'), 'no quotation mark'),
  },
  {
    id: 'pictograph-in-secret-refused',
    title: 'A signing secret with a character of four bytes is refused.',
    requirement: 'HOOK-2',
    wrap: rejectCreation((input) => /[\u{10000}-\u{10FFFF}]/u.test(secretOf(input)), 'none'),
  },
  {
    id: 'some-mark-in-secret-refused',
    title: 'A signing secret with a certain mark, drawn by lot, is refused.',
    requirement: 'HOOK-2',
    wrap: drawByLot('!$^*~|<>&%{}[]()+=?#@:;,'.split(''), (mark) =>
      rejectCreation((input) => secretOf(input).includes(mark), 'another mark'),
    ),
  },
  {
    id: 'some-robot-refused-with-five-events',
    title: 'One of the chat channels, drawn by lot, is refused with five events.',
    requirement: 'HOOK-5',
    wrap: drawByLot(chatChannels, (channel) =>
      rejectCreation(
        (input) => input.channel === channel && eventsOf(input).length === 5,
        'fewer events, or more',
      ),
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
      (input) => input.channel === 'custom' && eventsOf(input).length === 5,
      'fewer events, or more',
    ),
  },
  {
    id: 'events-in-reverse-refused',
    title: 'All events in reverse order are refused.',
    requirement: 'HOOK-5',
    wrap: rejectCreation(
      (input) => eventsOf(input).join() === eventNames.toReversed().join(),
      'another order',
    ),
  },
  {
    id: 'event-with-slip-taken',
    title: 'An event with one letter wrong is taken for the one that it is like.',
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
    title: 'A single word is taken for the name of a host, and that for a receiving URL.',
    requirement: 'HOOK-7',
    wrap: acceptCreation(({ url }) =>
      typeof url === 'string' && /^[a-z]+$/.test(url) ? { url: `https://${url}` } : undefined,
    ),
  },
  {
    id: 'creation-in-list-unpacked',
    title: 'A creation that stands in a list is answered as if it stood for itself.',
    requirement: 'HOOK-8',
    wrap: acceptListBody('createSubscription', () => ({})),
  },
  {
    id: 'site-number-in-any-notation',
    title: 'The site 0x65 is the site 101.',
    requirement: 'HOOK-9',
    wrap: changeCall('createSubscription', (call) => readNumber(call, 'siteID', /^0x/)),
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
    wrap: changeCall('testSubscription', (call) => readNumber(call, 'id', /^\d+e/i)),
  },
];

/** A fault of an item that is drawn when the fault is turned on. */
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
  return withMemory(
    () => new WeakMap<AnyCall, Json>(),
    (unpacked) =>
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

function readNumber(call: AnyCall, name: 'siteID' | 'id', notation: RegExp): AnyCall {
  const text = String(call.input[name]);
  return notation.test(text) ? withInput(call, { [name]: String(Number(text)) }) : call;
}

function secretOf({ secret }: Values): string {
  return String(secret ?? '');
}

function secondHalfOf(token: unknown): string {
  return String(token ?? '').slice(-17);
}

function differsInOneLetter(text: string, event: string): boolean {
  return /^[a-z.]+$/.test(text) && differsInOneCharacter(text, event);
}
