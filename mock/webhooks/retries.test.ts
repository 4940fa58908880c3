import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Profile } from '../../openapi/profile.ts';
import {
  openMock,
  openReceiver,
  profileWith,
  subscriptionRequest,
  type TestMock,
} from '../testing/open-mock.ts';
import type { Delivery } from '../world/entries.ts';

function open(profile?: Profile): TestMock {
  const mock = openMock(profile);
  onTestFinished(() => mock.app.close());
  return mock;
}

const minute = 60_000;

/** Subscribes a target, publishes, and moves the clock. */
async function publishAndWait(mock: TestMock, values: Record<string, unknown>, ms = 60 * minute) {
  const { perform, harbourKey, service } = mock;
  await perform('createSubscription', subscriptionRequest(values), harbourKey);
  await perform('publishSite', { siteID: 101, note: 'x' }, harbourKey);
  await service.scheduler.advance(service.clock.now() + ms);
  return lastDelivery(mock);
}

function lastDelivery({ service }: TestMock): Delivery {
  const delivery = service.world.deliveries.get(service.world.counters.delivery);
  if (!delivery) throw new Error('nothing was delivered');
  return delivery;
}

function minutesOf({ createdAt, attempts }: Delivery): number[] {
  return attempts.map(({ at }) => (at - createdAt) / minute);
}

test.each([
  ['previous-attempt', [0, 1, 6, 36]],
  ['first-attempt', [0, 1, 5, 30]],
])('after the first failure there are three retries, counted from the %s', async (anchor, want) => {
  const receiver = await openReceiver(() => ({ status: 500 }));
  const mock = open(profileWith({ 'webhook.retry-anchor': anchor }));
  const delivery = await publishAndWait(mock, { url: receiver.url });
  expect([minutesOf(delivery), delivery.state]).toEqual([want, 'given-up']);
  expect(delivery.attempts.map(({ cause }) => cause)).toEqual(['event', 'retry', 'retry', 'retry']);
  expect(receiver.received).toHaveLength(4);
});

test('the last retry comes after 36 minutes, and not a millisecond earlier', async () => {
  const receiver = await openReceiver(() => ({ status: 500 }));
  const mock = open();
  const delivery = await publishAndWait(mock, { url: receiver.url }, 36 * minute - 1);
  expect([delivery.attempts.length, delivery.state, delivery.nextAttemptAt]).toEqual([
    3,
    'pending',
    delivery.createdAt + 36 * minute,
  ]);
  await mock.service.scheduler.advance(mock.service.clock.now() + 1);
  expect([delivery.attempts.length, delivery.state]).toEqual([4, 'given-up']);
});

test.each([
  ['renewed', [0, 60, 360, 2160]],
  ['same', [0, 0, 0, 0]],
])('every attempt sends the same bytes and signature; the timestamp is %s', async (value, seconds) => {
  const receiver = await openReceiver(() => ({ status: 404 }));
  const mock = open(profileWith({ 'webhook.retry-timestamp': value }));
  const { createdAt } = await publishAndWait(mock, { url: receiver.url, secret: '密钥' });
  const [first] = receiver.received;
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  const signature = `sha256=${createHmac('sha256', '密钥')
    .update(first?.body ?? '')
    .digest('hex')}`;
  expect(receiver.received.map(({ headers }) => headers['x-webhook-signature'])).toEqual(
    Array.from({ length: 4 }, () => signature),
  );
  const start = Math.floor(createdAt / 1000);
  expect(receiver.received.map(({ headers }) => Number(headers['x-webhook-timestamp']) - start)).toEqual(
    seconds,
  );
});

test.each([200, 201, 204, 299])('%i ends the retries', async (status) => {
  let count = 0;
  const receiver = await openReceiver(() => ({ status: ++count === 2 ? status : 503 }));
  const delivery = await publishAndWait(open(), { url: receiver.url });
  expect([minutesOf(delivery), delivery.state]).toEqual([[0, 1], 'delivered']);
});

describe('is retried', () => {
  test.each([301, 302, 304, 307, 400, 404, 410, 429, 500, 503])('%i', async (status) => {
    const receiver = await openReceiver(() => ({ status, location: '/elsewhere' }));
    const delivery = await publishAndWait(open(), { url: `${receiver.url}/` }, minute);
    expect([minutesOf(delivery), delivery.state]).toEqual([[0, 1], 'pending']);
    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/']));
  });

  test('a closed port, an unknown host, and bad TLS', async () => {
    const receiver = await openReceiver(() => ({ status: 200 }));
    for (const [url, error] of [
      ['http://127.0.0.1:1/', /ECONNREFUSED/],
      ['http://host.invalid/', /ENOTFOUND|EAI_AGAIN/],
      [receiver.url.replace('http:', 'https:'), /SSL|TLS/i],
    ] as const) {
      const delivery = await publishAndWait(open(), { url }, minute);
      const outcomes = delivery.attempts.map(({ outcome }) => ('error' in outcome ? outcome.error : outcome));
      expect([url, outcomes]).toEqual([url, [expect.stringMatching(error), expect.stringMatching(error)]]);
    }
  });

  test('a connection that is reset', async () => {
    const receiver = await openReceiver(() => 'reset');
    const delivery = await publishAndWait(open(), { url: receiver.url }, minute);
    expect(delivery.attempts.map(({ outcome }) => outcome)).toEqual([
      { error: expect.stringMatching(/ECONNRESET/) },
      { error: expect.stringMatching(/ECONNRESET/) },
    ]);
  });
});

