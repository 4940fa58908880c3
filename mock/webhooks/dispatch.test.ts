import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
import { readDescription, resolve } from '../../openapi/resolve.ts';
import { createValidator } from '../../openapi/validate.ts';
import { promiseOf } from '../clock/work.ts';
import { openMock, openReceiver, profileNames, profileWith } from '../testing/open-mock.ts';
import type { Subscription } from '../world/entries.ts';
import { emptyWorld } from '../world/testing.ts';
import type { Turn } from '../world/turn.ts';
import { recordDelivery, retryDelaysMs } from './delivery-steps.ts';
import { createDispatcher } from './dispatch.ts';
import { testPush } from './event-values.ts';
import { renderBody } from './render.ts';
import { createSender } from './send.ts';
import { openSubscribed } from './testing.ts';

test.each(profileNames)('%s: signs a test push over the received bytes', async (name) => {
  const urlOf = (own: string) => `${own}?a=1`;
  const mock = await openSubscribed(() => ({ status: 204 }), { name, urlOf, values: { secret: '密钥' } });
  const { values } = mock.profile;
  const { mismatches, status } = await mock.sendTest();
  expect([status, mismatches]).toEqual([values['hook-test.status'], []]);
  expect(mock.received).toHaveLength(1);
  const [{ method, path, headers, body } = expect.fail('nothing arrived')] = mock.received;
  expect([method, path, headers['content-type']]).toEqual(['POST', '/x?a=1', values['webhook.content-type']]);
  const signature = String(headers['x-webhook-signature']);
  expect(signature.toLowerCase()).toBe(`sha256=${createHmac('sha256', '密钥').update(body).digest('hex')}`);
  expect(signature === signature.toLowerCase()).toBe(values['webhook.signature-hex'] === 'lower');
  const unit = values['webhook.timestamp-unit'] === 'seconds' ? 1000 : 1;
  expect(headers['x-webhook-timestamp']).toBe(String(mock.clock.time / unit));
});

