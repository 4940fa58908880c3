import { expect, test } from 'vitest';
import { openMock, subscriptionRequest } from '../testing/open-mock.ts';
import { toSnapshot } from './snapshot.ts';

/** Makes calls of every kind, with pushes, a retry and a new minute of the limits. */
async function runCalls(seed: number) {
  const { perform, mei, harbourKey, service } = openMock(undefined, { seed });
  const { values } = await perform('login', { ...mei });
  await perform('refresh', {}, String(values.token));
  const site = (await perform('createSite', { name: 'x' }, harbourKey)).values.id;
  const target = { siteID: site, url: 'http://127.0.0.1:1/', secret: 's', events: ['publish.complete'] };
  const id = (await perform('createSubscription', subscriptionRequest(target), harbourKey)).values.id;
  await perform('testSubscription', { siteID: site, id }, harbourKey);
  await perform('publishSite', { siteID: site, note: 'first' }, harbourKey);
  await perform('createKey', { name: 'x' }, harbourKey);
  await service.scheduler.advance(service.clock.now() + 61_000);
  const last = await perform('submitForm', { siteID: 101, form: 'contact', fields: { a: 1 } });
  await service.scheduler.settle();
  await service.dispatcher.close();
  return { world: JSON.stringify(toSnapshot(service.world)), harbourKey, trace: last.envelope.trace_id };
}

test('the same seed and the same calls give the same world, byte for byte', async () => {
  const [one, other] = [await runCalls(1), await runCalls(1)];
  expect(one).toEqual(other);
  expect(JSON.parse(one.world).deliveries['2'].attempts).toHaveLength(2);
});

test('another seed gives other secrets and other trace ids', async () => {
  const [one, other] = [await runCalls(1), await runCalls(2)];
  expect(one.harbourKey).not.toBe(other.harbourKey);
  expect(one.trace).not.toBe(other.trace);
});

test('a snapshot contains no password, key or token', async () => {
  const { perform, mei, harbourKey, service } = openMock();
  const token = String((await perform('login', { ...mei })).values.token);
  const key = String((await perform('createKey', { name: 'x' }, harbourKey)).values.key);
  const text = JSON.stringify(toSnapshot(service.world));
  for (const secret of [mei.password, harbourKey, token, key]) expect(text).not.toContain(secret);
});
