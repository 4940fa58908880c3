// The signatures were computed with the vendors' formulas, independent of the code under test.
import { describe, expect, test } from 'vitest';
import type { Robot } from '../../../openapi/event-names.ts';
import type { Profile } from '../../../openapi/profile.ts';
import { pushOf } from '../../../openapi/robots/testing/robot-message.ts';
import { robotMessages } from '../../../openapi/robots/testing/robot-messages.ts';
import { profileWith } from '../../testing/open-mock.ts';
import { recordDelivery, retryDelaysMs } from '../../webhooks/delivery-steps.ts';
import type { PushMessage } from '../../webhooks/render.ts';
import type { RobotSettings } from '../../world/entries.ts';
import { emptyWorld } from '../../world/testing.ts';
import { answerAsRobot } from '../inboxes.ts';
import { countCall, hasKeyword, signProblem } from './robot-checks.ts';
import { answerTo, type CallOptions, callOf, messageTypes, now } from './testing.ts';

// The suite is tested with the same table.
const rows = robotMessages.flatMap((row) =>
  (['documented', 'observed'] as const).map((wording) => ({ ...row, wording })),
);

test.for(rows)('$robot, as $wording: $what', ({ wording, ...row }) => {
  const { method, contentType, body } = pushOf(row);
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  const answer = answerAsRobot(row.robot, callOf(body, { method, headers, settings: { wording } }));
  const isAccepted = /^\{("StatusCode":0|"errcode":0,)/.test(answer.body);
  expect({ isAccepted, answer: answer.body }).toMatchObject({ isAccepted: !row.refusedBy.includes(wording) });
});

const text = (content: string) => ({ msgtype: 'text', text: { content } });
const larkText = { msg_type: 'text', content: { text: 'all is well' } };
const fine = { wecom: text('x'), dingtalk: text('all is well'), feishu: larkText };
const keywords = { settings: { keywords: ['alarm', 'fire'] } };
const documented = { settings: { wording: 'documented', ...keywords.settings } } as const;
const signing = { settings: { signSecret: 's' } };
const full = (count = 20) => ({ state: { times: Array<number>(count).fill(now) } });
const unsigned = { headers: {} };
const long = 'a'.repeat(20_480);

const token = { settings: { token: 'secret-key' } };
const wrongKey = { path: '?key=x', ...token };
const badKey = '93000 invalid webhook url';
const wrongType = '40008 invalid message type';
const invalid = (problem: string) => `40058 ${problem}. invalid Request Parameter`;

const wrongToken = { path: '?access_token=secret-kez', ...token };
const unknownType = '400105 不支持的消息类型';

const wrongHook = { path: '/secret-kez', ...token };
const badHook = '19001 param invalid: incoming webhook access token invalid';
const limited = '11232 frequency limited psm[lark.oapi.app_platform_runtime]appID[1500]';
const badSign = '19021 sign match fail or timestamp is not within one hour from current time';
const signature = { timestamp: '1700000000', sign: 'Jp33/xXhCipDEpjyHvEyc7mRSyXWHbNz6J8+C3qQKNo=' };
const signed = { settings: { signSecret: 'mysecret' }, now: 1_700_000_000_000 };
const signedQuery = `?${new URLSearchParams(signature)}`;

// The wording of refusals, and the order of the checks.
test.each<[Robot, string, unknown, CallOptions, string]>([
  ['wecom', 'with the right key', fine.wecom, { path: '/send?debug=1&key=secret-key', ...token }, '0 ok'],
  ['wecom', 'without the key', fine.wecom, token, badKey],
  ['wecom', 'a wrong key of the same length', fine.wecom, { path: '?key=secret-kez', ...token }, badKey],
  ['wecom', 'with a wrong key and too often', fine.wecom, { ...wrongKey, ...full() }, badKey],
  ['wecom', 'the 20th in a minute', fine.wecom, full(19), '0 ok'],
  ['wecom', 'the 21st, and not JSON', '', full(), '45009 api freq out of limit'],
  ['wecom', 'a type that every object has', { msgtype: 'constructor' }, {}, wrongType],
  ['wecom', 'a GET', '', { method: 'GET' }, wrongType],
  ['wecom', 'empty content', text(''), {}, '44004 empty content'],
  ['wecom', 'a long text', text(long), {}, invalid('text.content exceed max length 5120')],
  ['wecom', 'as documented', text(long), documented, invalid('text.content exceed max length 2048')],
  ['wecom', 'no id', { msgtype: 'file', file: { id: 1 } }, {}, invalid('missing field `body.file.media_id`')],
  ['wecom', 'none', { msgtype: 'news', news: { articles: [] } }, {}, invalid('news.articles must be 1 to 8')],
  ['dingtalk', 'the right token', fine.dingtalk, { path: '?access_token=secret-key', ...token }, '0 ok'],
  ['dingtalk', 'a GET without a token', fine.dingtalk, { method: 'GET', ...token }, '43002 需要POST请求'],
  ['dingtalk', 'an empty token', '', { path: '?access_token=', ...token }, '40035 缺少参数 access_token'],
  ['dingtalk', 'no token, too often', '', { ...token, ...full() }, '40035 缺少参数 access_token'],
  ['dingtalk', 'the 20th in a minute', fine.dingtalk, full(19), '0 ok'],
  ['dingtalk', '21st', '', { ...wrongToken, ...full() }, '660026 sending too many messages per minute'],
  ['dingtalk', 'a wrong token', '', { ...wrongToken, ...unsigned }, '300005 token is not exist'],
  ['dingtalk', 'of no type, no JSON', '', unsigned, '43004 无效的HTTP HEADER Content-Type'],
  ['dingtalk', 'no JSON, no sign', '', signing, '40035 缺少参数 json'],
  ['dingtalk', 'a keyword', text('no fire'), keywords, '0 ok'],
  ['dingtalk', 'a type that every object has', { msgtype: 'toString' }, {}, unknownType],
  ['dingtalk', 'an unknown type, too long', { msgtype: 'x', x: long }, {}, unknownType],
  ['dingtalk', 'long', { msgtype: 'text', x: long }, {}, '460101 message too long, exceed 20000 bytes'],
  ['dingtalk', 'nothing to say', { msgtype: 'text' }, {}, '40035 缺少参数 text.content'],
  ['dingtalk', 'as documented', '', { ...documented, ...full() }, '410100 发送速度太快而限流'],
  ['dingtalk', 'no keyword, and no type', {}, documented, '310000 keywords not in content'],
  ['feishu', 'with a hook where any will do', larkText, { path: '/x' }, '0 success'],
  ['feishu', 'with the right hook', larkText, { path: '/hook/secret-key?x=/y', ...token }, '0 success'],
  ['feishu', 'without the hook', larkText, token, badHook],
  ['feishu', 'with a wrong hook and too often', larkText, { ...wrongHook, ...full(5) }, badHook],
  ['feishu', 'with a wrong hook and no JSON', '', wrongHook, badHook],
  ['feishu', 'the 5th in a second', larkText, full(4), '0 success'],
  ['feishu', 'the 6th in a second, no JSON', '', full(5), limited],
  ['feishu', 'the 6th on a stopped clock', larkText, { ...full(5), isClockStill: true }, '0 success'],
  ['feishu', 'the 100th in a minute', larkText, { ...full(99), now: now + 30_000 }, '0 success'],
  ['feishu', 'the 101st in a minute', larkText, { ...full(100), now: now + 59_999 }, limited],
  ['feishu', 'no JSON', '', {}, '9499 Bad Request'],
  ['feishu', 'too long, not signed', { ...larkText, x: long }, signing, '9499 Bad Request'],
  ['feishu', 'not signed, no type', {}, signing, badSign],
  ['feishu', 'an inherited type', { msg_type: 'toString' }, {}, '19002 params error, msg_type need'],
  ['feishu', 'no type and no keyword', {}, keywords, '19002 params error, msg_type need'],
  ['feishu', 'no text', { msg_type: 'text' }, keywords, '19002 params error, unknown content value'],
  ['feishu', 'no card', { msg_type: 'interactive' }, {}, '19002 params error, unknown card value'],
  ['feishu', 'no keyword', larkText, keywords, '19024 Key Words Not Found'],
  ['feishu', 'a keyword', { ...larkText, content: { text: 'no fire' } }, keywords, '0 success'],
  ['feishu', 'signed', { ...larkText, ...signature }, signed, '0 success'],
  ['feishu', 'signed in the content', { ...larkText, content: { text: 'x', ...signature } }, signed, badSign],
  ['feishu', 'signed in the query', larkText, { ...signed, path: signedQuery }, badSign],
])('%s, %s: answers as the vendor', (robot, _case, message, options, want) => {
  expect(answerTo(robot, message, options)).toBe(want);
});

const dingtalk = { timestamp: '1700000000000', sign: 'MGTSynT35H3YyJy6IMPL8G+yYna+gwkBH/0Cd4+a2hI=' };
const signSecret = 'SECthis-is-secret';
const inQuery = String(new URLSearchParams(dingtalk));
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
  token: ['400101 access_token不存在', '300005 token is not exist'],
  none: ['0 ok', '0 ok'],
};

