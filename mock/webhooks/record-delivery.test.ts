import { expect, test } from 'vitest';
import { profileWith } from '../testing/open-mock.ts';
import { createEmptyWorld, type Subscription } from '../world/world.ts';
import type { PushMessage } from './push-message.ts';
import { recordDelivery } from './record-delivery.ts';

const push: PushMessage = {
  event: 'form.submit',
  at: 1_700_000_000_000,
  site: { id: 1, name: 'x' },
  data: {},
};
const dingtalk: Subscription = {
  id: 7,
  siteId: 1,
  url: 'https://oapi.example/robot/send?access_token=t&sign=old&timestamp=1',
  events: [],
  channel: 'dingtalk',
  secret: 'SECthis-is-secret',
  createdAt: 0,
};

const emptyWorld = () => createEmptyWorld(1, { mode: 'manual', time: 0 });

test('records what every attempt sends, with ascending ids', () => {
  const world = emptyWorld();
  const context = { world, profile: profileWith({ 'webhook.body-style': 'compact' }) };
  const custom: Subscription = { ...dingtalk, channel: 'custom', secret: 's3cr3t', url: 'http://x.example/' };
  const [first, second] = [recordDelivery(context, push, custom), recordDelivery(context, push, custom)];
  expect([...world.deliveries]).toEqual([
    [1, first],
    [2, second],
  ]);
  expect(first).toEqual({
    id: 1,
    siteId: 1,
    subscriptionId: 7,
    event: 'form.submit',
    channel: 'custom',
    isTest: false,
    createdAt: push.at,
    url: 'http://x.example/',
    body: '{"event":"form.submit","timestamp":"2023-11-15T06:13:20+08:00","site_id":1,"site_name":"x","data":{}}',
    signature: expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    state: 'pending',
    retries: 0,
    nextAttemptAt: push.at,
    attempts: [],
  });
});

test('DingTalk’s own sign is in the query, once', () => {
  const { url, signature } = recordDelivery(
    { world: emptyWorld(), profile: profileWith({ 'webhook.robot-sign': 'vendor' }) },
    push,
    dingtalk,
  );
  expect(url).toBe(
    'https://oapi.example/robot/send?access_token=t&sign=MGTSynT35H3YyJy6IMPL8G%2ByYna%2BgwkBH%2F0Cd4%2Ba2hI%3D&timestamp=1700000000000',
  );
  expect(signature).toMatch(/^sha256=/);
});

test.each([
  ['when the profile has no vendor sign', 'none', dingtalk],
  ['of another channel', 'vendor', { ...dingtalk, channel: 'wecom' as const }],
])('the URL %s is unchanged', (_case, sign, subscription) => {
  const { url } = recordDelivery(
    { world: emptyWorld(), profile: profileWith({ 'webhook.robot-sign': sign }) },
    push,
    subscription,
  );
  expect(url).toBe(dingtalk.url);
});
