import { expect, test } from 'vitest';
import { exchangeOf } from '../../testing.ts';
import { hintedNames } from './hints.ts';
import { findField, findNeededName, namesForField, spellLike } from './likely.ts';

test.for<[what: string, refusal: object, sure: readonly string[]]>([
  ['a sentence', { message: 'CallbackUrl is required' }, ['CallbackUrl']],
  ['several sentences', { message: 'url: must be a URL\nevents: is missing' }, ['url', 'events']],
  ['quotes, and a path', { message: 'missing “body.events”' }, ['events']],
  ['a dotted path in a sentence', { message: 'body.callbackUrl: field required' }, ['callbackUrl']],
  ['Chinese', { message: '参数 notifyUrl 不能为空' }, ['notifyUrl']],
  ['a member field', { message: 'bad request', data: { field: 'hookAddress' } }, ['hookAddress']],
  ['a path into the body', { data: { path: ['body', 'items', 0, 'channel'] } }, ['channel']],
  ['a map of errors', { errors: { '/events/0': ['is required'] } }, ['events']],
  ['a list of errors', { errors: [{ param: 'secret' }, { param: 'channel' }] }, ['secret', 'channel']],
  ['a template', { message: 'field is required' }, []],
])('finds sure names: %s', ([, refusal, sure]) => {
  const hinted = hintedNames(exchangeOf({ code: 40002, trace_id: 't1', ...refusal }, { status: 400 }));
  expect(hinted.sure).toEqual(sure);
});

test('finds possible names', () => {
  const { sure, possible } = hintedNames(
    exchangeOf({ code: 40002, message: 'no url given' }, { status: 400 }),
  );
  expect({ sure, isPossible: possible.includes('url') }).toEqual({ sure: [], isPossible: true });
});

test.for([
  ['a success', 200, 0],
  ['a failure', 503, 50_300],
  ['too many calls', 429, 42_900],
] as const)('finds no name in %s', ([, status, code]) => {
  const hinted = hintedNames(exchangeOf({ code, message: 'url is required' }, { status }));
  expect(hinted).toEqual({ sure: [], possible: [] });
});

test.for([
  ['CALLBACK_URL', ['TARGET_URL', 'EVENTS', 'target_url', 'events']],
  ['callback-url', ['target-url', 'events', 'target_url']],
  ['CallbackUrl', ['TargetUrl', 'Events', 'target_url', 'events']],
  ['callbackUrl', ['target_url', 'events']],
] as const)('spells names like %s', ([example, spelt]) => {
  expect(spellLike(['target_url', 'events'], example)).toEqual(spelt);
});

test('assigns each name to one field', () => {
  const names = ['hookSecret', 'notifyUrl', 'event_type', 'robotKind', 'title'];
  const fields = ['url', 'events', 'channel', 'secret'] as const;
  expect(fields.map((field) => namesForField(field, names))).toEqual([
    ['notifyUrl'],
    ['event_type'],
    ['robotKind'],
    ['hookSecret'],
  ]);
});

test.for<
  [what: string, answer: (some: readonly string[]) => boolean | undefined, found: unknown, tried: string[]]
>([
  ['finds the needed name', (some) => some.includes('d'), 'd', ['abc', 'd']],
  ['stops after an answer without meaning', () => undefined, undefined, ['abc']],
])('halving names: %s', async ([, answer, found, wanted]) => {
  const tried: string[] = [];
  const passes = async (some: readonly string[]) => {
    tried.push(some.join(''));
    return answer(some);
  };
  expect(await findNeededName(['a', 'b', 'c', 'd', 'e'], passes)).toBe(found);
  expect(tried).toEqual(wanted);
});

test('searches the names of a refusal first, then common names', async () => {
  const refusal = { sure: ['Event'], possible: ['the', 'Session'] };
  const search = { isLikely: (name: string) => name !== 'the', likely: ['access_token', 'token'] };
  const needing = (wanted: string) => async (names: readonly string[]) => names.includes(wanted);
  expect(await findField(refusal, search, needing('Session'))).toBe('Session');
  expect(await findField(refusal, search, needing('AccessToken'))).toBe('AccessToken');
  expect(await findField(refusal, search, needing('jwt'))).toBeUndefined();
});