test.each<[string, string, RobotSettings, keyof typeof wordings]>([
  ['right, after the token', `access_token=x&${inQuery}`, { signSecret }, 'none'],
  ['not asked for', expired, {}, 'none'],
  ['only in headers', '', { signSecret }, 'timestamp'],
  ['a stale one before it', `${expired}&${inQuery}`, { signSecret }, 'timestamp'],
  ['not escaped', decodeURIComponent(inQuery), { signSecret }, 'sign'],
  ['wrong, and no keyword', 'timestamp=1700000000000', { signSecret, ...keywords.settings }, 'sign'],
  ['right, but no keyword', inQuery, { signSecret, ...keywords.settings }, 'keyword'],
  ['right, with a wrong token', `access_token=x&${inQuery}`, { signSecret, ...token.settings }, 'token'],
])('checks a DingTalk sign: %s', (_case, query, settings, problem) => {
  const headers = { 'content-type': 'application/json', ...dingtalk };
  const options = { path: `?${query}`, headers, now: Number(dingtalk.timestamp) };
  const answers = (['documented', 'observed'] as const).map((wording) =>
    answerTo('dingtalk', fine.dingtalk, { ...options, settings: { ...settings, wording } }),
  );
  expect(answers).toEqual(wordings[problem]);
});

const at = 1_700_000_000_000;
const hour = 3_600_000;

