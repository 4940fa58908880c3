import { expect, test } from 'vitest';
import { exchangeOf } from '../../testing.ts';
import { hintedNames } from './hints.ts';

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
