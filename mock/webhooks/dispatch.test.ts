import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { EventName } from '../../openapi/generated/types.ts';
import { loadProfile, type Profile } from '../../openapi/profile.ts';
import { readDescription, resolve } from '../../openapi/resolve.ts';
import { createValidator } from '../../openapi/validate.ts';
import { promiseOf } from '../clock/work.ts';
import {
  openMock,
  openReceiver,
  profileNames,
  profileWith,
  type Received,
  subscriptionRequest,
  type TestMock,
} from '../testing/open-mock.ts';
import type { Subscription } from '../world/entries.ts';
import type { Turn } from '../world/turn.ts';
import { createDispatcher } from './dispatch.ts';
import { testPush } from './event-values.ts';
import { renderBody } from './render.ts';
import { createSender } from './send.ts';

function open(profile?: Profile): TestMock {
  const mock = openMock(profile);
  onTestFinished(() => mock.app.close());
  return mock;
}

/** Creates a subscription and tests it. */
async function startTest({ perform, harbourKey }: TestMock, values: Record<string, unknown>) {
  const { id } = (await perform('createSubscription', subscriptionRequest(values), harbourKey)).values;
  return perform('testSubscription', { siteID: 101, id }, harbourKey);
}

/** The same, and waits for the delivery. */
async function sendTest(mock: TestMock, values: Record<string, unknown>) {
  const answer = await startTest(mock, values);
  await mock.service.scheduler.settle();
  const { deliveries, counters } = mock.service.world;
  const delivery = deliveries.get(counters.delivery);
  return { ...answer, delivery, outcome: delivery?.attempts[0]?.outcome };
}

