// Vectors computed from the vendors' formulas, independent of the code under test.
import { expect, test } from 'vitest';
import { pushOf } from '../../../openapi/robots/testing/robot-message.ts';
import { robotMessages } from '../../../openapi/robots/testing/robot-messages.ts';
import { answerAsRobot } from './robot-answer.ts';
import { countCall, hasKeyword, type RateLimit, signProblem } from './robot-checks.ts';
import { callOf } from './testing.ts';

const at = 1_700_000_000_000;
const hour = 3_600_000;

const dingtalk = { timestamp: '1700000000000', sign: 'MGTSynT35H3YyJy6IMPL8G+yYna+gwkBH/0Cd4+a2hI=' };
const feishu = { timestamp: '1700000000', sign: 'Jp33/xXhCipDEpjyHvEyc7mRSyXWHbNz6J8+C3qQKNo=' };

test.each<[string, object, number, 'timestamp' | 'sign' | undefined]>([
  ['right', {}, at, undefined],
  ['right, an hour old', {}, at + hour, undefined],
  ['older than an hour', {}, at + hour + 1, 'timestamp'],
  ['more than an hour ahead', {}, at - hour - 1, 'timestamp'],
  ['no timestamp', { timestamp: null }, at, 'timestamp'],
  ['in seconds', { timestamp: '1700000000' }, at, 'timestamp'],
  ['endless digits', { timestamp: '9'.repeat(400) }, at, 'timestamp'],
  ['no sign', { sign: null }, at, 'sign'],
  ['of another secret', { sign: 'sSFWELbV2YwjdDQhWZwTcWlX5BWUx5J6TPpsZmuPii0=' }, at, 'sign'],
  ['with a space where the query lost a plus', { sign: dingtalk.sign.replaceAll('+', ' ') }, at, 'sign'],
])('DingTalk: %s', (_case, given, now, want) => {
  expect(signProblem('dingtalk', { ...dingtalk, ...given }, { secret: 'SECthis-is-secret', now })).toBe(want);
});

test.each<[string, object, number, 'timestamp' | 'sign' | undefined]>([
  ['right', {}, at, undefined],
  ['right, with a number', { timestamp: 1_700_000_000 }, at, undefined],
  ['right, an hour old', {}, at + hour + 999, undefined],
  ['older than an hour', {}, at + hour + 1000, 'timestamp'],
  ['more than an hour ahead', {}, at - hour - 1, 'timestamp'],
  ['by DingTalk’s formula', { sign: 'jgNfhdY7jgRFosZj9wqAeWu0PMpOjkNkuRWjtbFrHlM=' }, at, 'sign'],
  ['in milliseconds', { timestamp: '1700000000000' }, at, 'timestamp'],
  ['a list', { timestamp: ['1700000000'] }, at, 'timestamp'],
  ['no sign', { sign: undefined }, at, 'sign'],
  ['a number for a sign', { sign: 1 }, at, 'sign'],
])('Feishu: %s', (_case, given, now, want) => {
  expect(signProblem('feishu', { ...feishu, ...given }, { secret: 'mysecret', now })).toBe(want);
});

// The robots against the table that the suite is held to as well.
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

const two: RateLimit[] = [{ calls: 2, withinMs: 1000 }];
const twoOrThree: RateLimit[] = [...two, { calls: 3, withinMs: 60_000 }];

test.each<[string, RateLimit[], number[], number, boolean, number[]]>([
  ['the first', two, [], 5000, true, [5000]],
  ['the last that is allowed', two, [4500], 5000, true, [4500, 5000]],
  ['one too many', two, [4001, 4500], 5000, false, [4001, 4500]],
  ['as the first leaves the window', two, [4000, 4500], 5000, true, [4500, 5000]],
  ['too many for the longer window', twoOrThree, [1, 1500, 3000], 5000, false, [1, 1500, 3000]],
  ['as the first leaves the longer window', twoOrThree, [1, 1500, 3000], 60_001, true, [1500, 3000, 60_001]],
])('%s', (_case, limits, times, now, want, kept) => {
  const state = { times };
  expect(countCall(state, now, limits)).toBe(want);
  expect(state.times).toEqual(kept);
});

test('the number of kept times does not grow with the calls', () => {
  const state = { times: [] };
  for (let now = 0; now < 10_000; now++) countCall(state, now, twoOrThree);
  expect(state.times).toHaveLength(3);
});

test.each<[string, string[] | undefined, object, boolean]>([
  ['no keywords are set', undefined, {}, true],
  ['an empty list is set', [], {}, true],
  ['it is within a text', ['站点'], { text: { content: '示例站点 x' } }, true],
  ['one of several does', ['a', 'b'], { text: { content: 'xbx' } }, true],
  ['it is written in another case', ['Alarm'], { text: 'alarm' }, false],
  ['it is the name of a member alone', ['content'], { content: 'x' }, false],
  ['it is a number', ['42'], { id: 42 }, false],
  ['it is nowhere', ['a'], { text: 'b', none: null }, false],
])('%s', (_case, keywords, message, want) => {
  expect(hasKeyword(keywords ? { keywords } : {}, message)).toBe(want);
});

test('searches a message of any depth', () => {
  const depth = 100_000;
  const message: object = JSON.parse(`{"a":${'['.repeat(depth)}"x"${']'.repeat(depth)}}`);
  expect(hasKeyword({ keywords: ['x'] }, message)).toBe(true);
});
