import { expect, test } from 'vitest';
import type { Schemas } from '../../../openapi/generated/control-types.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { openControl } from '../../testing/open-control.ts';
import { profileNames, subscriptionRequest } from '../../testing/open-mock.ts';

const username = 'mei@harbour-cafe.example';

test.each(profileNames)('calls an operation as a user, in the names of %s', async (name) => {
  const { call, service } = openControl(loadProfile(name));
  expect((await call('POST /calls', { operation: 'login', username })).body).toMatchObject({ code: 0 });
  const values = subscriptionRequest();
  const { body } = await call('POST /calls', { operation: 'createSubscription', username, values });
  expect(body).toMatchObject({ code: 0 });
  expect([...service.world.subscriptions.values()]).toMatchObject([{ siteId: 101, url: values.url }]);
  const { requests } = (await call<{ requests: object[] }>('GET /requests')).body;
  expect(requests).toMatchObject([
    { operation: 'login', who: username },
    { operation: 'createSubscription' },
  ]);
  expect(JSON.stringify([requests, body])).not.toMatch(/demo-password|s[tp]_\w{8}/);
});

test('logs in once, and again when the session has ended', async () => {
  const { call, service } = openControl();
  const listSites = () => call('POST /calls', { operation: 'listSites', username });
  const logins = () =>
    service.journal.entries().filter(({ exchange }) => exchange.operation === 'login').length;
  await listSites();
  expect((await listSites()).body).toMatchObject({ status: 200, answer: { data: { total: 2 } } });
  expect(logins()).toBe(1);
  await call('POST /tokens/expire', {});
  expect((await listSites()).body).toMatchObject({ status: 200 });
  expect(logins()).toBe(2);
});

test('a call digests only those secrets of the seed that it may need', async () => {
  const { call, service } = openControl();
  const apiKeys = [undefined as never];
  service.tenants = service.tenants.map((tenant) => ({ ...tenant, apiKeys }));
  expect((await call('POST /calls', { operation: 'listSites', username })).body.status).toBe(200);
});

test('says that the service did not log the user in', async () => {
  const { call } = openControl();
  await call('POST /overrides', { operation: 'login', status: 503, times: 1 });
  const { status, body } = await call('POST /calls', { operation: 'listSites', username });
  const reason = `did not log ${username} in: {"code":50000,`;
  expect([status, body.error]).toEqual([409, expect.stringContaining(reason)]);
});

test('shows what is known of the tenants, and no password that is not valid any more', async () => {
  const { call, service, harbourKey } = openControl();
  const read = async () => (await call<{ tenants: Schemas['Tenant'][] }>('GET /tenants')).body.tenants[0];
  expect(await read()).toMatchObject({
    name: 'Harbour Café',
    users: [{ username, password: 'demo-password-mei' }, { password: 'demo-password-tom' }],
    api_keys: [{ name: 'Reservation sync', key: harbourKey }],
    sites: [{ id: 101, version: 7, subscriptions: 0 }, { id: 102 }],
  });
  service.world.apiKeys.set('ff', { id: 3, tenantId: 1, name: 'another', createdAt: 0 });
  expect(await read()).not.toHaveProperty('signing_secrets');
  const subscription = { siteId: 101, url: 'https://x.example', channel: 'custom', createdAt: 0 } as const;
  for (const [id, secret] of ['one', 'two', 'one', undefined].entries())
    service.world.subscriptions.set(`${id}`, { ...subscription, id, events: [], ...(secret && { secret }) });
  expect(await read()).toMatchObject({ signing_secrets: ['one', 'two'], sites: [{ subscriptions: 4 }, {}] });
  service.world.users.edit(username).salt = 'other';
  const tenant = await read();
  expect(tenant?.users[0]).toEqual({ username });
  expect(tenant?.api_keys[1]).toEqual({ id: 3, name: 'another' });
});

test('looks into a site', async () => {
  const { call } = openControl();
  const { body } = await call<Schemas['SiteInside']>('GET /sites/101');
  expect(body).toMatchObject({
    name: '海港咖啡馆',
    tenant: 'Harbour Café',
    totals: { contents: 4, comments: 2 },
  });
  expect(body.contents).toHaveLength(4);
});
