import { createHmac } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openMock, openReceiver, profileWith, subscriptionRequest } from '../testing/open-mock.ts';

type Respond = Parameters<typeof openReceiver>[0];

const minute = 60_000;

interface Waiting {
  gaps?: Record<string, unknown>;
  values?: Record<string, unknown>;
  ms?: number;
  /** Where the subscription leads instead. */
  urlOf?: (own: string) => string;
}

/** Subscribes a receiver that answers so, publishes, and moves the clock. */
async function publishTo(respond: Respond, waiting: Waiting = {}) {
  const { gaps = {}, values = {}, ms = 60 * minute, urlOf = (own) => own } = waiting;
  const receiver = await openReceiver(respond);
  const mock = openMock(profileWith(gaps));
  onTestFinished(() => mock.app.close());
  const { perform, harbourKey, service, clock } = mock;
  const request = subscriptionRequest({ url: urlOf(`${receiver.url}/`), ...values });
  await perform('createSubscription', request, harbourKey);
  await perform('publishSite', { siteID: 101, note: 'x' }, harbourKey);
  await service.scheduler.advance(clock.time + ms);
  const [delivery = expect.fail('nothing was delivered')] = service.world.deliveries.values();
  const minutes = () => delivery.attempts.map(({ at }) => (at - delivery.createdAt) / minute);
  const { received } = receiver;
  return { ...mock, received, delivery, minutes, paths: received.map(({ path }) => path) };
}

const fail: Respond = () => ({ status: 500 });

test.each([
  ['previous-attempt', [0, 1, 6, 36]],
  ['first-attempt', [0, 1, 5, 30]],
])('after the first failure there are three retries, counted from the %s', async (anchor, want) => {
  const { delivery, minutes, received } = await publishTo(fail, { gaps: { 'webhook.retry-anchor': anchor } });
  expect([minutes(), delivery.state]).toEqual([want, 'given-up']);
  expect(delivery.attempts.map(({ cause }) => cause)).toEqual(['event', 'retry', 'retry', 'retry']);
  expect(received).toHaveLength(4);
});

test('the last retry comes after 36 minutes, and not a millisecond earlier', async () => {
  const { delivery, service, clock } = await publishTo(fail, { ms: 36 * minute - 1 });
  const last = delivery.createdAt + 36 * minute;
  expect([delivery.attempts.length, delivery.state, delivery.nextAttemptAt]).toEqual([3, 'pending', last]);
  await service.scheduler.advance(clock.time + 1);
  expect([delivery.attempts.length, delivery.state]).toEqual([4, 'given-up']);
});

test.each([
  ['renewed', [0, 60, 360, 2160]],
  ['same', [0, 0, 0, 0]],
])('every attempt sends the same bytes and signature; the timestamp is %s', async (value, seconds) => {
  const gaps = { 'webhook.retry-timestamp': value };
  const { delivery, received } = await publishTo(fail, { gaps, values: { secret: '密钥' } });
  const [{ body } = expect.fail('nothing arrived')] = received;
  const signature = `sha256=${createHmac('sha256', '密钥').update(body).digest('hex')}`;
  const start = Math.floor(delivery.createdAt / 1000);
  expect(
    received.map((push) => [
      push.body,
      push.headers['x-webhook-signature'],
      Number(push.headers['x-webhook-timestamp']) - start,
    ]),
  ).toEqual(seconds.map((late) => [body, signature, late]));
});

test.each([200, 201, 204, 299])('%i ends the retries', async (status) => {
  let count = 0;
  const { delivery, minutes } = await publishTo(() => ({ status: ++count === 2 ? status : 503 }));
  expect([minutes(), delivery.state]).toEqual([[0, 1], 'delivered']);
});

