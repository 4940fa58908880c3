// Vectors computed from the vendors' formulas, independent of the code under test.
import { expect, test } from 'vitest';
import { dingtalkSignProblem, isFeishuSign } from './vendor-sign.ts';

const at = 1_700_000_000_000;
const hour = 3_600_000;

const dingtalk = {
  timestamp: '1700000000000',
  sign: 'MGTSynT35H3YyJy6IMPL8G+yYna+gwkBH/0Cd4+a2hI=',
};

test.each<[string, object, number, 'timestamp' | 'sign' | undefined]>([
  ['right', {}, at, undefined],
  ['right, an hour old', {}, at + hour, undefined],
  ['right, an hour ahead', {}, at - hour, undefined],
  ['older than an hour', {}, at + hour + 1, 'timestamp'],
  ['more than an hour ahead', {}, at - hour - 1, 'timestamp'],
  ['no timestamp', { timestamp: null }, at, 'timestamp'],
  ['an empty timestamp', { timestamp: '' }, at, 'timestamp'],
  ['in seconds', { timestamp: '1700000000' }, at, 'timestamp'],
  ['endless digits', { timestamp: '9'.repeat(400) }, at, 'timestamp'],
  ['no sign', { sign: null }, at, 'sign'],
  ['of another secret', { sign: 'sSFWELbV2YwjdDQhWZwTcWlX5BWUx5J6TPpsZmuPii0=' }, at, 'sign'],
  ['of another time', { timestamp: '1700000000001' }, at, 'sign'],
  ['with a space where the query lost a plus', { sign: dingtalk.sign.replaceAll('+', ' ') }, at, 'sign'],
  ['escaped twice', { sign: encodeURIComponent(dingtalk.sign) }, at, 'sign'],
])('DingTalk: %s', (_case, given, now, want) => {
  expect(dingtalkSignProblem({ ...dingtalk, ...given }, 'SECthis-is-secret', now)).toBe(want);
});

const feishu = { timestamp: '1700000000', sign: 'Jp33/xXhCipDEpjyHvEyc7mRSyXWHbNz6J8+C3qQKNo=' };

test.each<[string, object, number, boolean]>([
  ['right', {}, at, true],
  ['right, with a number', { timestamp: 1_700_000_000 }, at, true],
  ['right, an hour old', {}, at + hour + 999, true],
  ['older than an hour', {}, at + hour + 1000, false],
  ['more than an hour ahead', {}, at - hour - 1, false],
  ['by DingTalk’s formula', { sign: 'jgNfhdY7jgRFosZj9wqAeWu0PMpOjkNkuRWjtbFrHlM=' }, at, false],
  ['in milliseconds', { timestamp: '1700000000000' }, at, false],
  ['no timestamp', { timestamp: undefined }, at, false],
  ['a list', { timestamp: ['1700000000'] }, at, false],
  ['no sign', { sign: undefined }, at, false],
  ['a number for a sign', { sign: 1 }, at, false],
])('Feishu: %s', (_case, given, now, want) => {
  expect(isFeishuSign({ ...feishu, ...given }, 'mysecret', now)).toBe(want);
});

test.each([
  ['demo', '1599360473', 'l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8='],
  ['demo', '100', 'jquNHnVOwmDRfw+vqTIrY5dooJAgi5EcRtLsQE4wfXg='],
])('Feishu: the secret %s at %s', (secret, timestamp, sign) => {
  expect(isFeishuSign({ timestamp, sign }, secret, Number(timestamp) * 1000)).toBe(true);
});
