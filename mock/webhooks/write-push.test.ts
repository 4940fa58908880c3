import { expect, test } from 'vitest';
import { profileWith } from '../testing/open-mock.ts';
import type { Delivery } from '../world/entries.ts';
import { pushHeaders } from './delivery-steps.ts';
import { type BodyStyle, formatTimestamp, signBody, writeJson } from './render.ts';
import { cutText, fitMessage, signForDingtalk, signForFeishu } from './robot-message.ts';

const now = 1_767_294_245_999;
const unsigned: Delivery = {
  ...{ id: 1, siteId: 1, subscriptionId: 1, event: 'form.submit', channel: 'custom', isTest: false },
  ...{ createdAt: 0, url: '', body: '', state: 'pending', retries: 0, attempts: [] },
};
const signed: Delivery = { ...unsigned, signature: 'sha256=ab' };
const always = { 'Content-Type': 'application/json', 'User-Agent': 'sitepub-mock/0.2.0' };
const signature = { 'X-Webhook-Signature': 'sha256=ab' };
const eventHeaders = { 'X-Webhook-Event': 'form.submit', 'X-Webhook-Timestamp': '1767294245' };

test.each<[string, Record<string, string>, Delivery, object]>([
  ['a signed push', {}, signed, { ...always, ...eventHeaders, ...signature }],
  [
    'milliseconds',
    { 'webhook.timestamp-unit': 'milliseconds' },
    signed,
    { ...always, ...eventHeaders, ...signature, 'X-Webhook-Timestamp': '1767294245999' },
  ],
  ['an unsigned push', {}, unsigned, always],
  [
    'an unsigned push with event and timestamp',
    { 'webhook.unsigned-headers': 'event-and-timestamp' },
    unsigned,
    { ...always, ...eventHeaders },
  ],
  [
    'a charset',
    { 'webhook.content-type': 'application/json; charset=utf-8' },
    unsigned,
    { ...always, 'Content-Type': 'application/json; charset=utf-8' },
  ],
])('%s', (_case, values, delivery, want) => {
  expect(pushHeaders(delivery, now, profileWith(values))).toEqual(want);
});

// Fixed vectors from other sources than the code under test: GitHub's documentation, octokit's tests, the vendors' formulas.
const chinese =
  '{"event":"content.publish","timestamp":"2026-01-02T03:04:05+08:00","site_id":1,"site_name":"示例站点","data":{"id":42}}';

test.each([
  [
    "It's a Secret to Everybody",
    'Hello, World!',
    '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  ],
  ['mysecret', '{"foo":"bar"}', '4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3'],
  ['secret', 'data', '1b2c16b75bd2a870c114153ccda5bcfca63314bc722fa160d690de133ccbb9db'],
  ['s3cr3t', chinese, '8997473ba63f725723030db49dd86fffa2cbf2e194cd714f1b0de47ef2ba3e28'],
])('with the secret %s the body %s is signed', (secret, body, want) => {
  expect(signBody(secret, body, 'lower')).toBe(`sha256=${want}`);
  expect(signBody(secret, body, 'upper')).toBe(`sha256=${want.toUpperCase()}`);
});

test.each([
  ['SECthis-is-secret', 'MGTSynT35H3YyJy6IMPL8G+yYna+gwkBH/0Cd4+a2hI='],
  ['this is secret', 'sSFWELbV2YwjdDQhWZwTcWlX5BWUx5J6TPpsZmuPii0='],
])('DingTalk’s sign for the secret %s', (secret, sign) => {
  expect(signForDingtalk(secret, 1_700_000_000_000)).toEqual({ timestamp: '1700000000000', sign });
});

test.each([
  ['mysecret', 1_700_000_000_999, '1700000000', 'Jp33/xXhCipDEpjyHvEyc7mRSyXWHbNz6J8+C3qQKNo='],
  ['demo', 1_599_360_473_000, '1599360473', 'l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8='],
  ['demo', 100_000, '100', 'jquNHnVOwmDRfw+vqTIrY5dooJAgi5EcRtLsQE4wfXg='],
])('Feishu’s sign for the secret %s at %i', (secret, at, timestamp, sign) => {
  expect(signForFeishu(secret, at)).toEqual({ timestamp, sign });
});

const value = {
  event: 'form.submit',
  名: 'Zoë/咖啡😀"\u2028',
  list: [1, 2.5, null, true, [], {}],
  nested: { a: -0 },
};

test.each<[BodyStyle, string]>([
  [
    'compact',
    '{"event":"form.submit","名":"Zoë/咖啡😀\\"\u2028","list":[1,2.5,null,true,[],{}],"nested":{"a":0}}',
  ],
  [
    'spaced',
    '{"event": "form.submit", "名": "Zoë/咖啡😀\\"\u2028", "list": [1, 2.5, null, true, [], {}], "nested": {"a": 0}}',
  ],
  [
    'escaped',
    '{"event":"form.submit","\\u540d":"Zo\\u00eb\\/\\u5496\\u5561\\ud83d\\ude00\\"\\u2028","list":[1,2.5,null,true,[],{}],"nested":{"a":0}}',
  ],
  [
    'pretty',
    '{\n  "event": "form.submit",\n  "名": "Zoë/咖啡😀\\"\u2028",\n  "list": [\n    1,\n    2.5,\n    null,\n    true,\n    [],\n    {}\n  ],\n  "nested": {\n    "a": 0\n  }\n}',
  ],
])('writes %s JSON, with the same value', (style, want) => {
  const written = writeJson(value, style);
  expect(written).toBe(want);
  expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(value)));
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, '…'],
  ['abcdefg', 6, 'abc…'],
  ['咖啡馆', 9, '咖啡馆'],
  ['咖啡馆x', 9, '咖啡…'],
  ['咖啡馆x', 8, '咖…'],
  ['a😀b', 6, 'a😀b'],
  ['a😀bc', 6, 'a…'],
  ['', 0, ''],
])('"%s" in %i bytes is "%s"', (text, limit, want) => {
  expect(cutText(text, limit)).toBe(want);
});

test.each(['栞', 'a', '😀', '"', '\n', '\u0007', 'é"'])(
  'a message of many %j is cut to its limit, and no character is broken',
  (unit) => {
    const build = (text: string) => JSON.stringify({ msgtype: 'text', text: { content: text } });
    for (const limit of [100, 101, 102, 103, 104]) {
      const message = fitMessage(build, unit.repeat(1500), limit);
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(limit);
      expect(Buffer.byteLength(message)).toBeGreaterThan(limit - 10);
      expect(JSON.parse(message).text.content.replaceAll(unit, '').replace(unit.charAt(0), '')).toBe('…');
    }
  },
);

test('a message that fits is not cut', () => {
  expect(fitMessage((text) => `<${text}>`, 'abc', 5)).toBe('<abc>');
});

test.each([
  ['2026-01-01T19:04:05.678Z', 'Z', '2026-01-01T19:04:05Z'],
  ['2026-01-01T19:04:05.678Z', '+08:00', '2026-01-02T03:04:05+08:00'],
  ['2026-01-01T19:04:05.678Z', '-03:30', '2026-01-01T15:34:05-03:30'],
  ['2026-01-01T00:00:00.000Z', '-00:30', '2025-12-31T23:30:00-00:30'],
  ['2028-02-28T18:20:00.000Z', '+05:45', '2028-02-29T00:05:00+05:45'],
])('%s with the offset %s is %s', (given, offset, want) => {
  expect(formatTimestamp(Date.parse(given), offset)).toBe(want);
  expect(Date.parse(want)).toBe(Math.floor(Date.parse(given) / 1000) * 1000);
});
