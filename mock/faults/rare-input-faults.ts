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
  'LOGIN-4 login-in-list-unpacked: A list with a login in it is accepted as the login.': () =>
    acceptListBody('login'),
  'LOGIN-5 password-true-matches-any: The password true matches any password.': () =>
    acceptLogin(isText, (password) => password === true),
  'LOGIN-1 login-with-password-first-refused: A login is rejected if its password comes before its username.':
    () => rejectOrder('login', (members) => members.join() === 'password,username'),
  'REFRESH-3 refresh-of-token-of-right-end: A token is renewed if its second half matches a session token.':
    () => trackEnds((isSeen) => admitCaller('refresh', ({ header }) => isSeen(endOf(header)), latestCaller)),
  'HOOK-1 members-in-alphabetical-order-refused: Creating a subscription fails if its members are in alphabetical order.':
    () => rejectOrder('createSubscription', alphabetically),
  'HOOK-1 percent-in-url-refused: A receiving URL with a percent-encoded character in its path is rejected.':
    () => rejectCreation('no percent sign', ({ url }) => /^[^?]*%/.test(String(url))),
  'HOOK-1 unknown-list-taken-for-events: A list in an unknown member is used as the events.': () =>
    wrapValidation('createSubscription', ({ input }, body, next) => {
      next();
      const known = Object.values(input);
      const others = Object.values(Object(body.value)).filter((value) => !known.includes(value));
      if (others.some(Array.isArray)) Object.assign(input, { events: [eventNames[0]] });
    }),
  'HOOK-2 quote-in-secret-refused: A signing secret with a quotation mark is rejected.': () =>
    rejectCreation('no quotation mark', ({ secret }) => /"/.test(String(secret))),
  'HOOK-2 pictograph-in-secret-refused: A signing secret with a four-byte character is rejected.': () =>
    rejectCreation('none', ({ secret }) => /[\u{10000}-\u{10FFFF}]/u.test(String(secret))),
  'HOOK-2 some-mark-in-secret-refused: A signing secret with a certain punctuation mark, chosen at random, is rejected.':
    ({ draw }, mark = drawOf(draw('which'), marks) ?? '') =>
      rejectCreation('another mark', ({ secret }) => String(secret).includes(mark)),
  'HOOK-5 some-robot-refused-with-five-events: One of the chat channels, chosen at random, is rejected with five events.':
    ({ draw }, channel = drawOf(draw('which'), chatChannels)) =>
      rejectCreation('fewer events, or more', (input) => input.channel === channel && choosesFive(input)),
  'HOOK-4 beginning-of-channel-taken: An unambiguous abbreviation of a channel is accepted.': () =>
    acceptMember('channel', (given) =>
      channels.find((one) => isText(given) && given !== '' && one.startsWith(given)),
    ),
  'HOOK-5 five-events-refused: A subscription to exactly five events is rejected.': () =>
    rejectCreation('fewer events, or more', both(onChannel('custom'), choosesFive)),
  'HOOK-5 events-in-reverse-refused: All events in reverse order are rejected.': () =>
    rejectCreation('another order', (input) => eventsOf(input).join() === eventNames.toReversed().join()),
  'HOOK-6 event-with-slip-taken: An event with one wrong letter is treated as the event that it resembles.':
    () =>
      acceptEvents((event) =>
        /^[a-z.]+$/.test(event) ? eventNames.filter((name) => differsInOneCharacter(event, name)) : [],
      ),
  'HOOK-7 word-taken-as-url: A single word is accepted as the receiving URL, as if it were a host name.':
    () =>
      acceptMember('url', (url) =>
        typeof url === 'string' && /^[a-z]+$/.test(url) ? `https://${url}` : undefined,
      ),
  'HOOK-8 creation-in-list-unpacked: A list with a creation in it is accepted as the creation.': () =>
    acceptListBody('createSubscription'),
  'HOOK-9 site-number-in-any-notation (remark lenient-identifier): The site 0x65 is treated as the site 101.':
    () => readNumber('createSubscription', 'siteID', /^0x/),
  'HOOK-10 test-refused-with-four-events: A subscription to exactly four events cannot be tested.': () =>
    rejectValid('testSubscription', 'fewer events, or more', (call) => testedIn(call)?.events.length === 4),
  'HOOK-11 test-of-subscription-number-in-any-notation (remark lenient-identifier): Testing the subscription 7e0 tests the subscription 7.':
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
