import { expect, test } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { openControl } from '../testing/open-control.ts';
import { profileNames, profileWith, start, subscriptionRequest } from '../testing/open-mock.ts';

const minutes = (count: number) => new Date(start + count * 60_000).toISOString();

test.each([
  [{ advance: 'PT1H30M' }, minutes(90)],
  [{ advance: 'PT0S' }, minutes(0)],
  [{ to: minutes(5) }, minutes(5)],
  [{ to: '2026-01-02T11:09:05+08:00' }, minutes(5)],
  [{ mode: 'manual' }, minutes(0)],
  [{ mode: 'manual', advance: 'P1D' }, minutes(24 * 60)],
])('%j moves the clock to %s', async (move, now) => {
  const { call, service } = openControl();
  expect((await call('POST /clock', move)).body).toEqual({ mode: 'manual', now, attempts: [] });
  expect(new Date(service.clock.now()).toISOString()).toBe(now);
});

test('a mode change preserves the time, and a real clock can be advanced', async () => {
  const { call, service } = openControl();
  const move = async (wanted: object) => (await call<Schemas['MovedClock']>('POST /clock', wanted)).body;
  await move({ mode: 'real' });
  const passed = service.clock.now() - start;
  expect(passed).toBeGreaterThanOrEqual(0);
  expect(passed).toBeLessThan(60_000);
  const ahead = await move({ advance: 'P1D' });
  expect(ahead.mode).toBe('real');
  expect(Date.parse(ahead.now)).toBeGreaterThanOrEqual(start + 86_400_000 + passed);
  const { now } = await move({ mode: 'manual' });
  expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.parse(ahead.now));
  expect((await call('GET /clock')).body).toEqual({ mode: 'manual', now });
});

test('concurrent moves run one after the other', async () => {
  const { control } = openControl();
  const moves = await Promise.all([control.advance('PT1M'), control.advance('PT1M'), control.reset()]);
  expect(moves[1]?.now).toBe(minutes(2));
  expect(control.clock().now).toBe('2026-01-01T00:00:00.000Z');
});

test('an override forces the next answers of its operation until it is used up', async () => {
  const { call, perform, harbourKey } = openControl();
  const wanted = { operation: 'listSites', status: 503, times: 2 };
  expect((await call('POST /overrides', wanted)).body).toEqual({ overrides: [wanted] });
  expect((await perform('listSites', {}, harbourKey)).status).toBe(503);
  expect((await call('GET /overrides')).body).toEqual({ overrides: [{ ...wanted, times: 1 }] });
  expect((await perform('listSites', {}, harbourKey)).status).toBe(503);
  expect((await perform('listSites', {}, harbourKey)).status).toBe(200);
  expect((await call('GET /overrides')).body).toEqual({ overrides: [] });
});

test('deletes all overrides, or the overrides of one operation', async () => {
  const { call } = openControl();
  const other = { operation: 'listSites', delay_ms: 5 };
  await call('POST /overrides', { operation: 'login', code: 40101 });
  await call('POST /overrides', other);
  expect((await call('DELETE /overrides?operation=login')).body).toEqual({ overrides: [other] });
  expect((await call('DELETE /overrides')).body).toEqual({ overrides: [] });
});

test('an override with a body answers that body, and the call has no effect', async () => {
  const { call, app, perform, mei } = openControl();
  const body = { code: 0, data: { items: [null] } };
  await call('POST /overrides', { operation: 'login', status: 418, body, times: 1 });
  const logIn = () => app.inject({ method: 'POST', url: '/api/v1/auth/tenant/login' });
  const { statusCode, payload, headers } = await logIn();
  expect([statusCode, payload]).toEqual([418, JSON.stringify(body)]);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const requests = [{ forced_by: 'override', status: 418 }];
  expect((await call('GET /requests')).body).toMatchObject({ requests });
  await call('POST /overrides', { operation: 'login', body: null, times: 1 });
  expect((await logIn()).payload).toBe('null');
  expect((await perform('login', mei)).status).toBe(200);
});

test('accepts at most 1000 overrides', async () => {
  const { control, call } = openControl();
  for (let count = 0; count < 1000; count++) control.override({ operation: 'login', status: 500 });
  expect((await call('POST /overrides', { operation: 'login', status: 500 })).status).toBe(409);
  expect(control.overrides().overrides).toHaveLength(1000);
});

