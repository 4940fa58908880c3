import { expect, test } from 'vitest';
import { openMock, subscriptionRequest } from './testing.ts';
import { find } from './world.ts';

async function live(seed: number) {
  const { perform, mei, harbourKey, service } = openMock(undefined, { seed });
  const { values } = await perform('login', { ...mei });
  await perform('refresh', {}, String(values.token));
  await perform('createSite', { name: 'x' }, harbourKey);
  const created = await perform(
    'createSubscription',
    subscriptionRequest({ url: 'http://127.0.0.1:1/', secret: 's' }),
    harbourKey,
  );
  const last = await perform('testSubscription', { siteID: 101, id: created.values.id }, harbourKey);
  await service.dispatcher.drain();
  await service.dispatcher.close();
  return { world: service.world, harbourKey, trace: last.envelope.trace_id };
}

test('the same seed and the same calls give the same world, byte for byte', async () => {
  const [one, other] = [await live(1), await live(1)];
  expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  expect(Object.keys(one.world.deliveries)).toEqual(['1']);
});

test('another seed gives other secrets', async () => {
  const [one, other] = [await live(1), await live(2)];
  expect(one.harbourKey).not.toBe(other.harbourKey);
  expect(one.trace).not.toBe(other.trace);
});

test('the world is JSON and goes on from it as it would have', async () => {
  const mock = openMock();
  mock.service.world = JSON.parse(JSON.stringify(mock.service.world));
  const twin = openMock();
  for (const { perform, mei } of [mock, twin]) await perform('login', { ...mei });
  expect(mock.service.world).toEqual(twin.service.world);
  expect(Object.keys(mock.service.world.sessions)).toHaveLength(1);
});

test('no password, key or token can be read out of the world', async () => {
  const { perform, mei, harbourKey, service } = openMock();
  const token = String((await perform('login', { ...mei })).values.token);
  const text = JSON.stringify(service.world);
  for (const secret of [mei.password, harbourKey, token]) expect(text).not.toContain(secret);
});

test.each(['__proto__', 'constructor', 'toString', ''])('finds nothing under "%s"', (key) => {
  expect(find({}, key)).toBeUndefined();
});
