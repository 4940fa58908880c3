import { expect, test } from 'vitest';
import type { RobotSettings } from '../../world/entries.ts';
import { answerAsRobot } from './robot-answer.ts';
import { callOf, calls, now } from './testing.ts';

type CallOptions = Parameters<typeof callOf>[1];

function answerTo(message: unknown, options?: CallOptions) {
  const { status, headers, body } = answerAsRobot('feishu', callOf(message, options));
  expect({ status, headers }).toEqual({ status: 200, headers: { 'content-type': 'application/json' } });
  const { code, data, msg } = JSON.parse(body);
  expect(data).toEqual({});
  return `${code} ${msg}`;
}

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

test.each<[string, unknown, CallOptions, string]>([
  ['without a hook where any will do', fine, {}, accepted],
  ['with a hook where any will do', fine, { path: '/x' }, accepted],
  ['with the right hook', fine, { path: `/bot/v2/hook/${token}?x=/y`, settings: { token } }, accepted],
  ['without the hook', fine, { settings: { token } }, unknownHook],
  ['with a wrong hook', fine, wrongHook, unknownHook],
  ['with a wrong hook and too often', fine, { ...wrongHook, state: full() }, unknownHook],
  ['with a wrong hook and no JSON', '', wrongHook, unknownHook],
  ['the 5th in a second', fine, { state: { times: calls(4) } }, accepted],
  ['the 6th in a second', fine, { state: full() }, tooOften],
  ['the 6th on a stopped clock', fine, { state: full(), isClockStill: true }, accepted],
  ['the 6th in a second, no JSON', '', { state: full() }, tooOften],
  ['the 6th as the second ends', fine, { state: full(), now: now + 1000 }, accepted],
  ['the 100th in a minute', fine, { state: { times: calls(99) }, now: now + 30_000 }, accepted],
  ['the 101st in a minute', fine, { state: { times: calls(100) }, now: now + 59_999 }, tooOften],
  ['the 101st as the minute ends', fine, { state: { times: calls(100) }, now: now + 60_000 }, accepted],
  ['an empty body', '', {}, badRequest],
  ['no JSON', '{"msg_type":', {}, badRequest],
  ['no UTF-8', Buffer.from('{"msg_type":"\xff"}', 'latin1'), {}, badRequest],
  ['a list', [fine], {}, badRequest],
  ['too long', tooLong, {}, badRequest],
  ['too long, not signed', tooLong, { settings: { signSecret: 's' } }, badRequest],
  ['not signed, no type', {}, { settings: { signSecret: 's' } }, signFailed],
  ['no type', { content: { text: 'x' } }, {}, noType],
  ['WeCom’s name for the type', { msgtype: 'text', text: { content: 'x' } }, {}, noType],
  ['another product’s type', { ...fine, msg_type: 'markdown' }, {}, noType],
  ['a type that every object has', { ...fine, msg_type: 'constructor' }, {}, noType],
  ['no type and no keyword', {}, keywords, noType],
  ['wrong content and no keyword', { msg_type: 'text' }, keywords, wrongContent],
  ['no keyword', fine, keywords, noKeyword],
  ['a keyword', { msg_type: 'text', content: { text: 'no fire' } }, keywords, accepted],
  ['of no Content-Type', fine, { headers: {} }, accepted],
])('%s', (_case, message, options, want) => {
  expect(answerTo(message, options)).toBe(want);
});

test.each(['GET', 'PUT'])('%s finds no page, whatever the hook', (method) => {
  expect(answerAsRobot('feishu', callOf(fine, { ...wrongHook, method }))).toEqual({
    status: 404,
    headers: { 'content-type': 'text/plain' },
    body: '404 page not found',
  });
});

test('success has the old members too', () => {
  expect(answerAsRobot('feishu', callOf(fine)).body).toBe(
    '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}',
  );
});

test('a message of 20480 bytes is the longest', () => {
  const message = (text: string) => JSON.stringify({ msg_type: 'text', content: { text } });
  const room = 20_480 - Buffer.byteLength(message(''));
  expect(answerTo(message('a'.repeat(room)))).toBe(accepted);
  expect(answerTo(message(`${'a'.repeat(room - 2)}栞`))).toBe(badRequest);
});

// What is refused stands in the table of openapi/robots/testing.
test.each<[string, object, string]>([
  ['a number for the text', { msg_type: 'text', content: { text: 1 } }, wrongContent],
  ['a post without lines', { msg_type: 'post', content: { post: { zh_cn: {} } } }, wrongContent],
  ['a card without elements', { msg_type: 'interactive', card: { header: {} } }, wrongCard],
  ['a card in the place of content', { msg_type: 'interactive', content: { elements: [] } }, wrongCard],
])('%s', (_case, message, want) => {
  expect(answerTo(message)).toBe(want);
});

const sign = 'Jp33/xXhCipDEpjyHvEyc7mRSyXWHbNz6J8+C3qQKNo=';
const byDingtalk = 'jgNfhdY7jgRFosZj9wqAeWu0PMpOjkNkuRWjtbFrHlM=';
const signedAt = 1_700_000_000_000;

test.each<[string, object, number, string]>([
  ['right', { timestamp: '1700000000', sign }, signedAt, accepted],
  ['with a number', { timestamp: 1_700_000_000, sign }, signedAt, accepted],
  ['too old', { timestamp: '1700000000', sign }, signedAt + 3_601_000, signFailed],
  ['by DingTalk’s formula', { timestamp: '1700000000', sign: byDingtalk }, signedAt, signFailed],
  ['in the content', { content: { text: 'x', timestamp: '1700000000', sign } }, signedAt, signFailed],
])('a sign: %s', (_case, parts, time, want) => {
  expect(answerTo({ ...fine, ...parts }, { settings: { signSecret: 'mysecret' }, now: time })).toBe(want);
});

test('a sign in the query is ignored', () => {
  const path = `?timestamp=1700000000&sign=${encodeURIComponent(sign)}`;
  expect(answerTo(fine, { path, settings: { signSecret: 'mysecret' }, now: signedAt })).toBe(signFailed);
});

test.each<RobotSettings>([{ token: 'secret' }, { signSecret: 'secret' }, { keywords: ['secret'] }])(
  'a refusal does not repeat the setting: %j',
  (settings) => {
    expect(answerTo(fine, { settings })).not.toContain('secret');
  },
);