test('a redirect is followed when the profile says so, and is retried nevertheless', async () => {
  const receiver = await openReceiver((path) =>
    path === '/' ? { status: 302, location: '/other' } : { status: 200 },
  );
  const mock = open(profileWith({ 'webhook.redirects': 'followed' }));
  const delivery = await publishAndWait(mock, { url: `${receiver.url}/` }, minute);
  expect([delivery.state, receiver.received.map(({ path }) => path)]).toEqual([
    'pending',
    ['/', '/other', '/', '/other'],
  ]);
});

test.for([
  [200, 'delivered', ['/', '/other']],
  [500, 'pending', ['/', '/other', '/', '/other']],
] as const)(
  'where the answer of the target of a redirect counts, %i leaves the push %s',
  async ([status, state, paths]) => {
    const receiver = await openReceiver((path) =>
      path === '/' ? { status: 302, location: '/other' } : { status },
    );
    const mock = open(profileWith({ 'webhook.redirects': 'counted' }));
    const delivery = await publishAndWait(mock, { url: `${receiver.url}/` }, minute);
    expect([delivery.state, receiver.received.map(({ path }) => path)]).toEqual([state, paths]);
  },
);

test.each([
  ['delivered', 'delivered', 1],
  ['failed', 'given-up', 4],
])(
  'a robot that refuses with status 200 counts as %s when the profile says so',
  async (value, state, attempts) => {
    const body = '{"errcode":93000,"errmsg":"invalid webhook url"}';
    const receiver = await openReceiver(() => ({ status: 200, body }));
    const mock = open(profileWith({ 'webhook.robot-refusal': value }));
    const delivery = await publishAndWait(mock, { url: receiver.url, channel: 'wecom' });
    expect([delivery.state, delivery.attempts.length, delivery.attempts[0]?.outcome]).toEqual([
      state,
      attempts,
      { status: 200, body, refusal: '93000: invalid webhook url' },
    ]);
  },
);

test.each([
  ['not-retried', 1],
  ['retried', 4],
])('a test message that fails is %s', async (value, attempts) => {
  const receiver = await openReceiver(() => ({ status: 500 }));
  const mock = open(profileWith({ 'hook-test.retried': value }));
  const { perform, harbourKey, service } = mock;
  await perform('createSubscription', subscriptionRequest({ url: receiver.url }), harbourKey);
  await perform('testSubscription', { siteID: 101, id: 1 }, harbourKey);
  await service.scheduler.advance(service.clock.now() + 60 * minute);
  expect([lastDelivery(mock).attempts.length, lastDelivery(mock).state]).toEqual([attempts, 'given-up']);
});

test('a subscription that is deleted gets no more retries', async () => {
  const receiver = await openReceiver(() => ({ status: 500 }));
  const mock = open();
  await publishAndWait(mock, { url: receiver.url }, minute);
  await mock.perform('deleteSubscription', { siteID: 101, subscriptionID: 1 }, mock.harbourKey);
  await mock.service.scheduler.advance(mock.service.clock.now() + 60 * minute);
  expect([lastDelivery(mock).attempts.length, lastDelivery(mock).state]).toEqual([2, 'given-up']);
});

test('1,000 deliveries to a dead target do not delay 1,000 to a live one', async () => {
  const dead = await openReceiver(() => undefined);
  const live = await openReceiver(() => ({ status: 200 }));
  const mock = open(profileWith({ 'webhook.timeout': 300 }));
  const { perform, harbourKey } = mock;
  for (const { url } of [dead, live])
    await perform('createSubscription', subscriptionRequest({ url, events: ['form.submit'] }), harbourKey);
  for (let count = 0; count < 1000; count++)
    await perform('submitForm', { siteID: 101, form: 'f', fields: {} });
  const states = () => [...mock.service.world.deliveries.values()].map(({ state }) => state);
  while (states().filter((state) => state === 'delivered').length < 1000)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect([live.received.length, states().filter((state) => state === 'pending').length]).toEqual([
    1000, 1000,
  ]);
});