test.each([
  ['a token', (token: string) => ({ token }), 1],
  ['a user', () => ({ username: 'mei@harbour-cafe.example' }), 2],
  ['all', () => ({}), 3],
])('expires the tokens of %s, which can still be renewed', async (_title, which, expired) => {
  const { call, perform, mei, tom } = openControl();
  const token = String((await perform('login', mei)).values.token);
  await perform('login', mei);
  await perform('login', tom);
  expect((await perform('listSites', {}, token)).status).toBe(200);
  expect((await call('POST /tokens/expire', which(token))).body).toEqual({ expired });
  expect((await perform('listSites', {}, token)).envelope.message).toContain('the session token expired');
  const renewed = await perform('refresh', {}, token);
  expect((await perform('listSites', {}, String(renewed.values.token))).status).toBe(200);
});

test('expires all tokens by default, each only once', async () => {
  const { call, perform, mei, service } = openControl();
  await perform('login', mei);
  expect((await call('POST /tokens/expire')).body).toEqual({ expired: 1 });
  await call('POST /clock', { advance: 'PT1M' });
  expect((await call('POST /tokens/expire')).body).toEqual({ expired: 0 });
  expect([...service.world.sessions.values()].map(({ expiresAt }) => expiresAt)).toEqual([start]);
});

test('lists the usage of each limit, and when a call is free again', async () => {
  const { call, perform, mei, clock } = openControl(profileWith({ 'limits.window': 'sliding' }));
  await perform('login', mei);
  clock.time += 10_000;
  await perform('login', mei);
  const { body } = await call<{ limits: Schemas['Limit'][] }>('GET /limits');
  expect(body.limits).toHaveLength(6);
  const common = { tenant: 'Harbour Café', of: 10 };
  expect(body.limits[0]).toEqual({ ...common, limit: 'logins', used: 2, frees_at: minutes(1) });
  expect(body.limits[1]).toEqual({ ...common, limit: 'publishes', used: 0 });
  expect((await call<{ limits: Schemas['Limit'][] }>('GET /limits?tenant=2')).body.limits).toHaveLength(3);
});

test('clears the limits of one tenant or of all', async () => {
  const { call, perform, mei, zoe } = openControl();
  for (let count = 0; count < 10; count++) await Promise.all([perform('login', mei), perform('login', zoe)]);
  expect((await perform('login', mei)).status).toBe(429);
  await call('DELETE /limits?tenant=1');
  expect([(await perform('login', mei)).status, (await perform('login', zoe)).status]).toEqual([200, 429]);
  await call('DELETE /limits');
  expect((await perform('login', zoe)).status).toBe(200);
});

const username = 'mei@harbour-cafe.example';

test.each(profileNames)('calls an operation as a user, with the names of %s', async (name) => {
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

test('logs in once, and again after the session has ended', async () => {
  const { call, service } = openControl();
  const listSites = () => call('POST /calls', { operation: 'listSites', username });
  await listSites();
  expect((await listSites()).body).toMatchObject({ status: 200, answer: { data: { total: 2 } } });
  await call('POST /tokens/expire', {});
  expect((await listSites()).body).toMatchObject({ status: 200 });
  const called = service.journal.entries().map(({ exchange }) => exchange.operation);
  expect(called).toEqual(['login', 'listSites', 'listSites', 'login', 'listSites']);
});

test('a call digests only the secrets that it needs', async () => {
  const { call, service } = openControl();
  const apiKeys = [undefined as never];
  service.tenants = service.tenants.map((tenant) => ({ ...tenant, apiKeys }));
  expect((await call('POST /calls', { operation: 'listSites', username })).body.status).toBe(200);
});

test('reports a failed login', async () => {
  const { call } = openControl();
  await call('POST /overrides', { operation: 'login', status: 503, times: 1 });
  const { status, body } = await call('POST /calls', { operation: 'listSites', username });
  const reason = `the login of ${username} failed: {"code":50000,`;
  expect([status, body.error]).toEqual([409, expect.stringContaining(reason)]);
});

test('lists tenants with the known valid secrets', async () => {
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
