import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileNames, profileWith, subscriptionRequest } from '../testing/open-mock.ts';

test.each(profileNames)('%s: answers a creation as the profile describes', async (name) => {
  const profile = loadProfile(name);
  const { perform, harbourKey } = openMock(profile);
  const request = subscriptionRequest({ events: ['content.update', 'form.submit'], secret: 'It’s a secret' });
  const { status, values, mismatches } = await perform('createSubscription', request, harbourKey);
  expect([status, mismatches]).toEqual([profile.values['subscription.status'], []]);
  const { siteID: _path, secret, ...shown } = request;
  expect(values).toEqual({
    id: values.id,
    ...shown,
    ...(profile.values['subscription.response.secret'] !== 'absent' && { secret }),
  });
});

test.each([
  ['default', { url: '/hook' }, '/url: expected format "uri"'],
  ['default', { url: 'ftp://hooks.example/x' }, '/url: expected an http or https URL with a host'],
  ['default', { events: [] }, '/events: expected minItems 1'],
  ['default', { events: ['form.submit', 'form.sent'] }, '/events/1: expected one of "content.publish"'],
  ['default', { channel: 'slack' }, '/channel: expected one of "custom", "wecom", "dingtalk", "feishu"'],
  ['default', { secret: 7 }, '/secret: expected type string'],
  // Messages use the field names of the deployment.
  ['always-200-camel-case', { url: undefined }, '/callbackUrl: expected a property "callbackUrl"'],
  ['always-200-camel-case', { url: 'ftp://x.example' }, '/callbackUrl: expected an http or https URL with'],
])('%s: refuses a subscription with %j', async (name, values, reason) => {
  const { subscribe, service } = openMock(loadProfile(name));
  const { envelope } = await subscribe(values);
  expect(envelope.message).toContain(`the request is not valid: ${reason}`);
  expect(service.world.subscriptions.size).toBe(0);
});

const events = ['form.submit'];

test.each([
  ['default', { url: 'http://x.example', events, channel: 'custom', more: 1 }, 0],
  ['nested-201-uuid', { target_url: 'http://x', event_names: events, type: 'custom', more: 1 }, 42200],
  ['nested-201-uuid', { target_url: 'http://x', event_names: [], type: 'custom' }, 42200],
  ['always-200-camel-case', { callbackUrl: 'http://x', eventTypes: [], channelType: 'custom' }, 0],
])('%s: the subscription %j gets %i', async (profile, payload, code) => {
  const { app, harbourKey } = openMock(loadProfile(profile));
  const headers = { authorization: `Bearer ${harbourKey}` };
  const url = '/api/v1/tenant/sites/101/webhooks';
  expect((await app.inject({ method: 'POST', url, headers, payload })).json().code).toBe(code);
});

test('lists the subscriptions of one site, with unique events and no empty secret', async () => {
  const { perform, subscribe, harbourKey, service } = openMock();
  const { values } = await subscribe({ events: ['form.submit', 'form.submit'], secret: '' });
  await subscribe({ siteID: 102 });
  const listed = await perform('listSubscriptions', { siteID: 101 }, harbourKey);
  expect([listed.values, listed.mismatches]).toEqual([{ list: [values], total: 1 }, []]);
  expect(values.events).toEqual(['form.submit']);
  expect(service.world.subscriptions.get('1')).not.toHaveProperty('secret');
});

const deleting = ['default', 'always-200-camel-case', 'nested-201-uuid'];

test.each(deleting)('%s: refuses a deleted and a foreign subscription alike', async (name) => {
  const { perform, codeOf, subscribe, harbourKey, blumenKey } = openMock(loadProfile(name));
  const { id } = (await subscribe()).values;
  const about = { siteID: 101, subscriptionID: id, id };
  expect(await codeOf('deleteSubscription', about, blumenKey)).not.toBe(0);
  const deleted = await perform('deleteSubscription', about, harbourKey);
  expect([deleted.envelope.code, deleted.mismatches]).toEqual([0, []]);
  for (const operation of ['deleteSubscription', 'testSubscription'] as const) {
    const { envelope } = await perform(operation, about, harbourKey);
    expect(envelope.message).toContain('there is no webhook subscription');
  }
});

const short = 'x'.repeat(31);
const long = '钥'.repeat(32);

test.for([
  ['secret', 'min-32', short, 40002],
  ['secret', 'min-32', long, 0],
  ['secret', 'min-32', undefined, 0],
  ['secret', 'ascii', '~ }', 0],
  ['secret', 'ascii', long, 40002],
  ['secret', 'ascii', 'tab\t', 40002],
  ['url', 'https-only', 'http://hooks.example/x', 40002],
  ['url', 'https-only', 'HTTPS://hooks.example/x', 0],
  ['url', 'public-only', 'http://127.0.0.1/x', 40002],
  ['url', 'public-only', 'http://localhost/x', 40002],
  ['url', 'public-only', 'http://hooks.example/x', 0],
  ['url', 'allow-list', 'http://127.0.0.1:81/x', 0],
  ['url', 'allow-list', 'https://hooks.example/x', 40002],
] as const)('a %s under the rule %s with the value %s gets %i', async ([name, rule, value, code]) => {
  const { subscribe } = openMock(profileWith({ [`subscription.${name}-rule`]: rule }));
  expect((await subscribe({ [name]: value })).envelope.code).toBe(code);
});

test('each site has its own subscription quota', async () => {
  const { perform, subscribe, harbourKey } = openMock(profileWith({ 'subscription.quota': 2 }));
  const create = async (siteID: number) => (await subscribe({ siteID })).envelope.code;
  const codes = [await create(101), await create(101), await create(101), await create(102)];
  expect(codes).toEqual([0, 0, 40901, 0]);
  await perform('deleteSubscription', { siteID: 101, subscriptionID: 1 }, harbourKey);
  expect(await create(101)).toBe(0);
});

test('ids counted per site are unique in their site and not reused', async () => {
  const mock = openMock(profileWith({ 'subscription.id-scope': 'per-site' }));
  const { perform, codeOf, subscribe, harbourKey, service } = mock;
  const urls = ['http://127.0.0.1:1/one', 'http://127.0.0.1:1/other'];
  const create = async (siteID: number, url?: string) => (await subscribe({ siteID, url })).values.id;
  expect([await create(101, urls[0]), await create(102, urls[1])]).toEqual([1, 1]);
  for (const siteID of [101, 102]) await perform('testSubscription', { siteID, id: 1 }, harbourKey);
  expect([...service.world.deliveries.values()].map(({ url }) => url)).toEqual(urls);
  for (const siteID of [101, 102]) {
    const { values } = await perform('listDeliveries', { siteID, subscriptionID: 1 }, harbourKey);
    expect(values.total).toBe(1);
  }
  await perform('deleteSubscription', { siteID: 101, subscriptionID: 1 }, harbourKey);
  expect(await codeOf('testSubscription', { siteID: 102, id: 1 }, harbourKey)).toBe(0);
  expect(await create(101, urls[0])).toBe(2);
  service.dispatcher.close();
});