test('writes the body of section 6.3, and signs nothing without a secret', async () => {
  const { received, sendTest } = await openSubscribed(undefined, { values: { events: ['publish.failed'] } });
  await sendTest();
  const [push] = received;
  expect(push?.body).toBe(
    '{"event": "publish.failed", "timestamp": "2026-01-02T11:04:05+08:00", "site_id": 101, "site_name": "海港咖啡馆", "data": {"message": "测试消息 / This is a test message."}}',
  );
  expect(Object.keys(push?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([]);
});

test.each([
  ['a short answer', { status: 200, body: '{"errcode":0}' }, '{"errcode":0}'],
  [
    'the beginning of an endless answer',
    { status: 200, body: 'a'.repeat(5e6), isEndless: true },
    'a'.repeat(16_384),
  ],
])('logs the sent message and the answer: %s', async (_what, answer, logged) => {
  const { sendTest, deliveries, received, url } = await openSubscribed(() => answer);
  await sendTest();
  const [{ body, headers } = expect.fail('nothing arrived')] = received;
  const [delivery] = deliveries();
  expect(delivery).toMatchObject({
    ...{ event: 'content.update', isTest: true, url: `${url}/x`, body, state: 'delivered' },
    attempts: [
      { at: delivery?.createdAt, cause: 'event', durationMs: 0, outcome: { status: 200, body: logged } },
    ],
  });
  for (const [name, value] of Object.entries(delivery?.attempts[0]?.requestHeaders ?? {}))
    expect(headers[name.toLowerCase()]).toBe(value);
});

test.each([
  [200, true],
  [500, false],
])('an answer that reports the test delivery has no latency, and reports %i as %s', async (status, want) => {
  const gaps = { 'webhook.latency': 12, 'hook-test.delivered': '/data/delivered' };
  const { startTest, received } = await openSubscribed(() => ({ status }), { gaps });
  expect([(await startTest()).values, received.length]).toEqual([{ delivered: want }, 1]);
});

test('sends pushes of events and tests after the latency', async () => {
  const gaps = { 'webhook.latency': 12 };
  const { update, startTest, wait, received } = await openSubscribed(undefined, { gaps });
  update();
  await startTest();
  await wait(11_999);
  expect(received).toHaveLength(0);
  await wait(1);
  expect(received).toHaveLength(2);
});

test('closing aborts pending requests, and sends no later push', async () => {
  const { startTest, sendTest, received, service, deliveries } = await openSubscribed(() => undefined);
  await startTest();
  await expect.poll(() => received.length).toBe(1);
  service.dispatcher.close();
  await sendTest();
  const outcomes = deliveries().map(({ attempts }) => attempts[0]?.outcome);
  expect(outcomes).toEqual([{ error: 'the mock was closed' }, { error: 'the mock was closed' }]);
});

test('does not send a waiting push that the log has evicted', async () => {
  const { service, update, received } = await openSubscribed();
  const { deliveries, jobs } = service.world;
  update(20);
  // Sixteen attempts run at a time.
  jobs.clear();
  const attempts = [...deliveries.keys()].map((id) => {
    const attempt = service.dispatcher.begin(id, 'event');
    return attempt && promiseOf(attempt);
  });
  deliveries.delete(20);
  await Promise.all(attempts);
  expect(received).toHaveLength(19);
  expect([...deliveries.values()].map(({ state }) => state)).toEqual(Array(19).fill('delivered'));
});

test('does not send an awaited test push before the store has persisted it', async () => {
  const { service } = openMock();
  const turn: Turn = () => Promise.reject(new Error('the disk is full'));
  const { world, steps, profile, clock, scheduler, settings } = service;
  const sender = createSender({ ...settings, profile });
  const dispatcher = createDispatcher(
    { world, steps, profile, clock, scheduler, turn },
    { sender, varyBody: undefined, unknownAtFirstMs: 0, onAttempt: () => {} },
  );
  const receiver = await openReceiver(() => ({ status: 200 }));
  const push = { event: 'webhook.test', at: clock.now(), site, data: {}, test: { ownBody: false } };
  const sent = dispatcher.test(push, { ...subscriptionTo(), url: receiver.url });
  await expect(sent).rejects.toThrow('the disk is full');
  expect(receiver.received).toEqual([]);
});

const site = { id: 101, tenantId: 1, name: '海港咖啡馆', version: 0, lastVersion: 0, createdAt: 0 };
const events = Object.keys(readDescription('site-publishing.yaml').webhooks) as EventName[];

function subscriptionTo(...chosen: EventName[]): Subscription {
  return { id: 1, siteId: 101, url: 'http://x.example', events: chosen, channel: 'custom', createdAt: 0 };
}

function testOf(profile: Profile, chosen: EventName[], named?: EventName) {
  return testPush({ profile, now: 5 }, { site, subscription: subscriptionTo(...chosen), named });
}

test.each<[string, EventName[], EventName | undefined, string]>([
  ['subscribed', ['form.submit', 'content.update'], undefined, 'form.submit'],
  ['subscribed', [], undefined, 'publish.complete'],
  ['content.delete', ['form.submit'], undefined, 'content.delete'],
  ['webhook.test', ['form.submit'], undefined, 'webhook.test'],
  ['webhook.test', ['form.submit'], 'comment.created', 'comment.created'],
])('with "%s", %j subscribed and %s requested, the test event is %s', (choice, chosen, named, want) => {
  const profile = (body: string) => profileWith({ 'hook-test.event': choice, 'hook-test.body': body });
  const push = { event: want, at: 5, site };
  expect(testOf(profile('event'), chosen, named)).toMatchObject({ ...push, test: { ownBody: false } });
  expect(testOf(profile('other'), chosen, named)).toMatchObject({ ...push, test: { ownBody: true } });
});

test.each(profileNames)('%s: the test message of each event has the described body', (name) => {
  const profile = profileWith({ 'hook-test.body': 'event', 'hook-test.event': 'subscribed' }, name);
  const validate = createValidator(resolve(profile));
  for (const event of events) {
    const body = renderBody(testOf(profile, [event]), subscriptionTo(event), profile);
    const pointer = `/webhooks/${event}/post/requestBody/content/application~1json/schema`;
    expect([event, validate(pointer, JSON.parse(body))]).toEqual([event, []]);
  }
});

const robotUrl = 'https://oapi.example/robot/send?access_token=t&sign=old&timestamp=1';
const signedUrl =
  'https://oapi.example/robot/send?access_token=t&sign=MGTSynT35H3YyJy6IMPL8G%2ByYna%2BgwkBH%2F0Cd4%2Ba2hI%3D&timestamp=1700000000000';

test.each([
  ['has DingTalk’s own sign, once', 'vendor', 'dingtalk', signedUrl],
  ['is unchanged when the profile has no vendor sign', 'none', 'dingtalk', robotUrl],
  ['of another channel is unchanged', 'vendor', 'wecom', robotUrl],
] as const)('the target URL %s', (_case, sign, channel, url) => {
  const profile = profileWith({ 'webhook.robot-sign': sign });
  const subscription = { ...subscriptionTo(), channel, secret: 'SECthis-is-secret', url: robotUrl };
  const push = { event: 'form.submit', at: 1_700_000_000_000, site, data: {} };
  const delivery = recordDelivery({ world: emptyWorld(), profile }, push, subscription);
  expect(delivery).toMatchObject({ url, signature: expect.stringMatching(/^sha256=/) });
});

test('delays retries randomly, up to the limit of the profile', async () => {
  const gaps = { 'webhook.retry-delay': 40 };
  const { update, wait, deliveries } = await openSubscribed(() => ({ status: 500 }), { gaps });
  for (let count = 0; count < 8; count++) {
    update();
    await wait(1_000);
  }
  await wait(40 * 60_000);
  const late = deliveries().flatMap(({ attempts }) =>
    retryDelaysMs.map((delay, retry) => (attempts[retry + 1]?.at ?? 0) - (attempts[retry]?.at ?? 0) - delay),
  );
  expect(late).toHaveLength(24);
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
  // A clock move runs jobs within a second together.
  expect(Math.max(...late)).toBeLessThanOrEqual(41_000);
  expect(Math.max(...late) - Math.min(...late)).toBeGreaterThan(15_000);
});

test('greets a new target with a signed push that is neither retried nor listed', async () => {
  const wanted = { gaps: { 'subscription.greeting': 'on-creation' }, values: { secret: 's' } };
  const mock = await openSubscribed(() => ({ status: 500 }), wanted);
  await mock.service.scheduler.settle();
  const [greeting] = mock.received;
  expect(JSON.parse(greeting?.body ?? '')).toEqual({
    type: 'url_verification',
    challenge: expect.stringMatching(/^[0-9a-f]{16}$/),
    sent_at: '2026-01-02T11:04:05+08:00',
  });
  expect(greeting?.headers).toMatchObject({
    'x-webhook-event': 'webhook.greeting',
    'x-webhook-signature': expect.stringMatching(/^sha256=/),
  });
  await mock.wait(40 * 60_000);
  expect(mock.received).toHaveLength(1);
  const about = { siteID: 101, subscriptionID: mock.id };
  expect((await mock.perform('listDeliveries', about, mock.harbourKey)).values.total).toBe(0);
});
