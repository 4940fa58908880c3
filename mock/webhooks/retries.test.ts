import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { openReceiver } from '../testing/open-mock.ts';
import { openSubscribed, type Respond, type Subscribed } from './testing.ts';

const minute = 60_000;

async function push(
  respond: Respond,
  { ms = 60 * minute, ...subscribed }: Subscribed & { ms?: number } = {},
) {
  const mock = await openSubscribed(respond, subscribed);
  mock.update();
  await mock.wait(ms);
  const [delivery = expect.fail('nothing was delivered')] = mock.deliveries();
  const minutes = () => delivery.attempts.map(({ at }) => (at - delivery.createdAt) / minute);
  return { ...mock, delivery, minutes, paths: mock.received.map(({ path }) => path) };
}

const fail: Respond = () => ({ status: 500 });

test.each([
  ['previous-attempt', [0, 1, 6, 36]],
  ['first-attempt', [0, 1, 5, 30]],
])('makes three retries after a failure, counted from the %s', async (anchor, want) => {
  const { delivery, minutes, received } = await push(fail, { gaps: { 'webhook.retry-anchor': anchor } });
  expect([minutes(), delivery.state]).toEqual([want, 'given-up']);
  expect(delivery.attempts.map(({ cause }) => cause)).toEqual(['event', 'retry', 'retry', 'retry']);
  expect(received).toHaveLength(4);
});

test.each([
  ['renewed', [0, 60, 360, 2160]],
  ['same', [0, 0, 0, 0]],
])('every attempt has the same bytes and signature, and its timestamp is %s', async (value, seconds) => {
  const gaps = { 'webhook.retry-timestamp': value };
  const { delivery, received } = await push(fail, { gaps, values: { secret: '密钥' } });
  const [{ body } = expect.fail('nothing arrived')] = received;
  const signature = `sha256=${createHmac('sha256', '密钥').update(body).digest('hex')}`;
  const start = Math.floor(delivery.createdAt / 1000);
  const sent = received.map((one) => {
    const { 'x-webhook-signature': signed, 'x-webhook-timestamp': time } = one.headers;
    return [one.body, signed, Number(time) - start];
  });
  expect(sent).toEqual(seconds.map((late) => [body, signature, late]));
});

test.each([200, 201, 204, 299])('a %i ends the retries', async (status) => {
  let count = 0;
  const { delivery, minutes } = await push(() => ({ status: ++count === 2 ? status : 503 }));
  expect([minutes(), delivery.state]).toEqual([[0, 1], 'delivered']);
});

test.each([301, 302, 304, 307, 400, 404, 410, 429, 500, 503])('retries after a %i', async (status) => {
  const respond = () => ({ status, location: '/elsewhere' });
  const { delivery, minutes, paths } = await push(respond, { ms: minute });
  expect([minutes(), delivery.state, paths]).toEqual([[0, 1], 'pending', ['/x', '/x']]);
});

test.each<[string, Subscribed['urlOf'], Respond, RegExp]>([
  ['a closed port', () => 'http://127.0.0.1:1/', fail, /^ECONNREFUSED/],
  ['an unknown host', () => 'http://host.invalid/', fail, /^(ENOTFOUND|EAI_AGAIN)/],
  ['a connection that is reset', undefined, () => 'reset', /^ECONNRESET/],
  ['a missing answer', undefined, () => undefined, /^no complete answer within 1 s$/],
  ['bad TLS', (own) => own.replace('http:', 'https:'), fail, /SSL|TLS/i],
])('retries after %s', async (_case, urlOf, respond, error) => {
  const { delivery } = await push(respond, { gaps: { 'webhook.timeout': 1 }, urlOf, ms: minute });
  const outcome = { error: expect.stringMatching(error) };
  expect(delivery.attempts.map((attempt) => attempt.outcome)).toEqual([outcome, outcome]);
});

test.for([
  ['followed', 200, 'pending', ['/x', '/other', '/x', '/other']],
  ['counted', 200, 'delivered', ['/x', '/other']],
  ['counted', 500, 'pending', ['/x', '/other', '/x', '/other']],
] as const)('a redirect that is %s to a %i makes the push %s', async ([redirects, status, state, want]) => {
  const respond = (path: string) => (path === '/x' ? { status: 302, location: '/other' } : { status });
  const gaps = { 'webhook.redirects': redirects };
  const { delivery, paths } = await push(respond, { gaps, ms: minute });
  expect([delivery.state, paths]).toEqual([state, want]);
});

test.each([
  ['delivered', 'delivered', 1],
  ['failed', 'given-up', 4],
])('a robot refusal with status 200 counts as %s, if the profile says so', async (value, state, most) => {
  const body = '{"errcode":93000,"errmsg":"invalid webhook url"}';
  const options = { gaps: { 'webhook.robot-refusal': value }, values: { channel: 'wecom' } };
  const { state: ended, attempts } = (await push(() => ({ status: 200, body }), options)).delivery;
  const outcome = { status: 200, body, refusal: '93000: invalid webhook url' };
  expect([ended, attempts.length, attempts[0]?.outcome]).toEqual([state, most, outcome]);
});

test.each([
  ['not-retried', 1],
  ['retried', 4],
])('a failed test message is %s', async (value, attempts) => {
  const mock = await openSubscribed(fail, { gaps: { 'hook-test.retried': value } });
  await mock.startTest();
  await mock.wait(60 * minute);
  const [tested] = mock.deliveries();
  expect([tested?.attempts.length, tested?.state]).toEqual([attempts, 'given-up']);
});

test('a deleted subscription gets no more retries', async () => {
  const { perform, harbourKey, id, wait, delivery } = await push(fail, { ms: minute });
  await perform('deleteSubscription', { siteID: 101, subscriptionID: id }, harbourKey);
  await wait(60 * minute);
  expect([delivery.attempts.length, delivery.state]).toEqual([2, 'given-up']);
});

test('1,000 deliveries to a dead target do not delay 1,000 to a live one', async () => {
  const live = await openReceiver(() => ({ status: 200 }));
  const dead = await openSubscribed(() => undefined, { gaps: { 'webhook.timeout': 300 } });
  await dead.subscribe({ url: live.url, events: ['content.update'] });
  dead.update(1000);
  const numberOf = (wanted: string) => dead.deliveries().filter(({ state }) => state === wanted).length;
  await expect.poll(() => numberOf('delivered'), { timeout: 60_000 }).toBe(1000);
  expect([live.received.length, numberOf('pending')]).toEqual([1000, 1000]);
});
