import { expect, test } from 'vitest';
import type { Channel } from '../../openapi/generated/types.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { profileWith } from '../testing/open-mock.ts';
import type { Subscription } from '../world/entries.ts';
import { type PushMessage, renderBody } from './render.ts';

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

// What an event says on the custom channel is in dispatch.test.ts, and a greeting in record-delivery.test.ts.
test('a test message may have a body of its own', () => {
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
])('%s as %s', (channel, type, want) => {
  const profile = profileWith({ [`channel.${channel}`]: type });
  expect(JSON.parse(renderBody(push, subscriptionOn(channel), profile))).toEqual(want);
});

test.each([
  ['wecom', 'text', 2048],
  ['wecom', 'markdown', 4096],
  ['dingtalk', 'markdown', 20_000],
  ['feishu', 'interactive', 20_480],
] as const)('%s %s is cut to %i bytes', (channel, type, limit) => {
  const long = { ...push, site: { id: 1, name: '栞'.repeat(300) }, data: { text: '栞"\n'.repeat(9000) } };
  const profile = profileWith({ [`channel.${channel}`]: type, 'webhook.robot-sign': 'vendor' });
  const message = renderBody(long, subscriptionOn(channel, 'secret'), profile);
  const measured = channel === 'wecom' ? JSON.parse(message)[type].content : message;
  expect(Buffer.byteLength(measured)).toBeLessThanOrEqual(limit);
  expect(Buffer.byteLength(measured)).toBeGreaterThan(limit - 20);
  expect(message).toMatch(/^[^\ufffd]*…[^\ufffd]*$/);
});

const signature = { timestamp: '1700000000', sign: 'Jp33/xXhCipDEpjyHvEyc7mRSyXWHbNz6J8+C3qQKNo=' };

test.each<[string, string | undefined, string, object]>([
  ['in the body when the profile has it and there is a secret', 'mysecret', 'vendor', signature],
  ['left out without a secret', undefined, 'vendor', { sign: undefined }],
  ['left out when the profile has none', 'mysecret', 'none', { sign: undefined }],
])('Feishu’s own sign is %s', (_case, secret, sign, want) => {
  const profile = profileWith({ 'webhook.robot-sign': sign });
  const message = renderBody({ ...push, at: 1_700_000_000_999 }, subscriptionOn('feishu', secret), profile);
  expect({ sign: undefined, ...JSON.parse(message) }).toMatchObject({ ...want, msg_type: 'interactive' });
});

test('text in the message is any value of data', () => {
  const odd = { ...push, data: { a: 'x', b: { c: [1] }, d: null } };
  const message = renderBody(odd, subscriptionOn('wecom'), loadProfile('always-200-camel-case'));
  expect(JSON.parse(message).text.content).toMatch(/\na: x\nb: {"c":\[1\]}\nd: null$/);
});

test('a push is written once for all its subscriptions', () => {
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
