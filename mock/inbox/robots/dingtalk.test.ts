import { expect, test } from 'vitest';
import type { RobotSettings } from '../../world/entries.ts';
import { answerAsRobot } from './robot-answer.ts';
import { callOf, calls, now } from './testing.ts';

type CallOptions = Parameters<typeof callOf>[1];

function answerTo(message: unknown, options?: CallOptions) {
  const { status, headers, body } = answerAsRobot('dingtalk', callOf(message, options));
  expect({ status, headers }).toEqual({ status: 200, headers: { 'content-type': 'application/json' } });
  const { errcode, errmsg } = JSON.parse(body);
  return `${errcode} ${errmsg}`;
}

const fine = { msgtype: 'text', text: { content: 'all is well' } };
const accepted = '0 ok';
const notPosted = '43002 需要POST请求';
const noToken = '40035 缺少参数 access_token';
const unknownToken = '300005 token is not exist';
const tooOften = '660026 sending too many messages per minute';
const notJson = '43004 无效的HTTP HEADER Content-Type';
const noObject = '40035 缺少参数 json';
const wrongType = '400105 不支持的消息类型';
const tooLong = '460101 message too long, exceed 20000 bytes';

const token = 'secret-token';
const needsToken = { settings: { token } };
const full = () => ({ times: calls(20) });
const withKeyword = { keywords: ['alarm', 'fire'] };
const wrongToken = { path: '?access_token=secret-tokem', ...needsToken };
const long = 'a'.repeat(20_000);

test.each<[string, unknown, CallOptions, string]>([
  ['without a token where any will do', fine, {}, accepted],
  ['with a token where any will do', fine, { path: '?access_token=x' }, accepted],
  ['with the right token', fine, { path: `/robot/send?access_token=${token}`, ...needsToken }, accepted],
  ['a GET', fine, { method: 'GET' }, notPosted],
  ['a GET without a token', fine, { method: 'GET', ...needsToken }, notPosted],
  ['without the token', fine, needsToken, noToken],
  ['with an empty token', fine, { path: '?access_token=', ...needsToken }, noToken],
  ['without the token, too often', fine, { ...needsToken, state: full() }, noToken],
  ['the 20th in a minute', fine, { state: { times: calls(19) } }, accepted],
  ['the 21st in a minute', fine, { state: full() }, tooOften],
  ['the 21st as the minute ends', fine, { state: full(), now: now + 60_000 }, accepted],
  ['the 21st, with a wrong token', fine, { ...wrongToken, state: full() }, tooOften],
  ['with a wrong token', fine, wrongToken, unknownToken],
  ['with a wrong token, no JSON', '', { ...wrongToken, headers: {} }, unknownToken],
  ['with a charset', fine, { headers: { 'content-type': 'Application/JSON; charset=utf-8' } }, accepted],
  ['as a form', fine, { headers: { 'content-type': 'text/plain' } }, notJson],
  ['of no type', fine, { headers: {} }, notJson],
  ['of no type, no JSON', '', { headers: {} }, notJson],
  ['an empty body', '', {}, noObject],
  ['no JSON', '{"msgtype":"text","text":{"content":"\\D"}}', {}, noObject],
  ['no UTF-8', Buffer.from('{"msgtype":"\xff"}', 'latin1'), {}, noObject],
  ['a list', [fine], {}, noObject],
  ['no JSON, no sign', '', { settings: { signSecret: 's' } }, noObject],
  ['a keyword', { msgtype: 'text', text: { content: 'no fire' } }, { settings: withKeyword }, accepted],
  ['no type', { text: { content: 'x' } }, {}, wrongType],
  ['Feishu’s name for the type', { ...fine, msgtype: undefined, msg_type: 'text' }, {}, wrongType],
  ['another product’s type', { msgtype: 'image', image: {} }, {}, wrongType],
  ['a type that every object has', { msgtype: 'toString' }, {}, wrongType],
  ['an unknown type, too long', { msgtype: 'x', x: long }, {}, wrongType],
  ['too long, with nothing to say', { msgtype: 'text', x: long }, {}, tooLong],
  ['nothing to say', { msgtype: 'text' }, {}, '40035 缺少参数 text.content'],
])('%s', (_case, message, options, want) => {
  expect(answerTo(message, options)).toBe(want);
});

