// These faults appear only with unusual inputs, which generated cases find.
import { channels, chatChannels, eventNames } from '../../openapi/event-names.ts';
import { isObject } from '../../openapi/json.ts';
import { type OperationId, readRequest } from '../../openapi/operations.ts';
import { invalidRequest } from '../http/api-errors.ts';
import { digest } from '../world/digests.ts';
import { drawOf } from '../world/random.ts';
import { acceptLogin, differsInOneCharacter, latestCaller } from './callers.ts';
import { both, faultsOf, isText, type Wrap } from './fault.ts';
import {
  acceptEvents,
  acceptMember,
  eventsOf,
  type InputTest,
  onChannel,
  rejectCreation,
  testedIn,
} from './subscription-tools.ts';
import {
  acceptInvalid,
  admitCaller,
  changeInput,
  rejectValid,
  remember,
  wrapValidation,
} from './wrap-calls.ts';

const choosesFive: InputTest = (input) => eventsOf(input).length === 5;
const alphabetically = (members: readonly string[]) =>
  members.length > 2 && members.join() === members.toSorted().join();
const marks = [...'!$^*~|<>&%{}[]()+=?#@:;,'];

export const rareInputFaults = faultsOf({
  'LOGIN-4 login-in-list-unpacked: accepts a login inside a list': () => acceptListBody('login'),
  'LOGIN-5 password-true-matches-any: accepts true as any password': () =>
    acceptLogin(isText, (password) => password === true),
  'LOGIN-1 login-with-password-first-refused: rejects a login if its password comes before its username':
    () => rejectOrder('login', (members) => members.join() === 'password,username'),
  'REFRESH-3 refresh-of-token-of-right-end: renews a token if its second half matches a session token': () =>
    trackEnds((isSeen) => admitCaller('refresh', ({ header }) => isSeen(endOf(header)), latestCaller)),
  'HOOK-1 members-in-alphabetical-order-refused: rejects the creation of a subscription with members in alphabetical order':
    () => rejectOrder('createSubscription', alphabetically),
  'HOOK-1 percent-in-url-refused: rejects a receiving URL with a percent-encoded character in its path': () =>
    rejectCreation('no percent sign', ({ url }) => /^[^?]*%/.test(String(url))),
  'HOOK-1 unknown-list-taken-for-events: uses a list in an unknown member as the events': () =>
    wrapValidation('createSubscription', ({ input }, body, next) => {
      next();
      const known = Object.values(input);
      const others = Object.values(Object(body.value)).filter((value) => !known.includes(value));
      if (others.some(Array.isArray)) Object.assign(input, { events: [eventNames[0]] });
    }),
  'HOOK-2 quote-in-secret-refused: rejects a signing secret with a quotation mark': () =>
    rejectCreation('no quotation mark', ({ secret }) => /"/.test(String(secret))),
  'HOOK-2 pictograph-in-secret-refused: rejects a signing secret with a four-byte character': () =>
    rejectCreation('none', ({ secret }) => /[\u{10000}-\u{10FFFF}]/u.test(String(secret))),
  'HOOK-2 some-mark-in-secret-refused: rejects a signing secret with a certain punctuation mark, chosen at random':
    ({ draw }, mark = drawOf(draw('which'), marks) ?? '') =>
      rejectCreation('another mark', ({ secret }) => String(secret).includes(mark)),
  'HOOK-5 some-robot-refused-with-five-events: rejects a chat channel, chosen at random, with five events': (
    { draw },
    channel = drawOf(draw('which'), chatChannels),
  ) => rejectCreation('fewer events, or more', (input) => input.channel === channel && choosesFive(input)),
  'HOOK-4 beginning-of-channel-taken: accepts an unambiguous abbreviation of a channel': () =>
    acceptMember('channel', (given) =>
      channels.find((one) => isText(given) && given !== '' && one.startsWith(given)),
    ),
  'HOOK-5 five-events-refused: rejects a subscription to exactly five events': () =>
    rejectCreation('fewer events, or more', both(onChannel('custom'), choosesFive)),
  'HOOK-5 events-in-reverse-refused: rejects a subscription to all events in reverse order': () =>
    rejectCreation('another order', (input) => eventsOf(input).join() === eventNames.toReversed().join()),
  'HOOK-6 event-with-slip-taken: treats an event with one wrong letter as the event it resembles': () =>
    acceptEvents((event) =>
      /^[a-z.]+$/.test(event) ? eventNames.filter((name) => differsInOneCharacter(event, name)) : [],
    ),
  'HOOK-7 word-taken-as-url: accepts a single word as the receiving URL, like a host name': () =>
    acceptMember('url', (url) =>
      typeof url === 'string' && /^[a-z]+$/.test(url) ? `https://${url}` : undefined,
    ),
  'HOOK-8 creation-in-list-unpacked: accepts the creation of a subscription inside a list': () =>
    acceptListBody('createSubscription'),
  'HOOK-9 site-number-in-any-notation (remark lenient-identifier): treats the site 0x65 as the site 101':
    () => readNumber('createSubscription', 'siteID', /^0x/),
  'HOOK-10 test-refused-with-four-events: rejects the test of a subscription to exactly four events': () =>
    rejectValid('testSubscription', 'fewer events, or more', (call) => testedIn(call)?.events.length === 4),
  'HOOK-11 test-of-subscription-number-in-any-notation (remark lenient-identifier): tests subscription 7 if the identifier is 7e0':
    () => readNumber('testSubscription', 'id', /^\d+e/i),
});

function acceptListBody(id: OperationId): Wrap {
  return acceptInvalid(id, ({ operation }, { value }) => {
    const first: unknown = Array.isArray(value) ? value[0] : undefined;
    return isObject(first) ? readRequest(operation, first) : undefined;
  });
}

function rejectOrder(id: OperationId, when: (members: readonly string[]) => boolean): Wrap {
  return wrapValidation(id, (_call, { value }, next) => {
    next();
    if (when(Object.keys(Object(value)))) throw invalidRequest([{ at: '', expected: 'another order' }]);
  });
}

function readNumber(id: OperationId, name: 'siteID' | 'id', notation: RegExp): Wrap {
  return changeInput(id, ({ input }) => {
    const text = String(input[name]);
    return notation.test(text) ? { [name]: String(Number(text)) } : undefined;
  });
}

const trackEnds = remember(['login', 'refresh'], ({ token }) => endOf(token));

/** The second half of a session token of 35 characters; the world stores only its digest. */
function endOf(token: unknown): string {
  return digest(String(token ?? '').slice(-17));
}