describe('is retried', () => {
  test.each([301, 302, 304, 307, 400, 404, 410, 429, 500, 503])('%i', async (status) => {
    const respond = () => ({ status, location: '/elsewhere' });
    const { delivery, minutes, paths } = await publishTo(respond, { ms: minute });
    expect([minutes(), delivery.state, paths]).toEqual([[0, 1], 'pending', ['/', '/']]);
  });

  test.each<[string, Waiting['urlOf'], Respond, RegExp]>([
    ['a closed port', () => 'http://127.0.0.1:1/', fail, /^ECONNREFUSED/],
    ['an unknown host', () => 'http://host.invalid/', fail, /^(ENOTFOUND|EAI_AGAIN)/],
    ['a connection that is reset', undefined, () => 'reset', /^ECONNRESET/],
    ['a missing answer', undefined, () => undefined, /^no complete answer within 1 s$/],
    ['bad TLS', (own) => own.replace('http:', 'https:'), fail, /SSL|TLS/i],
  ])('%s', async (_case, urlOf = (own) => own, respond, error) => {
    const gaps = { 'webhook.timeout': 1 };
    const { delivery } = await publishTo(respond, { gaps, urlOf, ms: minute });
    const outcome = { error: expect.stringMatching(error) };
    expect(delivery.attempts.map((attempt) => attempt.outcome)).toEqual([outcome, outcome]);
  });
});

test.for([
  ['followed', 200, 'pending', ['/', '/other', '/', '/other']],
  ['counted', 200, 'delivered', ['/', '/other']],
  ['counted', 500, 'pending', ['/', '/other', '/', '/other']],
] as const)('a redirect that is %s to a %i leaves the push %s', async ([redirects, status, state, want]) => {
  const respond = (path: string) => (path === '/' ? { status: 302, location: '/other' } : { status });
  const gaps = { 'webhook.redirects': redirects };
  const { delivery, paths } = await publishTo(respond, { gaps, ms: minute });
  expect([delivery.state, paths]).toEqual([state, want]);
});

test.each([
  ['delivered', 'delivered', 1],
  ['failed', 'given-up', 4],
])('a robot that refuses with status 200 counts as %s by the profile', async (value, state, most) => {
  const body = '{"errcode":93000,"errmsg":"invalid webhook url"}';
  const options = { gaps: { 'webhook.robot-refusal': value }, values: { channel: 'wecom' } };
  const { delivery } = await publishTo(() => ({ status: 200, body }), options);
  const { state: ended, attempts } = delivery;
  const outcome = { status: 200, body, refusal: '93000: invalid webhook url' };
  expect([ended, attempts.length, attempts[0]?.outcome]).toEqual([state, most, outcome]);
});

test.each([
  ['not-retried', 1],
  ['retried', 4],
])('a test message that fails is %s', async (value, attempts) => {
  const gaps = { 'hook-test.retried': value };
  const { perform, harbourKey, service, clock } = await publishTo(fail, { gaps });
  await perform('testSubscription', { siteID: 101, id: 1 }, harbourKey);
  await service.scheduler.advance(clock.time + 60 * minute);
  const tested = service.world.deliveries.get(2);
  expect([tested?.attempts.length, tested?.state]).toEqual([attempts, 'given-up']);
});

test('a subscription that is deleted gets no more retries', async () => {
  const { perform, harbourKey, service, clock, delivery } = await publishTo(fail, { ms: minute });
  await perform('deleteSubscription', { siteID: 101, subscriptionID: 1 }, harbourKey);
  await service.scheduler.advance(clock.time + 60 * minute);
  expect([delivery.attempts.length, delivery.state]).toEqual([2, 'given-up']);
});

test('1,000 deliveries to a dead target do not delay 1,000 to a live one', async () => {
  const dead = await openReceiver(() => undefined);
  const live = await openReceiver(() => ({ status: 200 }));
  const { app, perform, harbourKey, service } = openMock(profileWith({ 'webhook.timeout': 300 }));
  onTestFinished(() => app.close());
  for (const { url } of [dead, live])
    await perform('createSubscription', subscriptionRequest({ url, events: ['form.submit'] }), harbourKey);
  for (let count = 0; count < 1000; count++)
    await perform('submitForm', { siteID: 101, form: 'f', fields: {} });
  const states = () => [...service.world.deliveries.values()].map(({ state }) => state);
  const numberOf = (state: string) => states().filter((each) => each === state).length;
  await expect.poll(() => numberOf('delivered'), { timeout: 60_000 }).toBe(1000);
  expect([live.received.length, numberOf('pending')]).toEqual([1000, 1000]);
});