test('a message of 20000 bytes is the longest, counted as sent', () => {
  const message = (content: string) => JSON.stringify({ msgtype: 'text', text: { content } });
  const room = 20_000 - Buffer.byteLength(message(''));
  expect(answerTo(message('a'.repeat(room)))).toBe(accepted);
  expect(answerTo(message(`${'a'.repeat(room - 2)}栞`))).toBe(tooLong);
  expect(answerTo(`${message('a'.repeat(room))} `)).toBe(tooLong);
});

// What is missing where stands in the table of openapi/robots/testing.
test.each<[string, unknown, string]>([
  ['markdown', { title: 't', content: 'x' }, 'markdown.text'],
  ['feedCard', { links: [null] }, 'feedCard.links.title'],
])('%s of %j without %s', (msgtype, content, missing) => {
  expect(answerTo({ msgtype, [msgtype]: content })).toBe(`40035 缺少参数 ${missing}`);
});

const signed = 'timestamp=1700000000000&sign=MGTSynT35H3YyJy6IMPL8G%2ByYna%2BgwkBH%2F0Cd4%2Ba2hI%3D';
const signedAt = 1_700_000_000_000;
const signSecret = 'SECthis-is-secret';
const expired = 'timestamp=1600000000000&sign=x';

const wordings = {
  timestamp: ['310000 invalid timestamp', '310000 description:机器人发送签名过期;'],
  sign: [
    '310000 sign not match',
    '310000 description:机器人发送签名不匹配;solution:请确认签名和生成签名的时间戳必须都放在调用的网址中，请确认机器人的密钥加密和填写正确;',
  ],
  keyword: [
    '310000 keywords not in content',
    '310000 description:关键词不匹配;solution:请联系群管理员查看此机器人的关键词，并在发送的信息中包含此关键词;',
  ],
  none: [accepted, accepted],
};

test.each<[string, string, RobotSettings, keyof typeof wordings]>([
  ['right', signed, { signSecret }, 'none'],
  ['right, after the token', `access_token=x&${signed}`, { signSecret }, 'none'],
  ['not asked for', expired, {}, 'none'],
  ['none', '', { signSecret }, 'timestamp'],
  ['expired', expired, { signSecret }, 'timestamp'],
  ['a stale one before it', `${expired}&${signed}`, { signSecret }, 'timestamp'],
  ['no sign', 'timestamp=1700000000000', { signSecret }, 'sign'],
  ['of another secret', signed, { signSecret: 'other' }, 'sign'],
  ['not escaped', decodeURIComponent(signed), { signSecret }, 'sign'],
  ['wrong, and no keyword', 'timestamp=1700000000000', { signSecret, ...withKeyword }, 'sign'],
  ['right, but no keyword', signed, { signSecret, ...withKeyword }, 'keyword'],
  ['none, and no keyword', '', withKeyword, 'keyword'],
])('a sign: %s', (_case, query, settings, problem) => {
  const answers = (['documented', 'observed'] as const).map((wording) =>
    answerTo(fine, { path: `?${query}`, now: signedAt, settings: { ...settings, wording } }),
  );
  expect(answers).toEqual(wordings[problem]);
});

test('security comes before the content', () => {
  expect(answerTo({ msgtype: 'x' }, { settings: { ...withKeyword, wording: 'documented' } })).toBe(
    '310000 keywords not in content',
  );
});

test('a sign in headers is ignored', () => {
  const headers = { 'content-type': 'application/json', ...Object.fromEntries(new URLSearchParams(signed)) };
  const settings: RobotSettings = { signSecret, wording: 'documented' };
  expect(answerTo(fine, { headers, settings, now: signedAt })).toBe('310000 invalid timestamp');
});

test.each<[string, CallOptions, string]>([
  ['too often', { state: full() }, '410100 发送速度太快而限流'],
  ['with a wrong token', wrongToken, '400101 access_token不存在'],
])('as documented: %s', (_case, options, want) => {
  const settings: RobotSettings = { ...options?.settings, wording: 'documented' };
  expect(answerTo(fine, { ...options, settings })).toBe(want);
});

test('one message over the limit blocks the robot for ten minutes, and later ones do not prolong that', () => {
  const state = { times: calls(20) };
  for (const ms of [1000, 300_000, 600_999]) expect(answerTo(fine, { state, now: now + ms })).toBe(tooOften);
  expect(answerTo(fine, { state, now: now + 601_000 })).toBe(accepted);
  expect(state).toEqual({ times: [now + 601_000] });
});

test('no answer repeats a token or a secret', () => {
  const settings = { token, signSecret: 'secret-sign' };
  for (const path of ['', '?access_token=secret-tokem', `?access_token=${token}`])
    expect(answerTo(fine, { path, settings })).not.toMatch(/secret/);
});
