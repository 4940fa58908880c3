import { expect, test } from 'vitest';
import type { RobotSettings } from '../../world/world.ts';
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
  [
    'with the right hook',
    fine,
    { path: `/open-apis/bot/v2/hook/${token}?x=/y`, settings: { token } },
    accepted,
  ],
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

const post = (...nodes: unknown[]) => ({ post: { zh_cn: { title: 't', content: [nodes] } } });

test.each<[string, string, unknown, string]>([
  ['text', 'text', { text: 'x' }, accepted],
  ['empty text', 'text', { text: '' }, wrongContent],
  ['a number', 'text', { text: 1 }, wrongContent],
  ['text that is not in an object', 'text', 'x', wrongContent],
  ['nothing', 'text', undefined, wrongContent],
  [
    'text, a link, a person',
    'post',
    post({ tag: 'text', text: '' }, { tag: 'a', text: 'x', href: 'u' }, { tag: 'at', user_id: 'all' }),
    accepted,
  ],
  [
    'an image and an empty line',
    'post',
    { post: { en_us: { content: [[{ tag: 'img', image_key: 'i' }], []] } } },
    accepted,
  ],
  ['in another language', 'post', { post: { ja_jp: { content: [[]] } } }, wrongContent],
  ['in two, one of them wrong', 'post', { post: { ...post().post, en_us: {} } }, wrongContent],
  ['no lines', 'post', { post: { zh_cn: { title: 't', content: [] } } }, wrongContent],
  [
    'lines that are no lists',
    'post',
    { post: { zh_cn: { content: [{ tag: 'text', text: 'x' }] } } },
    wrongContent,
  ],
  ['a line that is none', 'post', { post: { zh_cn: { content: [[], 'x'] } } }, wrongContent],
  ['no post', 'post', { zh_cn: { content: [[]] } }, wrongContent],
  ['styled text', 'post', post({ tag: 'text', text: 'x', style: ['bold'] }), wrongContent],
  ['escaped text', 'post', post({ tag: 'text', text: 'x', un_escape: true }), accepted],
  ['no text', 'post', post({ tag: 'text' }), wrongContent],
  ['a link to nowhere', 'post', post({ tag: 'a', text: 'x' }), wrongContent],
  ['nobody', 'post', post({ tag: 'at' }), wrongContent],
  ['no image in a post', 'post', post({ tag: 'img' }), wrongContent],
  ['an unknown node', 'post', post({ tag: 'video' }), wrongContent],
  ['a node that is none', 'post', post(null), wrongContent],
  ['an image', 'image', { image_key: 'i' }, accepted],
  ['no image', 'image', { key: 'i' }, wrongContent],
  ['a group', 'share_chat', { share_chat_id: 'oc_x' }, accepted],
  ['no group', 'share_chat', {}, wrongContent],
])('%s (%s)', (_case, msg_type, content, want) => {
  expect(answerTo({ msg_type, content })).toBe(want);
});

const element = { tag: 'markdown', content: 'x' };

test.each<[string, object, string]>([
  ['of the older form', { card: { elements: [element] } }, accepted],
  ['of schema 2.0', { card: { schema: '2.0', body: { elements: [element] } } }, accepted],
  ['by a template', { card: { type: 'template', data: { template_id: 'AAq' } } }, accepted],
  ['in the place of content', { content: { elements: [element] } }, wrongCard],
  ['as text', { card: JSON.stringify({ elements: [element] }) }, wrongCard],
  ['no elements', { card: { header: {} } }, wrongCard],
  ['an empty list of elements', { card: { elements: [] } }, wrongCard],
  ['an element without a tag', { card: { elements: [element, {}] } }, wrongCard],
  ['schema 2.0 in the older form', { card: { schema: '2.0', elements: [element] } }, wrongCard],
  ['no template', { card: { type: 'template', data: {} } }, wrongCard],
])('a card: %s', (_case, parts, want) => {
  expect(answerTo({ msg_type: 'interactive', ...parts })).toBe(want);
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
