import { expect, test } from 'vitest';
import type { RobotSettings } from '../../world/entries.ts';
import { answerAsRobot } from './robot-answer.ts';
import { answerTo, type CallOptions, callOf, calls, now } from './testing.ts';

const fine = { msg_type: 'text', content: { text: 'all is well' } };
const accepted = '0 success';
const unknownHook = '19001 param invalid: incoming webhook access token invalid';
const tooOften = '11232 frequency limited psm[lark.oapi.app_platform_runtime]appID[1500]';
const badRequest = '9499 Bad Request';
const signFailed = '19021 sign match fail or timestamp is not within one hour from current time';
const noType = '19002 params error, msg_type need';
const wrongContent = '19002 params error, unknown content value';
const wrongCard = '19002 params error, unknown card value';
const noKeyword = '19024 Key Words Not Found';

const token = 'secret-hook';
const wrongHook = { path: '/secret-hooc', settings: { token } };
const full = () => ({ times: calls(5) });
const keywords = { settings: { keywords: ['fire'] } };
const tooLong = { ...fine, x: 'a'.repeat(20_480) };

const signature = { timestamp: '1700000000', sign: 'Jp33/xXhCipDEpjyHvEyc7mRSyXWHbNz6J8+C3qQKNo=' };
const signedQuery = `?${new URLSearchParams(signature)}`;
const signing = { settings: { signSecret: 'mysecret' }, now: 1_700_000_000_000 };

// Which messages are refused stands in the table of openapi/robots/testing (see robots.test.ts): here is how that is worded.
test.each<[string, unknown, CallOptions, string]>([
  ['with a hook where any will do', fine, { path: '/x' }, accepted],
  ['with the right hook', fine, { path: `/bot/v2/hook/${token}?x=/y`, settings: { token } }, accepted],
  ['without the hook', fine, { settings: { token } }, unknownHook],
  ['with a wrong hook', fine, wrongHook, unknownHook],
  ['with a wrong hook and too often', fine, { ...wrongHook, state: full() }, unknownHook],
  ['with a wrong hook and no JSON', '', wrongHook, unknownHook],
  ['the 5th in a second', fine, { state: { times: calls(4) } }, accepted],
  ['the 6th in a second, no JSON', '', { state: full() }, tooOften],
  ['the 6th on a stopped clock', fine, { state: full(), isClockStill: true }, accepted],
  ['the 100th in a minute', fine, { state: { times: calls(99) }, now: now + 30_000 }, accepted],
  ['the 101st in a minute', fine, { state: { times: calls(100) }, now: now + 59_999 }, tooOften],
  ['no JSON', '', {}, badRequest],
  ['too long, not signed', tooLong, { settings: { signSecret: 's' } }, badRequest],
  ['not signed, no type', {}, { settings: { signSecret: 's' } }, signFailed],
  ['a type that every object has', { ...fine, msg_type: 'constructor' }, {}, noType],
  ['no type and no keyword', {}, keywords, noType],
  ['wrong content and no keyword', { msg_type: 'text' }, keywords, wrongContent],
  ['a card in the place of content', { msg_type: 'interactive', content: {} }, {}, wrongCard],
  ['no keyword', fine, keywords, noKeyword],
  ['a keyword', { msg_type: 'text', content: { text: 'no fire' } }, keywords, accepted],
  ['signed', { ...fine, ...signature }, signing, accepted],
  ['signed in the content', { ...fine, content: { text: 'x', ...signature } }, signing, signFailed],
  ['signed in the query', fine, { ...signing, path: signedQuery }, signFailed],
])('%s', (_case, message, options, want) => {
  expect(answerTo('feishu', message, options)).toBe(want);
});

test('GET finds no page, whatever the hook', () => {
  expect(answerAsRobot('feishu', callOf(fine, { ...wrongHook, method: 'GET' }))).toEqual({
    status: 404,
    headers: { 'content-type': 'text/plain' },
    body: '404 page not found',
  });
});

test.each<RobotSettings>([{ token: 'secret' }, { signSecret: 'secret' }, { keywords: ['secret'] }])(
  'a refusal does not repeat the setting: %j',
  (settings) => {
    expect(answerTo('feishu', fine, { settings })).not.toContain('secret');
  },
);
