import { expect, test } from 'vitest';
import type { Channel } from '../../openapi/generated/types.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { profileWith } from '../testing/open-mock.ts';
import type { Delivery, Subscription } from '../world/entries.ts';
import { message } from './delivery-steps.ts';
import { type BodyStyle, formatTimestamp, type PushMessage, renderBody, writeJson } from './render.ts';
import { cutText, fitMessage } from './robot-message.ts';

const push: PushMessage = {
  event: 'content.publish',
  at: Date.parse('2026-01-01T19:04:05.000Z'),
  site: { id: 1, name: '示例站点' },
  data: { id: 42 },
};

function subscriptionOn(channel: Channel, secret?: string): Subscription {
  const url = 'http://x.example';
  return { id: 1, siteId: 1, url, events: [], channel, createdAt: 0, ...(secret && { secret }) };
}

test('writes the separate body of a test message', () => {
  const profile = profileWith({ 'webhook.body-style': 'compact', 'webhook.timestamp-offset': 'Z' });
  const trial = { ...push, data: { message: 'x' }, test: { ownBody: true } };
  expect(renderBody(trial, subscriptionOn('custom'), profile)).toBe(
    '{"test":true,"message":"x","sent_at":"2026-01-01T19:04:05Z"}',
  );
});

const title = '[content.publish] 示例站点';
const text = 'site: 1 示例站点\ntime: 2026-01-02T03:04:05+08:00\nid: 42';
const content = `${title}\n${text}`;
const quoted = `### ${title}\n\n> site: 1 示例站点\n\n> time: 2026-01-02T03:04:05+08:00\n\n> id: 42`;
const header = { title: { tag: 'plain_text', content: title }, template: 'blue' };
const elements = [{ tag: 'div', text: { tag: 'lark_md', content: text } }];

test.each<[Exclude<Channel, 'custom'>, string, object]>([
  ['wecom', 'text', { msgtype: 'text', text: { content } }],
  ['wecom', 'markdown', { msgtype: 'markdown', markdown: { content: quoted } }],
  ['wecom', 'markdown_v2', { msgtype: 'markdown_v2', markdown_v2: { content: quoted } }],
  ['dingtalk', 'text', { msgtype: 'text', text: { content } }],
  ['dingtalk', 'markdown', { msgtype: 'markdown', markdown: { title, text: quoted } }],
  ['feishu', 'text', { msg_type: 'text', content: { text: content } }],
  [
    'feishu',
    'post',
    { msg_type: 'post', content: { post: { zh_cn: { title, content: [[{ tag: 'text', text }]] } } } },
  ],
  ['feishu', 'interactive', { msg_type: 'interactive', card: { header, elements } }],
])('writes the %s message of type %s', (channel, type, want) => {
  const profile = profileWith({ [`channel.${channel}`]: type });
  expect(JSON.parse(renderBody(push, subscriptionOn(channel), profile))).toEqual(want);
});

test.each([
  ['wecom', 'text', 2048],
  ['wecom', 'markdown', 4096],
  ['dingtalk', 'markdown', 20_000],
  ['feishu', 'interactive', 20_480],
] as const)('cuts a %s %s message to %i bytes', (channel, type, limit) => {
  const long = { ...push, site: { id: 1, name: '栞'.repeat(300) }, data: { text: '栞"\n'.repeat(9000) } };
  const profile = profileWith({ [`channel.${channel}`]: type, 'webhook.robot-sign': 'vendor' });
  const body = renderBody(long, subscriptionOn(channel, 'secret'), profile);
  const measured = channel === 'wecom' ? JSON.parse(body)[type].content : body;
  expect(Buffer.byteLength(measured)).toBeLessThanOrEqual(limit);
  expect(Buffer.byteLength(measured)).toBeGreaterThan(limit - 20);
  expect(body).toMatch(/^[^\ufffd]*…[^\ufffd]*$/);
});

const robotSign = { timestamp: '1700000000', sign: 'Jp33/xXhCipDEpjyHvEyc7mRSyXWHbNz6J8+C3qQKNo=' };