/** Computed as a receiver does it. */
function signatureOf({ body }: Received, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

test.each(profileNames)('%s: a test push is signed over the bytes that arrive', async (name) => {
  const profile = loadProfile(name);
  const receiver = await openReceiver(() => ({ status: 204 }));
  const mock = open(profile);
  const { mismatches, status } = await sendTest(mock, { url: `${receiver.url}/hook?a=1`, secret: '密钥' });
  expect([status, mismatches]).toEqual([profile.values['hook-test.status'], []]);
  expect(receiver.received).toHaveLength(1);
  const [push = expect.fail('nothing arrived')] = receiver.received;
  const { method, path, headers } = push;
  const type = profile.values['webhook.content-type'];
  expect([method, path, headers['content-type']]).toEqual(['POST', '/hook?a=1', type]);
  const signature = String(headers['x-webhook-signature']);
  expect(signature.toLowerCase()).toBe(signatureOf(push, '密钥'));
  expect(signature === signature.toLowerCase()).toBe(profile.values['webhook.signature-hex'] === 'lower');
  const unit = profile.values['webhook.timestamp-unit'] === 'seconds' ? 1000 : 1;
  expect(headers['x-webhook-timestamp']).toBe(String(mock.clock.time / unit));
});

test('the body follows section 6.3, and nothing is signed without a secret', async () => {
  const receiver = await openReceiver(() => ({ status: 200 }));
  await sendTest(open(), { url: receiver.url, events: ['publish.failed'] });
  const [push] = receiver.received;
  expect(push?.body).toBe(
    '{"event": "publish.failed", "timestamp": "2026-01-02T11:04:05+08:00", "site_id": 101, "site_name": "海港咖啡馆", "data": {"message": "测试消息 / This is a test message."}}',
  );
  expect(Object.keys(push?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([]);
});

test('the log has the sent message and the answer', async () => {
  const receiver = await openReceiver(() => ({ status: 200, body: '{"errcode":0}' }));
  const { delivery } = await sendTest(open(), { url: receiver.url, secret: 's' });
  const [{ body, headers } = expect.fail('nothing arrived')] = receiver.received;
  expect(delivery).toMatchObject({
    ...{ event: 'publish.complete', isTest: true, url: receiver.url, body, state: 'delivered' },
    attempts: [
      {
        ...{ at: delivery?.createdAt, cause: 'event', durationMs: 0 },
        outcome: { status: 200, body: '{"errcode":0}' },
      },
    ],
  });
  for (const [name, value] of Object.entries(delivery?.attempts[0]?.requestHeaders ?? {}))
    expect(headers[name.toLowerCase()]).toBe(value);
});

test('the log has the beginning of an endless answer', async () => {
  const answer = { status: 200, body: 'a'.repeat(5_000_000), isEndless: true };
  const receiver = await openReceiver(() => answer);
  const { outcome } = await sendTest(open(), { url: receiver.url });
  expect(outcome).toEqual({ status: 200, body: 'a'.repeat(16_384) });
});

test('a slow target does not delay the answer', async () => {
  const receiver = await openReceiver(() => undefined);
  const mock = open(profileWith({ 'webhook.timeout': 1 }));
  const { envelope } = await startTest(mock, { url: receiver.url });
  expect([envelope.code, mock.service.world.deliveries.get(1)?.state]).toEqual([0, 'pending']);
});

test.each([
  [200, true],
  [500, false],
])(
  'when the answer reports the delivery, it reports a target that answers %i as %s',
  async (status, delivered) => {
    const receiver = await openReceiver(() => ({ status }));
    const { values } = await sendTest(open(loadProfile('always-200-camel-case')), { url: receiver.url });
    expect(values).toEqual({ delivered });
  },
);

test('closing aborts pending requests, and later pushes are not sent', async () => {
  const receiver = await openReceiver(() => undefined);
  const mock = open();
  const { service, perform, harbourKey } = mock;
  await startTest(mock, { url: receiver.url });
  await expect.poll(() => receiver.received.length).toBe(1);
  service.dispatcher.close();
  await perform('testSubscription', { siteID: 101, id: 1 }, harbourKey);
  await service.scheduler.settle();
  const outcomes = [...service.world.deliveries.values()].map(({ attempts }) => attempts[0]?.outcome);
  expect(outcomes).toEqual([{ error: 'the mock was closed' }, { error: 'the mock was closed' }]);
});

test('while a push waits for its turn, what the log has dropped is not sent, and all others are', async () => {
  const receiver = await openReceiver(() => ({ status: 200 }));
  const { perform, harbourKey, service } = open();
  const values = subscriptionRequest({ url: receiver.url, events: ['comment.created'] });
  await perform('createSubscription', values, harbourKey);
  const { deliveries, jobs } = service.world;
  for (let count = 0; count < 20; count++)
    service.dispatcher.emit({ event: 'comment.created', at: service.clock.now(), site, data: {} });
  // Attempted by hand; sixteen are under way at a time.
  jobs.clear();
  const attempts = [...deliveries.keys()].map((id) => {
    const attempt = service.dispatcher.begin(id, 'event');
    return attempt && promiseOf(attempt);
  });
  deliveries.delete(20);
  await Promise.all(attempts);
  expect(receiver.received).toHaveLength(19);
  expect([...deliveries.values()].map(({ state }) => state)).toEqual(Array(19).fill('delivered'));
});

test('a test push that is awaited is not sent before a store has persisted it', async () => {
  const { service } = open();
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
])('by "%s", with %j chosen and %s asked for, the event is %s', (choice, chosen, named, want) => {
  const profile = (body: string) => profileWith({ 'hook-test.event': choice, 'hook-test.body': body });
  const push = { event: want, at: 5, site };
  expect(testOf(profile('event'), chosen, named)).toMatchObject({ ...push, test: { ownBody: false } });
  expect(testOf(profile('other'), chosen, named)).toMatchObject({ ...push, test: { ownBody: true } });
});

test.each(profileNames)('%s: a test message of each event has the described body', (name) => {
  const profile = profileWith({ 'hook-test.body': 'event', 'hook-test.event': 'subscribed' }, name);
  const validate = createValidator(resolve(profile));
  for (const event of events) {
    const body = renderBody(testOf(profile, [event]), subscriptionTo(event), profile);
    const pointer = `/webhooks/${event}/post/requestBody/content/application~1json/schema`;
    expect([event, validate(pointer, JSON.parse(body))]).toEqual([event, []]);
  }
});