test.each<['dingtalk' | 'feishu', string, object, number, 'timestamp' | 'sign' | undefined]>([
  ['dingtalk', 'an hour old', {}, at + hour, undefined],
  ['dingtalk', 'older than an hour', {}, at + hour + 1, 'timestamp'],
  ['dingtalk', 'more than an hour ahead', {}, at - hour - 1, 'timestamp'],
  ['dingtalk', 'in seconds', { timestamp: '1700000000' }, at, 'timestamp'],
  ['dingtalk', 'endless digits', { timestamp: '9'.repeat(400) }, at, 'timestamp'],
  ['dingtalk', 'by another secret', { sign: 'sSFWELbV2YwjdDQhWZwTcWlX5BWUx5J6TPpsZmuPii0=' }, at, 'sign'],
  ['feishu', 'with a number', { timestamp: 1_700_000_000 }, at, undefined],
  ['feishu', 'an hour old', {}, at + hour + 999, undefined],
  ['feishu', 'older than an hour', {}, at + hour + 1000, 'timestamp'],
  ['feishu', 'more than an hour ahead', {}, at - hour - 1, 'timestamp'],
  ['feishu', 'by DingTalk’s formula', { sign: 'jgNfhdY7jgRFosZj9wqAeWu0PMpOjkNkuRWjtbFrHlM=' }, at, 'sign'],
  ['feishu', 'in milliseconds', { timestamp: '1700000000000' }, at, 'timestamp'],
  ['feishu', 'a list', { timestamp: ['1700000000'] }, at, 'timestamp'],
  ['feishu', 'no sign', { sign: undefined }, at, 'sign'],
  ['feishu', 'a number for a sign', { sign: 1 }, at, 'sign'],
])('%s: checks a sign that is %s', (robot, _case, given, now, want) => {
  const [right, secret] = robot === 'feishu' ? [signature, 'mysecret'] : [dingtalk, signSecret];
  expect(signProblem(robot, { ...right, ...given }, { secret, now })).toBe(want);
});

test('Feishu answers 404 to GET, even with a wrong hook', () => {
  expect(answerAsRobot('feishu', callOf(larkText, { ...wrongHook, method: 'GET' }))).toEqual({
    status: 404,
    headers: { 'content-type': 'text/plain' },
    body: '404 page not found',
  });
});

test('WeCom gives the same hint for the same call', () => {
  const [one, same, other] = [1, 1, 2].map(
    (messageId) => answerAsRobot('wecom', callOf('', { messageId })).body,
  );
  expect(JSON.parse(one ?? '').errmsg).toMatch(
    /^invalid message type, hint: \[1767323045\d{15}\], from ip: 127\.0\.0\.1, more info at https:\/\/open\.work\.weixin\.qq\.com\/devtool\/query\?e=40008$/,
  );
  expect([one === same, one === other]).toEqual([true, false]);
});

