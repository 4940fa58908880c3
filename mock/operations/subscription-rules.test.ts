import { expect, test } from 'vitest';
import { openMock, profileWith, subscriptionRequest } from '../testing/open-mock.ts';

async function codeFor(gap: Record<string, unknown>, values: Record<string, unknown>): Promise<number> {
  const { perform, harbourKey } = openMock(profileWith(gap));
  return (await perform('createSubscription', subscriptionRequest(values), harbourKey)).envelope.code;
}

const short = 'x'.repeat(31);
const long = '钥'.repeat(32);

test.for([
  ['any', short, 0],
  ['min-32', short, 40002],
  ['min-32', long, 0],
  ['min-32', undefined, 0],
  ['ascii', '~ }', 0],
  ['ascii', long, 40002],
  ['ascii', 'tab\t', 40002],
] as const)('under the rule %s the secret %s gets %i', async ([rule, secret, want]) => {
  expect(await codeFor({ 'subscription.secret-rule': rule }, { secret })).toBe(want);
});

test.for([
  ['any', 'http://127.0.0.1/x', 0],
  ['https-only', 'http://hooks.example/x', 40002],
  ['https-only', 'HTTPS://hooks.example/x', 0],
  ['public-only', 'http://127.0.0.1/x', 40002],
  ['public-only', 'http://localhost/x', 40002],
  ['public-only', 'http://hooks.example/x', 0],
  ['allow-list', 'http://127.0.0.1:81/x', 0],
  ['allow-list', 'https://hooks.example/x', 40002],
] as const)('under the rule %s the receiver %s gets %i', async ([rule, url, want]) => {
  expect(await codeFor({ 'subscription.url-rule': rule }, { url })).toBe(want);
});

test('a site has as many subscriptions as its quota says, another site its own', async () => {
  const { perform, harbourKey } = openMock(profileWith({ 'subscription.quota': 2 }));
  const create = async (siteID: number) =>
    (await perform('createSubscription', subscriptionRequest({ siteID }), harbourKey)).envelope.code;
  expect([await create(101), await create(101), await create(101), await create(102)]).toEqual([
    0, 0, 40901, 0,
  ]);
  const { list } = (await perform('listSubscriptions', { siteID: 101 }, harbourKey)).values;
  const [first] = list as { id: number }[];
  await perform('deleteSubscription', { siteID: 101, subscriptionID: first?.id }, harbourKey);
  expect(await create(101)).toBe(0);
});

test('identifiers counted per site name one subscription on each, and are not given out again', async () => {
  const { perform, harbourKey, service } = openMock(profileWith({ 'subscription.id-scope': 'per-site' }));
  const create = async (siteID: number, url: string) =>
    (await perform('createSubscription', subscriptionRequest({ siteID, url }), harbourKey)).values.id;
  const urls = ['http://127.0.0.1:1/one', 'http://127.0.0.1:1/other'];
  expect([await create(101, urls[0] ?? ''), await create(102, urls[1] ?? '')]).toEqual([1, 1]);
  for (const siteID of [101, 102]) await perform('testSubscription', { siteID, id: 1 }, harbourKey);
  expect([...service.world.deliveries.values()].map(({ url }) => url)).toEqual(urls);
  const logs = [];
  for (const siteID of [101, 102])
    logs.push((await perform('listDeliveries', { siteID, subscriptionID: 1 }, harbourKey)).values.total);
  expect(logs).toEqual([1, 1]);
  await perform('deleteSubscription', { siteID: 101, subscriptionID: 1 }, harbourKey);
  const { envelope } = await perform('testSubscription', { siteID: 102, id: 1 }, harbourKey);
  expect([envelope.code, await create(101, 'http://127.0.0.1:1/')]).toEqual([0, 2]);
  await service.dispatcher.close();
});
