import { expect, test } from 'vitest';
import type { RobotSettings } from '../../world/entries.ts';
import { answerTo, type CallOptions, calls, now } from './testing.ts';

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

// Which messages are refused stands in the table of openapi/robots/testing (see robots.test.ts): here is how that is worded.
test.each<[string, unknown, CallOptions, string]>([
  ['with a token where any will do', fine, { path: '?access_token=x' }, accepted],
  ['with the right token', fine, { path: `/robot/send?access_token=${token}`, ...needsToken }, accepted],
  ['a GET without a token', fine, { method: 'GET', ...needsToken }, notPosted],
  ['with an empty token', fine, { path: '?access_token=', ...needsToken }, noToken],
  ['without the token, too often', fine, { ...needsToken, state: full() }, noToken],
  ['the 20th in a minute', fine, { state: { times: calls(19) } }, accepted],
  ['the 21st, with a wrong token', fine, { ...wrongToken, state: full() }, tooOften],
  ['with a wrong token, no JSON', '', { ...wrongToken, headers: {} }, unknownToken],
  ['of no type, no JSON', '', { headers: {} }, notJson],
  ['no JSON, no sign', '', { settings: { signSecret: 's' } }, noObject],
  ['a keyword', { msgtype: 'text', text: { content: 'no fire' } }, { settings: withKeyword }, accepted],
  ['a type that every object has', { msgtype: 'toString' }, {}, wrongType],
  ['an unknown type, too long', { msgtype: 'x', x: long }, {}, wrongType],
  ['too long, with nothing to say', { msgtype: 'text', x: long }, {}, tooLong],
  ['nothing to say', { msgtype: 'text' }, {}, '40035 缺少参数 text.content'],
])('%s', (_case, message, options, want) => {
  expect(answerTo('dingtalk', message, options)).toBe(want);
});

const signed = 'timestamp=1700000000000&sign=MGTSynT35H3YyJy6IMPL8G%2ByYna%2BgwkBH%2F0Cd4%2Ba2hI%3D';
const signedAt = 1_700_000_000_000;
const signSecret = 'SECthis-is-secret';
const expired = 'timestamp=1600000000000&sign=x';
const inHeaders = { 'content-type': 'application/json', ...Object.fromEntries(new URLSearchParams(signed)) };

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
  ['right, after the token', `access_token=x&${signed}`, { signSecret }, 'none'],
  ['not asked for', expired, {}, 'none'],
  ['in headers alone', '', { signSecret }, 'timestamp'],
  ['a stale one before it', `${expired}&${signed}`, { signSecret }, 'timestamp'],
  ['not escaped', decodeURIComponent(signed), { signSecret }, 'sign'],
  ['wrong, and no keyword', 'timestamp=1700000000000', { signSecret, ...withKeyword }, 'sign'],
  ['right, but no keyword', signed, { signSecret, ...withKeyword }, 'keyword'],
])('a sign: %s', (_case, query, settings, problem) => {
  const answers = (['documented', 'observed'] as const).map((wording) =>
    answerTo('dingtalk', fine, {
      ...{ path: `?${query}`, headers: inHeaders, now: signedAt },
      settings: { ...settings, wording },
    }),
  );
  expect(answers).toEqual(wordings[problem]);
});

test.each<[string, unknown, CallOptions, string]>([
  ['too often', fine, { state: full() }, '410100 发送速度太快而限流'],
  ['with a wrong token', fine, wrongToken, '400101 access_token不存在'],
  ['no keyword, and no type', {}, { settings: withKeyword }, '310000 keywords not in content'],
])('as documented: %s', (_case, message, options, want) => {
  const settings: RobotSettings = { ...options.settings, wording: 'documented' };
  expect(answerTo('dingtalk', message, { ...options, settings })).toBe(want);
});

test('one message over the limit blocks the robot for ten minutes, and later ones do not prolong that', () => {
  const state = full();
  for (const ms of [1000, 300_000, 600_999])
    expect(answerTo('dingtalk', fine, { state, now: now + ms })).toBe(tooOften);
  expect(answerTo('dingtalk', fine, { state, now: now + 601_000 })).toBe(accepted);
  expect(state).toEqual({ times: [now + 601_000] });
});

test('no answer repeats a token or a secret', () => {
  const settings = { token, signSecret: 'secret-sign' };
  for (const path of ['', '?access_token=secret-tokem', `?access_token=${token}`])
    expect(answerTo('dingtalk', fine, { path, settings })).not.toMatch(/secret/);
});