test.each([
  ['wecom', [0, 59_999], 60_000],
  // A message over the limit blocks the robot for ten minutes.
  ['dingtalk', [1000, 300_000, 600_999], 601_000],
] as const)('%s: refused calls do not prolong the rate limit', (robot, refused, free) => {
  const { state } = full();
  const answers = [...refused, free].map((ms) =>
    answerTo(robot, fine[robot], { state, now: now + ms }).startsWith('0 '),
  );
  expect(answers).toEqual([...refused.map(() => false), true]);
  expect(state).toEqual({ times: [now + free] });
});

test('the number of stored times does not grow with the calls', () => {
  const state = { times: [] };
  const limits = [
    { calls: 2, withinMs: 1000 },
    { calls: 3, withinMs: 60_000 },
  ];
  for (let now = 0; now < 10_000; now++) countCall(state, now, limits);
  expect(state.times).toHaveLength(3);
});

test.each<[string, string[], object, boolean]>([
  ['an empty list is set', [], {}, true],
  ['it is written in another case', ['Alarm'], { text: 'alarm' }, false],
  ['it is only the name of a member', ['content'], { content: 'x' }, false],
  ['it is a number', ['42'], { id: 42, none: null }, false],
  ['it is deeply nested', ['x'], JSON.parse(`{"a":${'['.repeat(1e5)}"x"${']'.repeat(1e5)}}`), true],
])('finds a keyword: %s', (_case, keywords, message, want) => {
  expect(hasKeyword({ keywords }, message)).toBe(want);
});

// The robots accept the mock's own pushes.
const breaking = '](http://x) **_~`# > <font color="info"> @all <@all> <at id=all></at> | --- \\ "quoted"';

const titles: readonly [string, string][] = [
  ['an empty title', ''],
  ['100 kB of ASCII', 'a'.repeat(100_000)],
  ['100 kB of Chinese', '栞'.repeat(34_000)],
  ['100 kB of emoji', '👩‍👩‍👧‍👦'.repeat(4000)],
  ['100 kB of line separators', '\u2028\u2029'.repeat(17_000)],
  ['100 kB of combining characters', `e${'\u0301'.repeat(50_000)}`],
  ['100 kB that JSON escapes', '"\\\n\u0001'.repeat(25_000)],
  ['100 kB of halves of characters', '\ud83d'.repeat(34_000)],
  ['what breaks Markdown', breaking],
  ['100 kB of what breaks Markdown', breaking.repeat(1200)],
];

const lastRetryAt = retryDelaysMs.reduce((time, delay) => time + delay, now);

function pushOn(channel: Robot, title: string, profile: Profile) {
  const push: PushMessage = {
    event: 'content.publish',
    at: now,
    site: { id: 1, name: title },
    data: { id: 42, title, [title.slice(0, 1000)]: { title } },
  };
  const url = 'http://x.example/robot?access_token=t&key=k';
  const subscribed = { id: 1, siteId: 1, url, channel, secret: signSecret, events: [], createdAt: now };
  return recordDelivery({ world: emptyWorld(now), profile }, push, subscribed);
}

function answersTo(robot: Robot, { url, body }: { url: string; body: string }, settings: RobotSettings) {
  const path = new URL(url).search;
  return [now, lastRetryAt].map(
    (time) => answerAsRobot(robot, callOf(body, { path, settings, now: time })).body,
  );
}

const taken = {
  wecom: '{"errcode":0,"errmsg":"ok"}',
  dingtalk: '{"errcode":0,"errmsg":"ok"}',
  feishu: '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}',
};

describe.each(messageTypes)('%s accepts our %s', (robot, type) => {
  const profile = profileWith({ [`channel.${robot}`]: type });
  const signing = profileWith({ [`channel.${robot}`]: type, 'webhook.robot-sign': 'vendor' });

  test.each(titles)('with %s', (_case, title) => {
    const [push, signed] = [pushOn(robot, title, profile), pushOn(robot, title, signing)];
    for (const wording of ['documented', 'observed'] as const) {
      const answers = [
        ...answersTo(robot, push, { wording }),
        ...answersTo(robot, signed, { wording, signSecret }),
      ];
      expect(new Set(answers)).toEqual(new Set([taken[robot]]));
    }
  });
});