test.each<[string, string | undefined, string, object]>([
  ['in the body, if the profile and the subscription have it', 'mysecret', 'vendor', robotSign],
  ['missing without a secret', undefined, 'vendor', { sign: undefined }],
  ['missing if the profile has none', 'mysecret', 'none', { sign: undefined }],
])('Feishu’s own sign is %s', (_case, secret, sign, want) => {
  const profile = profileWith({ 'webhook.robot-sign': sign });
  const body = renderBody({ ...push, at: 1_700_000_000_999 }, subscriptionOn('feishu', secret), profile);
  expect({ sign: undefined, ...JSON.parse(body) }).toMatchObject({ ...want, msg_type: 'interactive' });
});

test('writes any value of data as text', () => {
  const odd = { ...push, data: { a: 'x', b: { c: [1] }, d: null } };
  const body = renderBody(odd, subscriptionOn('wecom'), loadProfile('always-200-camel-case'));
  expect(JSON.parse(body).text.content).toMatch(/\na: x\nb: {"c":\[1\]}\nd: null$/);
});

test('writes a push once for all subscriptions', () => {
  let count = 0;
  const data = { toJSON: () => ({ count: ++count }) } as unknown as PushMessage['data'];
  const counted = { ...push, data };
  const profile = profileWith({ 'webhook.body-style': 'compact' });
  const bodies = [1, 2].map(() => renderBody(counted, subscriptionOn('custom'), profile));
  expect(bodies[1]).toBe(bodies[0]);
  expect(count).toBe(1);
  const other = profileWith({ 'webhook.body-style': 'pretty' });
  expect(renderBody(counted, subscriptionOn('custom'), other)).toContain('"count": 2');
});

const unsigned: Delivery = {
  ...{ id: 1, siteId: 1, subscriptionId: 1, event: 'form.submit', channel: 'custom', isTest: false },
  ...{ createdAt: 0, url: '', body: '', state: 'pending', retries: 0, attempts: [] },
};
const always = { 'Content-Type': 'application/json', 'User-Agent': 'sitepub-mock/0.2.0' };
const signature = { 'X-Webhook-Signature': 'sha256=ab' };
const eventHeaders = { 'X-Webhook-Event': 'form.submit', 'X-Webhook-Timestamp': '1767294245' };

test.each<[string, string, Delivery, object]>([
  ['a signed push', 'none', { ...unsigned, signature: 'sha256=ab' }, { ...eventHeaders, ...signature }],
  ['an unsigned push with event and timestamp', 'event-and-timestamp', unsigned, eventHeaders],
])('sends the headers of %s', (_case, headers, delivery, want) => {
  const profile = profileWith({ 'webhook.unsigned-headers': headers });
  expect(message(delivery, 1_767_294_245_999, profile).headers).toEqual({ ...always, ...want });
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
])('writes %s JSON with the same value', (style, want) => {
  const written = writeJson(value, style);
  expect(written).toBe(want);
  expect(JSON.parse(written)).toEqual(value);
});

const units = ['栞', '😀', '"', '\u0007', 'é"'];

test.each(units)('cuts a message of many %j to its limit, between characters', (unit) => {
  const build = (text: string) => JSON.stringify({ msgtype: 'text', text: { content: text } });
  for (const limit of [100, 101, 102, 103, 104]) {
    const written = fitMessage(build, unit.repeat(1500), limit);
    expect(Buffer.byteLength(written)).toBeLessThanOrEqual(limit);
    expect(Buffer.byteLength(written)).toBeGreaterThan(limit - 10);
    expect(JSON.parse(written).text.content.replaceAll(unit, '').replace(unit.charAt(0), '')).toBe('…');
  }
  expect(fitMessage((text) => `<${text}>`, 'abc', 5)).toBe('<abc>');
  expect(cutText('咖啡馆', 9)).toBe('咖啡馆');
});

test.each([
  ['2026-01-01T19:04:05.678Z', '-03:30', '2026-01-01T15:34:05-03:30'],
  ['2026-01-01T00:00:00.000Z', '-00:30', '2025-12-31T23:30:00-00:30'],
  ['2028-02-28T18:20:00.000Z', '+05:45', '2028-02-29T00:05:00+05:45'],
])('writes %s with the offset %s as %s', (given, offset, want) => {
  expect(formatTimestamp(Date.parse(given), offset)).toBe(want);
});
