import { expect, test } from 'vitest';
import { profileWith } from '../testing/open-mock.ts';
import type { Delivery } from '../world/entries.ts';
import { message } from './delivery-steps.ts';
import { type BodyStyle, formatTimestamp, signBody, writeJson } from './render.ts';
import { cutText, fitMessage } from './robot-message.ts';

const unsigned: Delivery = {
  ...{ id: 1, siteId: 1, subscriptionId: 1, event: 'form.submit', channel: 'custom', isTest: false },
  ...{ createdAt: 0, url: '', body: '', state: 'pending', retries: 0, attempts: [] },
};
const always = { 'Content-Type': 'application/json', 'User-Agent': 'sitepub-mock/0.2.0' };
const signature = { 'X-Webhook-Signature': 'sha256=ab' };
const eventHeaders = { 'X-Webhook-Event': 'form.submit', 'X-Webhook-Timestamp': '1767294245' };

test.each<[string, string, Delivery, object]>([
  ['a signed push', 'none', { ...unsigned, signature: 'sha256=ab' }, { ...eventHeaders, ...signature }],
  ['an unsigned push', 'none', unsigned, {}],
  ['an unsigned push with event and timestamp', 'event-and-timestamp', unsigned, eventHeaders],
])('%s', (_case, headers, delivery, want) => {
  const profile = profileWith({ 'webhook.unsigned-headers': headers });
  expect(message(delivery, 1_767_294_245_999, profile).headers).toEqual({ ...always, ...want });
});

// Vectors from other sources than the code under test, the first from GitHub's documentation.
const chinese =
  '{"event":"content.publish","timestamp":"2026-01-02T03:04:05+08:00","site_id":1,"site_name":"示例站点","data":{"id":42}}';

test.each([
  [
    "It's a Secret to Everybody",
    'Hello, World!',
    '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  ],
  ['s3cr3t', chinese, '8997473ba63f725723030db49dd86fffa2cbf2e194cd714f1b0de47ef2ba3e28'],
])('with the secret %s the body %s is signed', (secret, body, want) => {
  expect(signBody(secret, body, 'lower')).toBe(`sha256=${want}`);
  expect(signBody(secret, body, 'upper')).toBe(`sha256=${want.toUpperCase()}`);
});

const value = { 名: 'ë/😀"\u2028', list: [2.5, null, [], {}], a: { b: true } };

test.each<[BodyStyle, string]>([
  ['compact', '{"名":"ë/😀\\"\u2028","list":[2.5,null,[],{}],"a":{"b":true}}'],
  ['spaced', '{"名": "ë/😀\\"\u2028", "list": [2.5, null, [], {}], "a": {"b": true}}'],
  ['escaped', '{"\\u540d":"\\u00eb\\/\\ud83d\\ude00\\"\\u2028","list":[2.5,null,[],{}],"a":{"b":true}}'],
  [
    'pretty',
    '{\n  "名": "ë/😀\\"\u2028",\n  "list": [\n    2.5,\n    null,\n    [],\n    {}\n  ],\n  "a": {\n    "b": true\n  }\n}',
  ],
])('writes %s JSON, with the same value', (style, want) => {
  const written = writeJson(value, style);
  expect(written).toBe(want);
  expect(JSON.parse(written)).toEqual(value);
});

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, '…'],
  ['abcdefg', 6, 'abc…'],
  ['咖啡馆', 9, '咖啡馆'],
  ['咖啡馆x', 9, '咖啡…'],
  ['咖啡馆x', 8, '咖…'],
  ['a😀bc', 6, 'a…'],
  ['', 0, ''],
])('"%s" in %i bytes is "%s"', (text, limit, want) => {
  expect(cutText(text, limit)).toBe(want);
});

test.each(['栞', '😀', '"', '\u0007', 'é"'])(
  'a message of many %j is cut to its limit, and no character is broken',
  (unit) => {
    const build = (text: string) => JSON.stringify({ msgtype: 'text', text: { content: text } });
    for (const limit of [100, 101, 102, 103, 104]) {
      const written = fitMessage(build, unit.repeat(1500), limit);
      expect(Buffer.byteLength(written)).toBeLessThanOrEqual(limit);
      expect(Buffer.byteLength(written)).toBeGreaterThan(limit - 10);
      expect(JSON.parse(written).text.content.replaceAll(unit, '').replace(unit.charAt(0), '')).toBe('…');
    }
    expect(fitMessage((text) => `<${text}>`, 'abc', 5)).toBe('<abc>');
  },
);

test.each([
  ['2026-01-01T19:04:05.678Z', 'Z', '2026-01-01T19:04:05Z'],
  ['2026-01-01T19:04:05.678Z', '-03:30', '2026-01-01T15:34:05-03:30'],
  ['2026-01-01T00:00:00.000Z', '-00:30', '2025-12-31T23:30:00-00:30'],
  ['2028-02-28T18:20:00.000Z', '+05:45', '2028-02-29T00:05:00+05:45'],
])('%s with the offset %s is %s', (given, offset, want) => {
  expect(formatTimestamp(Date.parse(given), offset)).toBe(want);
});
