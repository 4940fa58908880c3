import { describe, expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileNames, profileWith, subscriptionRequest } from '../testing/open-mock.ts';

const idPatterns = {
  integer: /^\d+$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  string: /^wh_\w{10}$/,
};

test.each(profileNames)('%s: a created subscription is answered as the profile shows it', async (name) => {
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
  expect(String(values.id)).toMatch(idPatterns[profile.values['subscription.id-type']]);
});

describe('refuses', () => {
  test.each([
    ['a relative URL', { url: '/hook' }, '/url: expected format "uri"'],
    ['another scheme', { url: 'ftp://hooks.example/x' }, '/url: expected an http or https URL with a host'],
    ['a URL without a host', { url: 'http:///x' }, '/url: expected an http or https URL with a host'],
    [
      'a URL without slashes',
      { url: 'http:hooks.example' },
      '/url: expected an http or https URL with a host',
    ],
    ['no events', { events: [] }, '/events: expected minItems 1'],
    [
      'an unknown event beside a known one',
      { events: ['form.submit', 'form.sent'] },
      '/events/1: expected one of "content.publish"',
    ],
    [
      'an unknown channel',
      { channel: 'slack' },
      '/channel: expected one of "custom", "wecom", "dingtalk", "feishu"',
    ],
    ['a secret that is no text', { secret: 7 }, '/secret: expected type string'],
  ])('%s', async (_case, values, reason) => {
    const { perform, harbourKey, service } = openMock();
    const { status, envelope } = await perform('createSubscription', subscriptionRequest(values), harbourKey);
    expect([status, envelope.code]).toEqual([400, 40002]);
    expect(envelope.message).toContain(`the request is not valid: ${reason}`);
    expect(service.world.subscriptions.size).toBe(0);
  });
});

test('a refusal names the fields as the deployment does', async () => {
  const { perform, harbourKey } = openMock(loadProfile('always-200-camel-case'));
  const messages = [];
  for (const url of [undefined, 'ftp://x.example'])
    messages.push(
      (await perform('createSubscription', subscriptionRequest({ url }), harbourKey)).envelope.message,
    );
  expect(messages).toEqual([
    'the request is not valid: /callbackUrl: expected a property "callbackUrl"',
    'the request is not valid: /callbackUrl: expected an http or https URL with a host',
  ]);
});

test('accepts no events and unknown fields if the profile says so', async () => {
  const codes = async (profile: string) => {
    const { app, perform, harbourKey } = openMock(loadProfile(profile));
    const empty = await perform('createSubscription', subscriptionRequest({ events: [] }), harbourKey);
    const more = await app.inject({
      method: 'POST',
      url: '/api/v1/tenant/sites/101/webhooks',
      headers: { authorization: `Bearer ${harbourKey}` },
      payload:
        profile === 'default'
          ? { url: 'http://x.example', events: ['form.submit'], channel: 'custom', more: 1 }
          : { target_url: 'http://x.example', event_names: ['form.submit'], type: 'custom', more: 1 },
    });
    return [empty.envelope.code, more.json().code];
  };
  expect(await codes('default')).toEqual([40002, 0]);
  expect(await codes('nested-201-uuid')).toEqual([42200, 42200]);
  const { perform, harbourKey } = openMock(loadProfile('always-200-camel-case'));
  expect(
    (await perform('createSubscription', subscriptionRequest({ events: [] }), harbourKey)).envelope.code,
  ).toBe(0);
});

test('an event that is chosen twice is listed once', async () => {
  const { perform, harbourKey } = openMock();
  const { values } = await perform(
    'createSubscription',
    subscriptionRequest({ events: ['form.submit', 'form.submit'] }),
    harbourKey,
  );
  expect(values.events).toEqual(['form.submit']);
});

test('an empty secret is no secret', async () => {
  const { perform, harbourKey, service } = openMock();
  await perform('createSubscription', subscriptionRequest({ secret: '' }), harbourKey);
  expect(service.world.subscriptions.get('1')).not.toHaveProperty('secret');
});

test('lists a site’s subscriptions and no others', async () => {
  const { perform, harbourKey } = openMock();
  const { values } = await perform('createSubscription', subscriptionRequest(), harbourKey);
  await perform('createSubscription', subscriptionRequest({ siteID: 102 }), harbourKey);
  const listed = await perform('listSubscriptions', { siteID: 101 }, harbourKey);
  expect([listed.values, listed.mismatches]).toEqual([{ list: [values], total: 1 }, []]);
});

test.each(['default', 'always-200-camel-case', 'nested-201-uuid'])(
  '%s: a deleted subscription is unknown, and another tenant never sees it',
  async (name) => {
    const { perform, harbourKey, blumenKey } = openMock(loadProfile(name));
    const { values } = await perform('createSubscription', subscriptionRequest(), harbourKey);
    const about = { siteID: 101, subscriptionID: values.id, id: values.id };
    expect((await perform('deleteSubscription', about, blumenKey)).envelope.code).not.toBe(0);
    const deleted = await perform('deleteSubscription', about, harbourKey);
    expect([deleted.envelope.code, deleted.mismatches]).toEqual([0, []]);
    expect((await perform('deleteSubscription', about, harbourKey)).envelope.message).toContain(
      'there is no webhook subscription',
    );
    expect((await perform('testSubscription', about, harbourKey)).envelope.message).toContain(
      'there is no webhook subscription',
    );
  },
);

test.each([
  ['of another site', 102],
  ['that does not exist', 101],
])('does not test a subscription %s', async (_case, siteID) => {
  const { perform, harbourKey, service } = openMock();
  const { values } = await perform('createSubscription', subscriptionRequest({ siteID: 101 }), harbourKey);
  const id = siteID === 101 ? Number(values.id) + 1 : values.id;
  expect((await perform('testSubscription', { siteID, id }, harbourKey)).envelope).toMatchObject({
    code: 40401,
  });
  expect(service.world.deliveries.size).toBe(0);
});

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
