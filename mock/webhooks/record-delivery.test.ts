import { expect, onTestFinished, test } from 'vitest';
import { openMock, openReceiver, profileWith, subscriptionRequest } from '../testing/open-mock.ts';
import type { Subscription } from '../world/entries.ts';
import { createEmptyWorld } from '../world/world.ts';
import { recordDelivery, retryDelaysMs } from './delivery-steps.ts';
import type { PushMessage } from './render.ts';

const at = 1_700_000_000_000;
const push: PushMessage = { event: 'form.submit', at, site: { id: 1, name: 'x' }, data: {} };
const dingtalk: Subscription = {
  ...{ id: 7, siteId: 1, events: [], channel: 'dingtalk', secret: 'SECthis-is-secret', createdAt: 0 },
  url: 'https://oapi.example/robot/send?access_token=t&sign=old&timestamp=1',
};

function record(gaps: Record<string, unknown>, ...subscriptions: Subscription[]) {
  const world = createEmptyWorld(1, { mode: 'manual', time: 0 });
  const profile = profileWith(gaps);
  const recorded = subscriptions.map((one) => recordDelivery({ world, profile }, push, one));
  expect([...world.deliveries.values()]).toEqual(recorded);
  return recorded;
}

test('records what every attempt sends, with ascending ids', () => {
  const custom: Subscription = { ...dingtalk, channel: 'custom', secret: 's3cr3t', url: 'http://x.example/' };
  const [first, second] = record({ 'webhook.body-style': 'compact' }, custom, custom);
  expect(second).toEqual({ ...first, id: 2 });
  expect(first).toEqual({
    ...{ id: 1, siteId: 1, subscriptionId: 7, event: 'form.submit', channel: 'custom', isTest: false },
    ...{
      createdAt: at,
      url: 'http://x.example/',
      state: 'pending',
      retries: 0,
      nextAttemptAt: at,
      attempts: [],
    },
    body: '{"event":"form.submit","timestamp":"2023-11-15T06:13:20+08:00","site_id":1,"site_name":"x","data":{}}',
    signature: expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
  });
});

const signedUrl =
  'https://oapi.example/robot/send?access_token=t&sign=MGTSynT35H3YyJy6IMPL8G%2ByYna%2BgwkBH%2F0Cd4%2Ba2hI%3D&timestamp=1700000000000';

test.each<[string, string, Subscription, string]>([
  ['has DingTalk’s own sign, once', 'vendor', dingtalk, signedUrl],
  ['is unchanged when the profile has no vendor sign', 'none', dingtalk, dingtalk.url],
  ['of another channel is unchanged', 'vendor', { ...dingtalk, channel: 'wecom' }, dingtalk.url],
])('the URL %s', (_case, sign, subscription, url) => {
  const [delivery] = record({ 'webhook.robot-sign': sign }, subscription);
  expect(delivery).toMatchObject({ url, signature: expect.stringMatching(/^sha256=/) });
});

async function open(gaps: Record<string, unknown>, values: Record<string, unknown> = {}, status = 200) {
  const mock = openMock(profileWith(gaps));
  const receiver = await openReceiver(() => ({ status }));
  onTestFinished(() => mock.app.close());
  const request = subscriptionRequest({ url: `${receiver.url}/x`, events: ['content.update'], ...values });
  const { id } = (await mock.perform('createSubscription', request, mock.harbourKey)).values;
  const { scheduler } = mock.service;
  const wait = (ms: number) => scheduler.advance(mock.clock.time + ms);
  return { mock, receiver, id, wait, scheduler };
}

test('pushes of events and tests are sent after the latency', async () => {
  const { mock, receiver, id, wait } = await open({ 'webhook.latency': 12 });
  mock.control.causeEvent({ event: 'content.update', site_id: 101 });
  await mock.perform('testSubscription', { siteID: 101, id }, mock.harbourKey);
  await wait(11_999);
  expect(receiver.received).toHaveLength(0);
  await wait(1);
  expect(receiver.received).toHaveLength(2);
});

test('a test whose answer says whether it was delivered is sent at once', async () => {
  const gaps = { 'webhook.latency': 12, 'hook-test.delivered': '/data/delivered' };
  const { mock, receiver, id } = await open(gaps);
  const { values } = await mock.perform('testSubscription', { siteID: 101, id }, mock.harbourKey);
  expect([values.delivered, receiver.received.length]).toEqual([true, 1]);
});

test('retries are late by no more than the profile says, and not all by the same', async () => {
  const { mock, wait } = await open({ 'webhook.retry-delay': 40 }, {}, 500);
  for (let count = 0; count < 8; count++) {
    mock.control.causeEvent({ event: 'content.update', site_id: 101, data: { count } });
    await wait(1_000);
  }
  await wait(40 * 60_000);
  const late = [...mock.service.world.deliveries.values()].flatMap(({ attempts }) =>
    retryDelaysMs.map((delay, retry) => (attempts[retry + 1]?.at ?? 0) - (attempts[retry]?.at ?? 0) - delay),
  );
  expect(late).toHaveLength(24);
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
  // While the clock is moved, jobs that are close to each other run together.
  expect(Math.max(...late)).toBeLessThanOrEqual(41_000);
  expect(Math.max(...late) - Math.min(...late)).toBeGreaterThan(15_000);
});

test('a new target gets a greeting, signed, which is neither retried nor in the log', async () => {
  const gaps = { 'subscription.greeting': 'on-creation' };
  const { mock, receiver, id, wait, scheduler } = await open(gaps, { secret: 's' }, 500);
  await scheduler.settle();
  const [greeting] = receiver.received;
  expect(JSON.parse(greeting?.body ?? '')).toEqual({
    type: 'url_verification',
    challenge: expect.stringMatching(/^[0-9a-f]{16}$/),
    sent_at: '2026-01-02T11:04:05+08:00',
  });
  expect(greeting?.headers).toMatchObject({
    'x-webhook-event': 'webhook.greeting',
    'x-webhook-signature': expect.stringMatching(/^sha256=/),
  });
  await wait(40 * 60_000);
  expect(receiver.received).toHaveLength(1);
  const log = await mock.perform('listDeliveries', { siteID: 101, subscriptionID: id }, mock.harbourKey);
  expect(log.values.total).toBe(0);
});
